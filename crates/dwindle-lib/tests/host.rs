//! What programs must do that use the library.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use dwindle::{Config, Error, Interrupt, reduce_file};

#[test]
fn a_program_that_never_asks_whether_it_is_a_helper_is_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.txt"), "a\nb\n").unwrap();
    fs::write(path("test.sh"), "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(path("test.sh"), Permissions::from_mode(0o755)).unwrap();
    let config = Config::new(path("in.txt"), path("test.sh"));
    let (_interrupter, interrupt) = Interrupt::new().unwrap();
    let error = reduce_file(&config, &interrupt, &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Host(_)), "{error}");
    assert!(error.to_string().contains("`dwindle::serve_if_asked`"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing was written");
}
