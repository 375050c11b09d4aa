//! Two runs do not claim one output. No test here starts a process, which would hold on to a claim for
//! a moment after its end.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use dwindle::claim::{Claim, ClaimError};

#[test]
fn an_output_is_claimed_once_until_the_claim_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out");
    let claim = Claim::take(&output).unwrap();
    assert!(matches!(Claim::take(&output), Err(ClaimError::Taken { path }) if path == output));
    drop(claim);
    Claim::take(&output).unwrap();
}

#[test]
fn other_names_and_other_folders_are_other_outputs() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let _claims = ["out", "out2", "sub/out"].map(|name| Claim::take(&folder.path().join(name)).unwrap());
}

#[test]
fn all_ways_to_a_folder_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    symlink("sub", at("link")).unwrap();
    let _claim = Claim::take(&at("sub/out")).unwrap();
    for other in ["link/out", "sub/../sub/out", "link/./out"] {
        assert!(matches!(Claim::take(&at(other)), Err(ClaimError::Taken { .. })), "{other}");
    }
}

#[test]
fn a_bare_name_lies_in_the_current_folder() {
    let name = format!("claim-{}", std::process::id());
    let _claim = Claim::take(Path::new(&name)).unwrap();
    let absolute = std::env::current_dir().unwrap().join(&name);
    assert!(matches!(Claim::take(&absolute), Err(ClaimError::Taken { .. })));
}

#[test]
fn what_is_no_file_in_a_folder_is_an_error() {
    for path in ["/", "/no/such/folder/out", "..", ""] {
        assert!(matches!(Claim::take(Path::new(path)), Err(ClaimError::Io { .. })), "{path}");
    }
}
