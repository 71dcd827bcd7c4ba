//! A checkpoint beside `src/` is taken within its limit, and never the reason for a rejection.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;

use softmark::assignment::{Assignment, UploadEntry};
use softmark::intake::{Candidate, Submission, Uploaded, read};

use super::{assignment, good, write};
use crate::support::archive::{ZipEntry, gzipped, tar, tar_entry, zip};

const FILE: &str = "best.safetensors";
const ALLOWED: u64 = 4 << 20;

fn with_upload() -> Assignment {
    let entry = UploadEntry { file: FILE.to_owned(), bytes: ALLOWED };
    Assignment { uploads: vec![entry], ..assignment() }
}

fn of(candidate: &Candidate) -> Submission {
    let submission = read(candidate, &with_upload()).unwrap().into_result().unwrap();
    assert_eq!(submission.notes, Vec::<String>::new(), "it is used, whatever it is");
    submission
}

fn taken(change: impl FnOnce(&Path)) -> Submission {
    let dir = good();
    change(dir.path());
    of(&Candidate::folder("amara", dir.path()))
}

/// Bytes that hardly shrink, as weights do.
fn weights(count: usize) -> Vec<u8> {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

#[test]
fn a_file_within_the_limit_is_taken_and_one_byte_more_is_not_read() {
    let most = usize::try_from(ALLOWED).unwrap();
    let whole = weights(most);
    let submission = taken(|dir| write(dir, FILE, &whole));
    assert!(submission.uploads[FILE] == Uploaded::Bytes(whole));
    let too_large = Uploaded::TooLarge { allowed: ALLOWED };
    let submission = taken(|dir| write(dir, FILE, weights(most + 1)));
    assert_eq!(submission.uploads[FILE], too_large);
    // A terabyte, of which nothing is there.
    let huge = |dir: &Path| File::create(dir.join(FILE)).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(taken(huge).uploads[FILE], too_large);
}

#[test]
fn what_is_no_file_or_missing_rejects_nothing() {
    assert!(taken(|_| ()).uploads.is_empty());
    let folder = taken(|dir| fs::create_dir(dir.join(FILE)).unwrap());
    assert_eq!(folder.uploads[FILE], Uploaded::Other("a folder"));
    let link = taken(|dir| symlink("/etc/passwd", dir.join(FILE)).unwrap());
    assert_eq!(link.uploads[FILE], Uploaded::Other("a link"));
    // Below `src/` it is a file like any other that nobody asked for.
    let dir = good();
    write(dir.path(), &format!("src/{FILE}"), "");
    let submission = read(&Candidate::folder("amara", dir.path()), &with_upload());
    let submission = submission.unwrap().into_result().unwrap();
    assert!(submission.uploads.is_empty());
    assert_eq!(submission.notes, [format!("not used: `src/{FILE}`")]);
}

#[test]
fn nothing_is_taken_that_was_not_asked_for() {
    let dir = good();
    write(dir.path(), FILE, "");
    let submission = read(&Candidate::folder("amara", dir.path()), &assignment());
    let submission = submission.unwrap().into_result().unwrap();
    assert!(submission.uploads.is_empty());
    assert_eq!(submission.notes, [format!("not used: `{FILE}`")]);
}

/// The same files are the same submission, and another checkpoint makes another one.
#[test]
fn a_checkpoint_is_part_of_what_is_graded() {
    let submissions = [
        taken(|_| ()),
        taken(|dir| write(dir, FILE, "one")),
        taken(|dir| write(dir, FILE, "two")),
        taken(|dir| write(dir, FILE, "")),
        taken(|dir| write(dir, FILE, "too large")),
        taken(|dir| File::create(dir.join(FILE)).unwrap().set_len(ALLOWED + 1).unwrap()),
        taken(|dir| fs::create_dir(dir.join(FILE)).unwrap()),
    ];
    let hashes: BTreeSet<&str> = submissions.iter().map(|it| it.sha256.as_str()).collect();
    assert_eq!(hashes.len(), submissions.len());
    assert_eq!(taken(|dir| write(dir, FILE, "one")).sha256, submissions[1].sha256);
    // Where nothing was handed in, the hash is the one that it was without.
    let dir = good();
    let plain = read(&Candidate::folder("amara", dir.path()), &assignment());
    let plain = plain.unwrap().into_result().unwrap();
    assert_eq!(plain.sha256, submissions[0].sha256);
}

#[test]
fn an_archive_may_hold_a_checkpoint_too() {
    let sources = ["src/one.rs", "src/two.rs", "src/deep/three.rs"];
    let most = usize::try_from(ALLOWED).unwrap();
    for (count, is_taken) in [(most, true), (most + 1, false)] {
        let bytes = weights(count);
        let file = |name: &str| if name == FILE { bytes.clone() } else { b"// one\n".to_vec() };
        let names = || sources.into_iter().chain([FILE]);
        let zipped = |entry: fn(&str, &[u8]) -> ZipEntry| {
            zip(&names().map(|name| entry(name, &file(name))).collect::<Vec<_>>())
        };
        let entries: Vec<_> =
            names().map(|name| tar_entry(name.as_bytes(), b'0', &file(name))).collect();
        let plain = tar(&entries);
        let archives = [
            ("zip", zipped(ZipEntry::packed)),
            ("stored.zip", zipped(ZipEntry::stored)),
            ("tar.gz", gzipped(&plain)),
            ("tar", plain),
        ];
        for (ending, archive) in archives {
            let desk = tempfile::tempdir().unwrap();
            let path = desk.path().join(format!("amara.{ending}"));
            fs::write(&path, archive).unwrap();
            let submission = of(&Candidate::archive("amara", &path));
            let expected = if is_taken {
                Uploaded::Bytes(bytes.clone())
            } else {
                Uploaded::TooLarge { allowed: ALLOWED }
            };
            assert!(submission.uploads[FILE] == expected, "{ending}");
        }
    }
}
