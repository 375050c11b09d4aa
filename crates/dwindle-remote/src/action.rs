//! A run as an action of the protocol.

use std::sync::Arc;

use bazel_remote_apis::build::bazel::remote::execution::v2::{
    Action, Command, Digest, Platform, command::EnvironmentVariable, platform::Property,
};
use bazel_remote_apis::google::protobuf::Duration;
use dwindle_run::Errand;

use crate::digest::Blob;
use crate::error::Error;
use crate::settings::Settings;
use crate::tree::Tree;

/// Where programs are looked up if the environment does not say.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// The digest of an action, and all that it consists of.
pub(crate) struct Packed<'a> {
    pub(crate) action: Digest,
    pub(crate) blobs: Vec<Blob<'a>>,
}

/// Packs an errand; `digest_of` knows the digests of what is fixed.
#[expect(deprecated, reason = "servers of versions before 2.2 look for the platform in the command")]
pub(crate) fn pack<'a>(
    errand: &'a Errand<'a>,
    settings: &Settings,
    digest_of: impl Fn(&Arc<[u8]>) -> Digest,
) -> Result<Packed<'a>, Error> {
    let mut tree = Tree::default();
    for file in errand.fixed {
        let blob = Blob { digest: digest_of(&file.bytes), bytes: (&*file.bytes).into() };
        tree.file(&file.name, file.mode, blob)?;
    }
    errand.files.iter().try_for_each(|laid| tree.lay(laid))?;
    let mut blobs = Vec::new();
    let root = tree.into_blobs(&mut blobs);
    let platform = platform(settings);
    let command = Blob::message(&Command {
        arguments: ["/bin/sh", "-c", &errand.line].map(str::to_owned).into(),
        environment_variables: environment(settings),
        platform: platform.clone(),
        working_directory: errand.folder.to_owned(),
        ..Command::default()
    });
    let action = Blob::message(&Action {
        command_digest: Some(command.digest.clone()),
        input_root_digest: Some(root),
        timeout: Some(Duration {
            seconds: i64::try_from(errand.limit.as_secs()).unwrap_or(i64::MAX),
            nanos: errand.limit.subsec_nanos() as i32,
        }),
        do_not_cache: false,
        // A run that is to be another one is another action.
        salt: match errand.before {
            0 => Vec::new(),
            before => format!("run {}", before + 1).into_bytes(),
        },
        platform,
    });
    let digest = action.digest.clone();
    blobs.extend([command, action]);
    Ok(Packed { action: digest, blobs })
}

fn platform(settings: &Settings) -> Option<Platform> {
    let property = |(name, value): &(String, String)| Property { name: name.clone(), value: value.clone() };
    let mut properties: Vec<Property> = settings.properties.iter().map(property).collect();
    properties.sort_by(|one, other| (&one.name, &one.value).cmp(&(&other.name, &other.value)));
    (!properties.is_empty()).then_some(Platform { properties })
}

fn environment(settings: &Settings) -> Vec<EnvironmentVariable> {
    let given = settings.environment.iter().cloned();
    let all = [("PATH".to_owned(), PATH.to_owned())].into_iter().chain(given);
    // Of several of a name, the last one counts.
    let all: std::collections::BTreeMap<String, String> = all.collect();
    all.into_iter().map(|(name, value)| EnvironmentVariable { name, value }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::digest;
    use dwindle_run::{FixedFile, Laid, What};
    use std::time::Duration;

    #[test]
    fn the_same_errand_is_the_same_action_and_a_second_run_of_it_is_another() {
        let mut settings = Settings::new("reapi://localhost:1".parse().unwrap());
        let fixed = [FixedFile { name: "run/b.h".into(), mode: 0o600, bytes: b"fixed"[..].into() }];
        let errand = |bytes, before| Errand {
            files: vec![Laid { path: "run/a.c".into(), what: What::File(0o600, bytes) }],
            fixed: &fixed,
            folder: "run",
            line: "true".to_owned(),
            limit: Duration::from_secs(2),
            before,
        };
        let action = |errand: &Errand<'_>, settings: &Settings| {
            pack(errand, settings, |bytes| digest(bytes)).unwrap().action
        };
        let first = action(&errand(b"1", 0), &settings);
        assert_eq!(first, action(&errand(b"1", 0), &settings));
        assert_ne!(first, action(&errand(b"2", 0), &settings));
        assert_ne!(first, action(&errand(b"1", 1), &settings));
        settings.properties = vec![("OSFamily".to_owned(), "linux".to_owned())];
        assert_ne!(first, action(&errand(b"1", 0), &settings));
    }

    #[test]
    fn a_variable_that_is_given_counts_and_there_is_a_path_without() {
        let mut settings = Settings::new("reapi://localhost:1".parse().unwrap());
        let shown = |settings: &Settings| {
            environment(settings)
                .into_iter()
                .map(|one| format!("{}={}", one.name, one.value))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(&settings), [format!("PATH={PATH}")]);
        settings.environment = [("Z", "1"), ("PATH", "/opt/bin"), ("Z", "2")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec();
        assert_eq!(shown(&settings), ["PATH=/opt/bin", "Z=2"]);
    }
}
