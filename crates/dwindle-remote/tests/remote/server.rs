//! Runs on a server with good and bad manners.

use std::thread;
use std::time::{Duration, Instant};

use dwindle_remote::{Identity, Reapi, Settings, Token};
use dwindle_run::{Cancel, Done, Engine, Errand, FixedFile, Laid, RunEnd, RunError, What};
use rcgen::{CertificateParams, Issuer, KeyPair};
use tonic::Code;
use tonic::transport::{Certificate, ServerTlsConfig};

use super::fake::{Fake, Manners};

/// Tries that cost the tests no time.
fn settings(fake: &Fake) -> Settings {
    let address = fake.address().parse().unwrap();
    Settings { retries: 3, delay: Duration::from_millis(5), ..Settings::new(address) }
}

fn run_with(settings: Settings, candidate: &[u8], line: &str, before: u64) -> Result<Done, RunError> {
    run_on(&Reapi::new(settings).unwrap(), candidate, line, before, &Cancel::new().unwrap())
}

/// Runs a line beside a candidate and a header.
fn run_on(
    engine: &Reapi,
    candidate: &[u8],
    line: &str,
    before: u64,
    cancel: &Cancel,
) -> Result<Done, RunError> {
    let fixed = [FixedFile { name: "run/b.h".into(), mode: 0o600, bytes: b"fixed"[..].into() }];
    let files = vec![
        Laid { path: "run/a.c".into(), what: What::File(0o600, candidate) },
        Laid { path: "run/sub".into(), what: What::Folder(0o700) },
        Laid { path: "run/link".into(), what: What::Link("a.c".into()) },
    ];
    let limit = Duration::from_secs(1);
    let errand = Errand { files, fixed: &fixed, folder: "run", line: line.to_owned(), limit, before };
    engine.run(&errand, cancel)
}

fn done(fake: &Fake, line: &str) -> Done {
    run_with(settings(fake), b"candidate", line, 0).unwrap()
}

fn error(fake: &Fake, line: &str) -> String {
    run_with(settings(fake), b"candidate", line, 0).unwrap_err().to_string()
}

#[test]
fn a_run_finds_its_files_and_says_how_it_ended_and_what_it_printed() {
    for by_digest in [false, true] {
        let fake = Fake::start(Manners { by_digest, ..Manners::default() });
        let ran = done(&fake, "cat a.c b.h link; ls -d sub >&2; exit 3");
        assert_eq!(ran.end, RunEnd::Exited(3));
        assert_eq!(String::from_utf8(ran.stdout).unwrap(), "candidatefixedcandidate");
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), "sub\n");
    }
}

#[test]
fn the_second_run_is_answered_by_the_cache_unless_it_is_to_be_another_one() {
    let fake = Fake::start(Manners::default());
    assert_eq!(done(&fake, "cat a.c"), done(&fake, "cat a.c"), "and as long as it took then");
    assert_eq!((fake.seen().executed, fake.seen().cached), (1, 1));
    run_with(settings(&fake), b"candidate", "cat a.c", 1).unwrap();
    assert_eq!(fake.seen().executed, 2, "a run that is to show whether the test wavers");
    run_with(settings(&fake), b"candidate", "cat a.c", 1).unwrap();
    assert_eq!(fake.seen().executed, 2, "the cache knows it the next time");
}

#[test]
fn only_what_the_server_lacks_is_sent() {
    let fake = Fake::start(Manners::default());
    let engine = Reapi::new(settings(&fake)).unwrap();
    let cancel = Cancel::new().unwrap();
    run_on(&engine, b"one", "cat a.c", 0, &cancel).unwrap();
    let first = fake.seen().uploaded.len();
    run_on(&engine, b"two", "cat a.c", 0, &cancel).unwrap();
    // The candidate, the folder that it is in, the root and the action.
    assert_eq!(fake.seen().uploaded.len() - first, 4);
    run_on(&Reapi::new(settings(&fake)).unwrap(), b"two", "cat a.c; true", 0, &cancel).unwrap();
    // The command and the action.
    assert_eq!(fake.seen().uploaded.len() - first, 6);
}

#[test]
fn what_is_too_large_for_a_request_is_sent_in_a_stream_and_compressed_where_the_server_can() {
    let candidate: Vec<u8> = (0..40_000_u32).flat_map(|number| number.to_string().into_bytes()).collect();
    for (compresses, compressed) in [(false, false), (true, true)] {
        let fake = Fake::start(Manners { compresses, batch: 20_000, ..Manners::default() });
        let ran = run_with(settings(&fake), &candidate, "cat a.c", 0).unwrap();
        assert!(ran.stdout == candidate);
        assert_eq!(fake.seen().streams, 1);
        assert_eq!(fake.seen().compressed > 0, compressed);
    }
    let fake = Fake::start(Manners { compresses: true, ..Manners::default() });
    assert!(run_with(settings(&fake), &candidate, "cat a.c", 0).unwrap().stdout == candidate);
    assert_eq!((fake.seen().streams, fake.seen().compressed), (0, 1), "in one request with the rest");
}

#[test]
fn a_server_that_fails_a_few_times_is_asked_again_and_one_that_always_fails_is_told() {
    for code in [Code::Unavailable, Code::Internal, Code::ResourceExhausted] {
        let fake = Fake::start(Manners { refuses: 3, refuses_with: Some(code), ..Manners::default() });
        assert_eq!(done(&fake, "exit 1").end, RunEnd::Exited(1));
        assert_eq!(fake.seen().asked, 4);
    }
    let fake = Fake::start(Manners { refuses: u32::MAX, ..Manners::default() });
    let said = error(&fake, "exit 1");
    assert!(said.contains("not now (UNAVAILABLE)") && said.contains("tried 4 times"), "{said}");
    assert!(said.starts_with(&fake.address()), "{said}");
    let fake =
        Fake::start(Manners { refuses: 1, refuses_with: Some(Code::InvalidArgument), ..Manners::default() });
    let said = error(&fake, "exit 1");
    assert!(said.contains("has refused to run the test: not now (INVALID_ARGUMENT)"), "{said}");
    assert_eq!(fake.seen().asked, 1, "it would refuse again");
}

#[test]
fn a_server_that_is_not_there_is_told() {
    let fake = Fake::start(Manners::default());
    let settings = settings(&fake);
    drop(fake);
    let said = run_with(settings, b"candidate", "true", 0).unwrap_err().to_string();
    assert!(said.contains("refused") && said.contains("tried 4 times"), "{said}");
}

#[test]
fn a_broken_stream_is_taken_up_again() {
    let fake = Fake::start(Manners { drops: 1, ..Manners::default() });
    assert_eq!(done(&fake, "sleep 0.1; echo done").stdout, b"done\n");
    assert_eq!((fake.seen().asked, fake.seen().waited, fake.seen().executed), (1, 1, 1));
}

#[test]
fn a_server_that_has_lost_what_it_was_sent_gets_it_again() {
    let fake = Fake::start(Manners { loses: 2, ..Manners::default() });
    assert_eq!(done(&fake, "cat a.c").stdout, b"candidate");
    assert_eq!(fake.seen().asked, 3);
    let fake = Fake::start(Manners { loses: u32::MAX, ..Manners::default() });
    let said = error(&fake, "cat a.c");
    assert!(said.contains("there is no ") && said.contains("tried 4 times"), "{said}");
}

#[test]
fn a_server_that_lies_is_found_out() {
    for by_digest in [false, true] {
        let fake = Fake::start(Manners { lies: true, by_digest, ..Manners::default() });
        let said = error(&fake, "echo yes");
        assert!(said.contains("cannot be believed: an output of the test is said to be "), "{said}");
    }
    let fake = Fake::start(Manners { confuses: true, ..Manners::default() });
    let said = error(&fake, "echo yes");
    assert!(said.contains("it was to run the action "), "{said}");
}

#[test]
fn a_run_over_its_time_is_late_and_not_known_to_the_cache() {
    let fake = Fake::start(Manners::default());
    let began = Instant::now();
    let ran = done(&fake, "echo so far; sleep 60");
    assert_eq!((ran.end, &*ran.stdout), (RunEnd::TimedOut, &b"so far\n"[..]));
    assert!(began.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_run_that_nobody_needs_is_cancelled_by_name() {
    let fake = Fake::start(Manners::default());
    let engine = Reapi::new(settings(&fake)).unwrap();
    let cancel = Cancel::new().unwrap();
    let other = cancel.clone();
    let ran = thread::scope(|scope| {
        let running = scope.spawn(|| run_on(&engine, b"one", "sleep 60", 0, &cancel).unwrap());
        while fake.seen().asked == 0 {
            thread::yield_now();
        }
        other.cancel();
        running.join().unwrap()
    });
    assert_eq!(ran.end, RunEnd::Stopped);
    engine.settle();
    assert_eq!(fake.seen().cancelled, ["operations/0"]);
    let ran = run_on(&engine, b"one", "true", 0, &cancel).unwrap();
    assert_eq!((ran.end, fake.seen().asked), (RunEnd::Stopped, 1), "it was cancelled before it began");
}

#[test]
fn a_server_that_only_stores_is_refused_and_so_is_an_instance_that_it_does_not_know() {
    let fake = Fake::start(Manners { only_stores: true, ..Manners::default() });
    let said = error(&fake, "true");
    assert!(said.contains("cannot run tests: it stores results and runs nothing"), "{said}");
    let fake = Fake::start(Manners { instance: "main".to_owned(), ..Manners::default() });
    let said = error(&fake, "true");
    assert!(said.contains("there is no instance"), "{said}");
    let named = Settings { instance: "main".to_owned(), ..settings(&fake) };
    assert_eq!(run_with(named, b"1", "true", 0).unwrap().end, RunEnd::Exited(0));
}

#[test]
fn properties_and_variables_arrive() {
    let fake = Fake::start(Manners::default());
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let given = Settings {
        properties: vec![pair("pool", "big"), pair("OSFamily", "linux")],
        environment: vec![pair("MARK", "a b")],
        ..settings(&fake)
    };
    let ran = run_with(given, b"1", "echo \"$MARK\"", 0).unwrap();
    assert_eq!(ran.stdout, b"a b\n");
    assert_eq!(fake.seen().properties, ["OSFamily=linux", "pool=big"]);
}

#[test]
fn a_token_is_sent_and_read_again_and_never_shown() {
    let fake = Fake::start(Manners { token: Some("sesame".to_owned()), ..Manners::default() });
    let said = error(&fake, "true");
    assert!(said.contains("does not let us in: who are you? (UNAUTHENTICATED)"), "{said}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, "wrong-token\n").unwrap();
    let with = |token| Settings { token: Some(token), ..settings(&fake) };
    let engine = Reapi::new(with(Token::File(path.clone()))).unwrap();
    let run = || run_on(&engine, b"1", "true", 0, &Cancel::new().unwrap());
    let said = run().unwrap_err().to_string();
    assert!(said.contains("--remote-token-file") && !said.contains("wrong-token"), "{said}");
    std::fs::write(&path, "sesame\n").unwrap();
    assert_eq!(run().unwrap().end, RunEnd::Exited(0), "the file is read each time");
    let known = with(Token::Known("sesame".to_owned()));
    assert!(!format!("{known:?} {engine:?}").contains("sesame"));
    assert_eq!(run_with(known, b"1", "true", 0).unwrap().end, RunEnd::Exited(0));
}

/// A certificate for `name` by an authority, which is made with it: that one, the certificate and the key.
fn certificate(name: &str) -> (Vec<u8>, Identity) {
    let authority_key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let authority = params.self_signed(&authority_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let params_of_server = CertificateParams::new(vec![name.to_owned()]).unwrap();
    let signed = params_of_server.signed_by(&key, &Issuer::new(params, authority_key)).unwrap();
    let identity = Identity { certificate: signed.pem().into_bytes(), key: key.serialize_pem().into_bytes() };
    (authority.pem().into_bytes(), identity)
}

#[test]
fn a_server_with_a_certificate_that_does_not_fit_is_not_trusted() {
    let (ca, ours) = certificate("127.0.0.1");
    let (other_ca, other) = certificate("build.example.com");
    let serve = |identity: &Identity, clients: Option<&Vec<u8>>| {
        let identity = tonic::transport::Identity::from_pem(&identity.certificate, &identity.key);
        let tls = ServerTlsConfig::new().identity(identity);
        let tls = match clients {
            Some(clients) => tls.client_ca_root(Certificate::from_pem(clients)),
            None => tls,
        };
        Fake::with(Manners::default(), Some(tls))
    };
    let with = |fake: &Fake, ca: Option<&Vec<u8>>, identity: Option<&Identity>| {
        let address = format!("reapis://{}", fake.at).parse().unwrap();
        let settings = Settings { address, ca: ca.cloned(), identity: identity.cloned(), ..settings(fake) };
        run_with(settings, b"1", "true", 0).map_err(|error| error.to_string())
    };
    let fake = serve(&ours, None);
    assert_eq!(with(&fake, Some(&ca), None).unwrap().end, RunEnd::Exited(0));
    // Signed by somebody else than is trusted, by nobody who is trusted, for another name.
    for (fake, ca) in [(&fake, Some(&other_ca)), (&fake, None), (&serve(&other, None), Some(&other_ca))] {
        let began = Instant::now();
        let said = with(fake, ca, None).unwrap_err();
        assert!(said.contains("cannot be trusted") && said.contains("certificate"), "{said}");
        assert!(began.elapsed() < Duration::from_secs(5), "it is not tried again");
    }
    let fake = serve(&ours, Some(&other_ca));
    assert_eq!(with(&fake, Some(&ca), Some(&other)).unwrap().end, RunEnd::Exited(0));
    let said = with(&fake, Some(&ca), None).unwrap_err();
    assert!(said.contains("--remote-cert"), "{said}");
    let plain = Settings { address: fake.address().parse().unwrap(), ..settings(&fake) };
    let said = run_with(plain, b"1", "true", 0).unwrap_err().to_string();
    assert!(said.contains("if it speaks TLS, its address is reapis://"), "{said}");
}
