//! Which submissions a path holds, and what they are called.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use softmark::intake::{Candidate, IntakeError, Names, read};

use super::{assignment, fill, good, taken, write};

fn find(paths: &[PathBuf]) -> Result<Vec<Candidate>, IntakeError> {
    softmark::intake::find(paths, &Names::default())
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    find(paths).unwrap().into_iter().map(|candidate| candidate.name).collect()
}

#[test]
fn a_path_is_a_submission_or_a_folder_of_them() {
    let class = tempfile::tempdir().unwrap();
    for name in ["chidi", "amara", ".git", "Zoë"] {
        fill(&class.path().join(name));
    }
    write(class.path(), "bea/notes.txt", "no src/ at all");
    write(class.path(), "readme.txt", "");
    let all = ["Zoë", "amara", "bea", "chidi"];
    assert_eq!(names(&[class.path().to_owned()]), all);
    assert_eq!(
        names(&[class.path().join("chidi"), class.path().join("amara")]),
        ["amara", "chidi"]
    );
    assert_eq!(names(&[class.path().join("amara/src/..")]), ["amara"]);
    assert!(taken(&class.path().join("bea")).is_err());
    let once = find(&[class.path().to_owned(), class.path().join("amara")]).unwrap();
    assert_eq!(once.iter().filter(|it| it.name == "amara").count(), 1);
    let other = tempfile::tempdir().unwrap();
    fill(&other.path().join("amara"));
    let twice = find(&[class.path().to_owned(), other.path().to_owned()]).unwrap_err();
    assert!(matches!(&twice, IntakeError::NameTwice { name, .. } if name == "amara"), "{twice}");
}

#[test]
fn a_folder_that_was_packed_with_its_own_name_is_understood() {
    let class = tempfile::tempdir().unwrap();
    fill(&class.path().join("amara/amara"));
    write(class.path(), "amara/.DS_Store", "");
    write(class.path(), "amara/__MACOSX/amara/._src", "");
    fill(&class.path().join("bea/one"));
    fill(&class.path().join("bea/two"));
    fill(&class.path().join("chidi/a/b/c/d/e"));
    let found = find(&[class.path().to_owned()]).unwrap();
    let paths: Vec<&Path> =
        found.iter().map(|c| c.path.strip_prefix(class.path()).unwrap()).collect();
    assert_eq!(paths, ["amara/amara", "bea", "chidi"].map(Path::new));
    assert_eq!(
        found.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["amara", "bea", "chidi"]
    );
    assert!(read(&found[0], &assignment()).unwrap().is_ok());
    let reason = read(&found[1], &assignment()).unwrap().unwrap_err().reason;
    assert!(reason.contains("`one/src/one.rs`"), "{reason}");
    let reason = read(&found[2], &assignment()).unwrap().unwrap_err().reason;
    assert!(reason.contains("`a/b/c/d/e/src/one.rs`"), "{reason}");
}

#[test]
fn links_among_submissions_are_rejected_and_never_followed() {
    let class = tempfile::tempdir().unwrap();
    let elsewhere = good();
    fill(&class.path().join("amara"));
    symlink(elsewhere.path(), class.path().join("bea")).unwrap();
    symlink("nowhere", class.path().join("chidi")).unwrap();
    symlink("amara/src/one.rs", class.path().join("file")).unwrap();
    let found = find(&[class.path().to_owned()]).unwrap();
    assert_eq!(
        found.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(),
        ["amara", "bea", "chidi"]
    );
    for candidate in &found[1..] {
        let rejection = read(candidate, &assignment()).unwrap().unwrap_err();
        assert!(rejection.reason.contains("is a link"), "{}", rejection.reason);
    }
    // What the instructor names may be one.
    let named = find(&[class.path().join("bea")]).unwrap();
    assert_eq!(named[0].name, "bea");
    assert!(read(&named[0], &assignment()).unwrap().is_ok());
}

#[test]
fn what_holds_no_submission_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |path: &str| find(&[dir.path().join(path)]).unwrap_err();
    assert!(matches!(fails(""), IntakeError::Empty(_)));
    write(dir.path(), "bea/notes.txt", "");
    assert!(matches!(fails(""), IntakeError::Empty(_)));
    assert!(matches!(fails("nothing"), IntakeError::Missing(_)));
    assert!(matches!(fails("bea/notes.txt"), IntakeError::File(_)));
    assert!(matches!(find(&[]), Ok(found) if found.is_empty()));
}

#[test]
fn a_name_that_is_not_safe_is_spelt_out() {
    let class = tempfile::tempdir().unwrap();
    for name in [b"am\nara".as_slice(), b"caf\xe9", "\u{202e}x".as_bytes()] {
        fill(&class.path().join(OsStr::from_bytes(name)));
    }
    assert_eq!(names(&[class.path().to_owned()]), ["%E2%80%AEx", "am%0Aara", "caf%E9"]);
    fill(&class.path().join("caf%E9"));
    assert!(matches!(find(&[class.path().to_owned()]).unwrap_err(), IntakeError::NameTwice { .. }));
}
