//! Which submissions a path holds, and what they are called.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use softmark::intake::{Candidate, IntakeError, Names, Opened, assignment_of, read};

use super::{assignment, fill, good, taken, write};

fn find(paths: &[PathBuf]) -> Result<Vec<Candidate>, IntakeError> {
    softmark::intake::find(paths, &Names::default())
}

fn names(paths: &[PathBuf]) -> Vec<String> {
    find(paths).unwrap().into_iter().map(|candidate| candidate.name.as_raw().to_owned()).collect()
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
    let twice = names(&[class.path().to_owned(), other.path().to_owned()]);
    assert_eq!(twice, ["Zoë", "amara", "amara~2", "bea", "chidi"]);
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
        found.iter().map(|c| c.name.as_raw()).collect::<Vec<_>>(),
        ["amara", "bea", "chidi"]
    );
    assert!(read(&found[0], &assignment()).unwrap().into_result().is_ok());
    let reason = read(&found[1], &assignment()).unwrap().into_result().unwrap_err().reason;
    assert!(reason.contains("`one/src/one.rs`"), "{reason}");
    let reason = read(&found[2], &assignment()).unwrap().into_result().unwrap_err().reason;
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
        found.iter().map(|c| c.name.as_raw()).collect::<Vec<_>>(),
        ["amara", "bea", "chidi"]
    );
    for candidate in &found[1..] {
        let rejection = read(candidate, &assignment()).unwrap().into_result().unwrap_err();
        assert!(rejection.reason.contains("is a link"), "{}", rejection.reason);
    }
    // What the instructor names may be one.
    let named = find(&[class.path().join("bea")]).unwrap();
    assert_eq!(named[0].name, "bea");
    assert!(read(&named[0], &assignment()).unwrap().into_result().is_ok());
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
    let all = ["%E2%80%AEx", "am%0Aara", "caf%25E9", "caf%E9"];
    assert_eq!(names(&[class.path().to_owned()]), all);
}

/// A file beside submissions is a student's mistake, unless it is the course's.
#[test]
fn a_file_beside_submissions_is_rejected_by_name() {
    let class = tempfile::tempdir().unwrap();
    fill(&class.path().join("amara"));
    fill(&class.path().join("dilnoza"));
    let handed_in = ["amara.rs", "bao.gz", "chiara.ipynb", "dilnoza.txt", "efua"];
    for name in handed_in {
        write(class.path(), name, "fn main() {}");
    }
    for name in ["gradebook.csv", "README.md", "Thumbs.db", "index.html", ".hidden.rs"] {
        write(class.path(), name, "");
    }
    write(class.path(), "results/gradebook.csv", "");
    let found = find(&[class.path().to_owned()]).unwrap();
    let names: Vec<&str> = found.iter().map(|one| one.name.as_raw()).collect();
    let mut expected = vec!["amara", "dilnoza", "results"];
    expected.extend(handed_in);
    expected.sort_unstable();
    assert_eq!(names, expected);
    for one in found.iter().filter(|one| handed_in.contains(&one.name.as_raw())) {
        let reason = assignment_of(one).unwrap().into_result().unwrap_err().reason;
        assert!(reason.contains("hand in the folder that holds `src/`"), "{reason}");
    }
    // Where a platform chose the names, a file may belong to the submission beside it.
    let class = tempfile::tempdir().unwrap();
    for name in
        ["Amara Okafor_1234567_assignsubmission_file_", "Bao Tran_1234568_assignsubmission_file_"]
    {
        fill(&class.path().join(name));
    }
    write(class.path(), "Amara Okafor_1234567_assignsubmission_file_report.pdf", "");
    assert_eq!(find(&[class.path().to_owned()]).unwrap().len(), 2);
}

/// Everything that an entry can be, under every kind of name: one record each, and nobody is held up.
#[test]
fn every_entry_is_a_candidate_whatever_the_others_are() {
    let class = tempfile::tempdir().unwrap();
    let at = |name: &str| class.path().join(name);
    fill(&at("amara"));
    let archives = [
        "amara.zip",
        "..zip",
        ".zip",
        ".hidden.tar.gz",
        "-x.zip",
        "bao.rar",
        "bao.tar",
        "._alone.zip",
    ];
    for name in archives {
        write(class.path(), name, "no archive at all");
    }
    fill(&at(".shy"));
    fs::create_dir(at("empty")).unwrap();
    nix::unistd::mkfifo(&at("pipe.zip"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    symlink("nowhere", at("broken")).unwrap();
    symlink("amara", at("link")).unwrap();
    symlink("amara.zip", at("link.zip")).unwrap();
    let long = "ä".repeat(120);
    fill(&at(&long));
    // Of these nobody is to hear.
    for name in ["readme.txt", ".DS_Store", "._amara.zip"] {
        write(class.path(), name, "");
    }
    fill(&at(".git"));
    fill(&at("__MACOSX/amara"));
    fs::create_dir(at(".cache")).unwrap();
    let found = find(&[class.path().to_owned()]).unwrap();
    let mut paths: Vec<String> = found
        .iter()
        .map(|one| one.path.strip_prefix(class.path()).unwrap().display().to_string())
        .collect();
    paths.sort();
    let mut expected: Vec<&str> = archives.to_vec();
    let more = ["amara", ".shy", "empty", "pipe.zip", "pipe", "broken", "link", "link.zip", &long];
    expected.extend(more);
    expected.sort_unstable();
    assert_eq!(paths, expected);
    let names: BTreeSet<&str> = found.iter().map(|one| one.name.as_raw()).collect();
    assert_eq!(names.len(), found.len(), "{names:?}");
    // A reason for each, and none of them waits.
    for one in &found {
        let told = assignment_of(one);
        println!("{}: {told:?}", one.name);
    }
    assert!(matches!(assignment_of(&found[0]), Ok(Opened::Rejected(_)) | Err(_)), "{:?}", found[0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    #[test]
    fn any_set_of_entries_gets_a_record_each(
        entries in prop::collection::btree_map(
            "(\\.{0,2}|-|%0A|\\n|x|X|é|e\u{301}|%25| ){1,3}(\\.zip|\\.ZIP|\\.tar\\.gz|~2)?",
            0..3_usize,
            1..8,
        ),
    ) {
        let class = tempfile::tempdir().unwrap();
        fill(&class.path().join("somebody"));
        let mut expected = BTreeSet::from(["somebody".to_owned()]);
        for (name, kind) in &entries {
            if matches!(name.as_str(), "" | "." | "..") {
                continue;
            }
            let path = class.path().join(name);
            let is_archive = [".zip", ".tar.gz"].iter().any(|it| name.to_lowercase().ends_with(it));
            match kind {
                0 if is_archive => fs::write(path, "").unwrap(),
                1 => symlink("nowhere", path).unwrap(),
                _ => fill(&path),
            }
            if *kind != 1 || is_archive || !name.starts_with('.') {
                expected.insert(name.clone());
            }
        }
        let found = find(&[class.path().to_owned()]).unwrap();
        let names: BTreeSet<&str> = found.iter().map(|one| one.name.as_raw()).collect();
        prop_assert_eq!(names.len(), found.len());
        let paths: BTreeSet<String> = found
            .iter()
            .map(|one| one.path.strip_prefix(class.path()).unwrap().display().to_string())
            .collect();
        prop_assert_eq!(paths, expected);
    }
}
