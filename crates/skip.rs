//! For tests that need what not every machine has. Each crate includes it by its path.

/// Says that a test cannot run here. It fails, unless `DWINDLE_ALLOW_SKIP` is set: a test that did not run says nothing.
pub(crate) fn skip(missing: &str) {
    let allowed = std::env::var_os("DWINDLE_ALLOW_SKIP").is_some();
    assert!(allowed, "{missing}; set DWINDLE_ALLOW_SKIP to skip such tests");
    eprintln!("skipped: {missing}");
    // Whoever runs all tests counts.
    if let Some(list) = std::env::var_os("DWINDLE_SKIPPED") {
        let list = std::fs::File::options().append(true).create(true).open(list);
        let written =
            list.and_then(|mut list| std::io::Write::write_all(&mut list, format!("{missing}\n").as_bytes()));
        assert!(written.is_ok(), "cannot write to the list of skipped tests: {written:?}");
    }
}
