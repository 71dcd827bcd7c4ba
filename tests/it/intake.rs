//! Whatever was handed in, what comes of it is a submission or a reason.

mod finding;
mod uploads;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use nix::sys::stat::Mode;
use proptest::prelude::*;
use softmark::assignment::{Assignment, Deadline};
use softmark::intake::{Candidate, IntakeError, Rejection, Submission, assignment_of, read};
use softmark::model::Points;
use softmark_checks::hand_in::MAX_FILE_BYTES;
use softmark_sandbox::Limits;
use softmark_untrusted::Untrusted;
use tempfile::TempDir;

fn assignment() -> Assignment {
    Assignment {
        id: "demo".to_owned(),
        title: "Demo".to_owned(),
        points: Points::ZERO,
        tasks: Vec::new(),
        collect: vec!["one.rs".to_owned(), "two.rs".to_owned(), "deep/three.rs".to_owned()],
        provided: BTreeMap::from([("lib.rs".to_owned(), b"// ours\n".to_vec())]),
        skeleton: BTreeMap::new(),
        answers: Vec::new(),
        written: Vec::new(),
        uploads: Vec::new(),
        data: Vec::new(),
        worker: Limits::generous(),
        training: None,
        deadline: Deadline::generous(),
        sha256: String::new(),
    }
}

fn write(dir: &Path, file: &str, content: impl AsRef<[u8]>) {
    let path = dir.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// A submission as it should be, in `dir`.
fn fill(dir: &Path) {
    for name in ["one.rs", "two.rs", "deep/three.rs"] {
        write(dir, &format!("src/{name}"), format!("// {name}\n"));
    }
    write(dir, "src/lib.rs", "// ours\n");
}

fn good() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    fill(dir.path());
    dir
}

fn taken(dir: &Path) -> Result<Submission, Rejection> {
    let candidate = Candidate::folder("amara", dir);
    let first = read(&candidate, &assignment()).unwrap();
    assert_eq!(read(&candidate, &assignment()).unwrap(), first, "the same every time");
    first.into_result()
}

/// The reason for which `change` makes a good submission be rejected.
fn rejected(change: impl FnOnce(&Path)) -> String {
    let dir = good();
    change(dir.path());
    let rejection = taken(dir.path()).unwrap_err();
    assert_eq!(rejection.sha256.len(), 64);
    assert!(!rejection.reason.contains(dir.path().to_str().unwrap()), "{}", rejection.reason);
    assert!(!rejection.reason.as_raw().contains(char::is_control), "{:?}", rejection.reason);
    rejection.reason.as_raw().to_owned()
}

fn notes(change: impl FnOnce(&Path)) -> Vec<Untrusted> {
    let dir = good();
    change(dir.path());
    taken(dir.path()).unwrap().notes
}

fn remove(dir: &Path, file: &str) {
    fs::remove_file(dir.join(file)).unwrap();
}

#[test]
fn only_what_is_asked_for_is_taken() {
    let dir = good();
    write(dir.path(), "Cargo.toml", "[package]\nbuild = \"build.rs\"\n");
    write(dir.path(), "build.rs", "fn main() {}\n");
    write(dir.path(), ".cargo/config.toml", "");
    write(dir.path(), "tests/hidden.rs", "");
    write(dir.path(), "src/extra.rs", "");
    write(dir.path(), "src/deep/more.rs", "");
    write(dir.path(), "src/wide/a/b.rs", "");
    write(dir.path(), "src/.DS_Store", "");
    let submission = taken(dir.path()).unwrap();
    let files: Vec<&str> = submission.files.keys().map(String::as_str).collect();
    assert_eq!(files, ["deep/three.rs", "lib.rs", "one.rs", "two.rs"]);
    assert_eq!(submission.files["one.rs"], b"// one.rs\n");
    assert_eq!(
        submission.notes,
        ["not used: `.cargo/`, `Cargo.toml`, `build.rs`, `src/deep/more.rs`, `src/extra.rs`, \
          `src/wide/` and `tests/`"]
    );
}

#[test]
fn a_good_submission_has_no_notes() {
    assert_eq!(notes(|_| ()), Vec::<String>::new());
    assert_eq!(notes(|dir| remove(dir, "src/lib.rs")), Vec::<String>::new());
}

#[test]
fn what_is_provided_is_put_back() {
    let put_back = ["`src/lib.rs` is provided and was put back"];
    let changes: [fn(&Path); 4] = [
        |dir| write(dir, "src/lib.rs", "// mine\n"),
        |dir| write(dir, "src/lib.rs", b"\xff"),
        |dir| {
            remove(dir, "src/lib.rs");
            symlink("one.rs", dir.join("src/lib.rs")).unwrap();
        },
        |dir| fs::File::create(dir.join("src/lib.rs")).unwrap().set_len(1 << 40).unwrap(),
    ];
    for change in changes {
        assert_eq!(notes(change), put_back);
        let dir = good();
        change(dir.path());
        assert_eq!(taken(dir.path()).unwrap().files["lib.rs"], b"// ours\n");
    }
}

#[test]
fn many_names_are_cut_and_made_safe() {
    let notes = notes(|dir| {
        for i in 0..100 {
            write(dir, &format!("src/extra{i:02}.rs"), "");
        }
        write(dir, "a\x1b[31m\n`x`", "");
    });
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(note.as_raw().starts_with("not used: `a%1B[31m%0A`x``, `src/extra00.rs`, "), "{note}");
    assert!(note.as_raw().ends_with("`src/extra18.rs` and 81 more"), "{note}");
}

#[test]
fn a_folder_that_is_too_full_is_not_listed() {
    let notes = notes(|dir| {
        for i in 0..1100 {
            write(dir, &format!("src/extra{i}.rs"), "");
        }
    });
    assert_eq!(notes, ["not used: much more in `src/`"]);
}

#[test]
fn what_is_missing_is_told_with_where_it_is() {
    assert_eq!(rejected(|dir| remove(dir, "src/one.rs")), "`src/one.rs` is missing");
    assert_eq!(
        rejected(|dir| {
            remove(dir, "src/one.rs");
            remove(dir, "src/deep/three.rs");
            write(dir, "backup/src/one.rs", "");
            write(dir, "src/THREE.rs", "");
        }),
        "`src/one.rs` is missing (there is `backup/src/one.rs`: it has to be at `src/one.rs`); \
         `src/deep/three.rs` is missing (there is `src/THREE.rs`: it has to be at \
         `src/deep/three.rs`)"
    );
    assert_eq!(
        rejected(|dir| fs::rename(dir.join("src"), dir.join("code")).unwrap()),
        "there is no folder `src/`; it holds `code/`; `code/one.rs` is there: put the files into a \
         folder `src/` at the top"
    );
    assert_eq!(
        rejected(|dir| fs::remove_dir_all(dir.join("src")).unwrap()),
        "there is no folder `src/`; the submission is empty"
    );
}

#[test]
fn what_is_no_regular_file_is_never_opened() {
    let file = |make: fn(&Path)| {
        rejected(|dir| {
            remove(dir, "src/one.rs");
            make(&dir.join("src/one.rs"));
        })
    };
    let link = "`src/one.rs` is a link, not a file: links are not followed";
    assert_eq!(file(|path| symlink("two.rs", path).unwrap()), link);
    assert_eq!(file(|path| symlink("/etc/passwd", path).unwrap()), link);
    assert_eq!(file(|path| symlink("/dev/zero", path).unwrap()), link);
    assert_eq!(file(|path| symlink("one.rs", path).unwrap()), link);
    let special = "`src/one.rs` is a device, a pipe or a socket, not a file";
    assert_eq!(file(|path| nix::unistd::mkfifo(path, Mode::S_IRWXU).unwrap()), special);
    assert_eq!(file(|path| fs::create_dir(path).unwrap()), "`src/one.rs` is a folder, not a file");
}

#[test]
fn no_folder_is_reached_by_a_link() {
    let elsewhere = good();
    let src = elsewhere.path().join("src");
    assert_eq!(
        rejected(|dir| {
            fs::remove_dir_all(dir.join("src")).unwrap();
            symlink(&src, dir.join("src")).unwrap();
        }),
        "`src` is a link, not a folder: links are not followed"
    );
    assert_eq!(
        rejected(|dir| {
            fs::remove_dir_all(dir.join("src/deep")).unwrap();
            symlink(src.join("deep"), dir.join("src/deep")).unwrap();
        }),
        "`src/deep/three.rs` is a link, not a file: links are not followed"
    );
    assert_eq!(
        rejected(|dir| {
            fs::remove_dir_all(dir.join("src")).unwrap();
            write(dir, "src", "");
        }),
        "`src` is a file, not a folder"
    );
    let whole = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), whole.path().join("link")).unwrap();
    let reason = taken(&whole.path().join("link")).unwrap_err().reason;
    assert_eq!(reason, "the submission is a link, not a folder: links are not followed");
}

#[test]
fn what_is_too_large_is_not_read() {
    let sized = |sizes: [u64; 3]| {
        let dir = good();
        for (name, size) in ["one.rs", "two.rs", "deep/three.rs"].iter().zip(sizes) {
            let file = fs::File::create(dir.path().join("src").join(name)).unwrap();
            file.set_len(size).unwrap();
        }
        taken(dir.path()).map(|_| ()).map_err(|rejection| rejection.reason)
    };
    assert_eq!(sized([MAX_FILE_BYTES; 3]), Ok(()));
    assert_eq!(
        sized([1, MAX_FILE_BYTES + 1, 1]).unwrap_err(),
        "`src/two.rs` has more than the 262144 bytes allowed"
    );
    assert_eq!(
        sized([1 << 40, 1 << 40, 0]).unwrap_err(),
        "the files have 2199023255552 bytes together, at most 1048576 are taken"
    );
}

/// The compiler refuses such a file, which costs that file alone.
#[test]
fn a_file_that_is_not_text_is_taken_as_it_is() {
    let dir = good();
    write(dir.path(), "src/two.rs", b"fn caf\xe9() {}");
    let submission = taken(dir.path()).unwrap();
    assert_eq!(submission.files["two.rs"], b"fn caf\xe9() {}");
}

#[test]
fn what_may_not_be_read_is_not_the_students_fault() {
    let dir = good();
    let path = dir.path().join("src/one.rs");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        // Whoever may read everything cannot see this.
        return;
    }
    let candidate = Candidate::folder("amara", dir.path());
    let error = read(&candidate, &assignment()).unwrap_err();
    assert!(matches!(error, IntakeError::Read { .. }), "{error}");
}

#[test]
fn the_hash_is_of_what_was_handed_in() {
    let hash = |change: fn(&Path)| {
        let dir = good();
        change(dir.path());
        taken(dir.path()).unwrap().sha256
    };
    let same = hash(|_| ());
    assert_eq!(hash(|dir| write(dir, "src/lib.rs", "// mine\n")), same);
    assert_eq!(hash(|dir| write(dir, "Cargo.toml", "")), same);
    assert_ne!(hash(|dir| write(dir, "src/one.rs", "// 1.rs\n")), same);
    let swapped = hash(|dir| {
        write(dir, "src/one.rs", "// two.rs\n");
        write(dir, "src/two.rs", "// one.rs\n");
    });
    assert_ne!(swapped, same);
}

#[test]
fn the_manifest_names_the_assignment_and_nothing_else_is_read_of_it() {
    let dir = good();
    let candidate = Candidate::folder("amara", dir.path());
    let named = || assignment_of(&candidate).unwrap().into_result().unwrap();
    assert_eq!(named(), None);
    let text = "[package]\nname = \"x\"\n[package.metadata.softmark]\nassignment = \"demo\"\n";
    write(dir.path(), "Cargo.toml", text);
    assert_eq!(named(), Some("demo".to_owned()));
    let told = |manifest: String| {
        write(dir.path(), "Cargo.toml", manifest);
        assignment_of(&candidate).unwrap().into_result().unwrap_err().reason
    };
    let long = told(format!("{text}#{}\n", "x".repeat(70_000)));
    assert!(long.contains("larger than 64 KiB"), "{long}");
    let deep = told(format!("{text}a = {}", "[".repeat(10_000)));
    assert!(deep.contains("cannot be read as TOML, line 5"), "{deep}");
    remove(dir.path(), "Cargo.toml");
    write(dir.path(), "other.toml", text);
    symlink("other.toml", dir.path().join("Cargo.toml")).unwrap();
    assert_eq!(named(), None);
    remove(dir.path(), "Cargo.toml");
    nix::unistd::mkfifo(&dir.path().join("Cargo.toml"), Mode::S_IRWXU).unwrap();
    assert_eq!(named(), None);
}

/// Something at a path of a submission.
#[derive(Debug, Clone)]
enum Thing {
    File(Vec<u8>),
    Folder,
    Link(String),
    Pipe,
}

fn things() -> impl Strategy<Value = Vec<(String, Thing)>> {
    let part = prop_oneof![
        Just("src".to_owned()),
        Just("one.rs".to_owned()),
        Just("two.rs".to_owned()),
        Just("deep".to_owned()),
        Just("three.rs".to_owned()),
        "[^/\\x00]{1,5}",
    ];
    let path = prop::collection::vec(part, 1..4)
        .prop_map(|parts| parts.join("/"))
        .prop_filter("stays in the folder", |path| path.split('/').all(|p| p != "." && p != ".."));
    let thing = prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..20).prop_map(Thing::File),
        1 => Just(Thing::Folder),
        1 => prop_oneof![Just("src"), Just("deep"), Just("one.rs"), Just("nowhere")]
            .prop_map(|to| Thing::Link(to.to_owned())),
        1 => Just(Thing::Pipe),
    ];
    prop::collection::vec((path, thing), 0..12)
}

proptest! {
    #[test]
    fn whatever_is_handed_in_gives_a_submission_of_the_files_asked_for_or_a_reason(
        things in things(),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for (path, thing) in &things {
            let path = dir.path().join(path);
            let parent = path.parent().unwrap();
            // Where another thing is in the way already, that one stays.
            if fs::create_dir_all(parent).is_err() || path.symlink_metadata().is_ok() {
                continue;
            }
            assert!(parent.canonicalize().unwrap().starts_with(&root));
            match thing {
                Thing::File(bytes) => drop(fs::write(&path, bytes)),
                Thing::Folder => drop(fs::create_dir(&path)),
                Thing::Link(to) => drop(symlink(to, &path)),
                Thing::Pipe => drop(nix::unistd::mkfifo(&path, Mode::S_IRWXU)),
            }
        }
        match taken(dir.path()) {
            Ok(submission) => {
                let files: Vec<&str> = submission.files.keys().map(String::as_str).collect();
                prop_assert_eq!(files, ["deep/three.rs", "lib.rs", "one.rs", "two.rs"]);
                for note in &submission.notes {
                    prop_assert!(!note.as_raw().contains(char::is_control), "{:?}", note);
                }
            }
            Err(rejection) => {
                prop_assert!(!rejection.reason.is_empty());
                prop_assert!(!rejection.reason.as_raw().contains(char::is_control), "{rejection:?}");
            }
        }
    }
}
