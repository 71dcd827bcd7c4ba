//! An archive is read as the folder that it was made of.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use softmark::intake::{Candidate, Names, Rejection, Submission, find, read};

use super::assignment;
use crate::support::archive::{ZipEntry, gzipped, zip};

/// A submission's folder: names that any archive may hold.
fn trees() -> impl Strategy<Value = Vec<(String, Option<Vec<u8>>)>> {
    let part = prop::sample::select(vec![
        "src", "src", "one.rs", "deep", "two.rs", "lib.rs", "target", "é", ".git", "__MACOSX",
        "a b",
    ]);
    let path = prop::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"));
    let content = prop_oneof![
        4 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Some),
        1 => Just(None),
    ];
    let good = Just(vec![
        ("src/one.rs".to_owned(), Some(b"// one\n".to_vec())),
        ("src/deep/two.rs".to_owned(), Some(b"// two\n".to_vec())),
    ]);
    let extra = prop::collection::vec((path, content), 0..10);
    (prop::bool::weighted(0.7), good, extra)
        .prop_map(|(is_good, good, extra)| if is_good { [good, extra].concat() } else { extra })
}

/// Writes a tree into a folder; where something is in the way, that stays.
fn plant(dir: &Path, tree: &[(String, Option<Vec<u8>>)]) {
    fs::create_dir_all(dir).unwrap();
    for (path, content) in tree {
        let path = dir.join(path);
        if path.exists() || fs::create_dir_all(path.parent().unwrap()).is_err() {
            continue;
        }
        match content {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::create_dir(&path).unwrap(),
        }
    }
}

/// What is in a folder: paths, and what files hold.
fn walk(dir: &Path, at: &str, found: &mut Vec<(String, Option<Vec<u8>>)>) {
    let mut entries: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = format!("{at}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            found.push((name.clone(), None));
            walk(&path, &format!("{name}/"), found);
        } else {
            found.push((name, Some(fs::read(&path).unwrap())));
        }
    }
}

/// A folder in each kind of archive, by real writers where they can.
fn archives_of(dir: &Path, wrapped: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut entries = Vec::new();
    walk(dir, wrapped, &mut entries);
    let zipped = |file: fn(&str, &[u8]) -> ZipEntry| {
        let entry = |(name, content): &(String, Option<Vec<u8>>)| match content {
            Some(bytes) => file(name, bytes),
            None => ZipEntry::folder(name),
        };
        zip(&entries.iter().map(entry).collect::<Vec<_>>())
    };
    let mut writer = ::tar::Builder::new(Vec::new());
    writer.append_dir_all(if wrapped.is_empty() { "." } else { wrapped }, dir).unwrap();
    let plain = writer.into_inner().unwrap();
    vec![
        ("stored.zip", zipped(ZipEntry::stored)),
        ("packed.zip", zipped(ZipEntry::packed)),
        ("streamed.zip", zipped(ZipEntry::streamed)),
        ("packed.tar.gz", gzipped(&plain)),
        ("plain.tar", plain),
    ]
}

type Read = Result<Submission, Rejection>;

/// What comes of `amara`, who is in a class with somebody else.
fn amara(class: &Path) -> Read {
    let found: Vec<Candidate> = find(&[class.to_owned()], &Names::default()).unwrap();
    let amara = found.iter().find(|one| one.name == "amara").unwrap();
    read(amara, &assignment()).unwrap().into_result()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn an_archive_is_read_as_the_folder_that_it_was_made_of(tree in trees()) {
        let desk = tempfile::tempdir().unwrap();
        let at = |path: &str| desk.path().join(path);
        plant(&at("folder/amara"), &tree);
        plant(&at("folder/bao/src"), &[]);
        let expected = amara(&at("folder"));
        for wrapped in ["", "work/"] {
            for (name, bytes) in archives_of(&at("folder/amara"), wrapped) {
                let class = at(&format!("{name}-{}", wrapped.len()));
                plant(&class.join("bao/src"), &[]);
                let ending = name.split_once('.').unwrap().1;
                fs::write(class.join(format!("amara.{ending}")), &bytes).unwrap();
                let read = amara(&class);
                // With a folder around it, a reason names that folder as well.
                if wrapped.is_empty() || expected.is_ok() {
                    prop_assert_eq!(&read, &expected, "{} {}", name, wrapped);
                } else {
                    prop_assert_eq!(read.is_ok(), expected.is_ok(), "{} {}", name, wrapped);
                }
            }
        }
    }
}
