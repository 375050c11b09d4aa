//! For tests that need what not every machine has. Each crate includes it by its path.

/// Says that a test cannot run here. It fails, unless `DWINDLE_ALLOW_SKIP` is set: a test that did not run says nothing.
pub(crate) fn skip(missing: &str) {
    let allowed = std::env::var_os("DWINDLE_ALLOW_SKIP").is_some();
    assert!(allowed, "{missing}; set DWINDLE_ALLOW_SKIP to skip such tests");
    eprintln!("skipped: {missing}");
}
