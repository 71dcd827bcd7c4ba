//! Submissions that are made to break the comparison.

use std::collections::BTreeMap;

use proptest::prelude::*;

use crate::report::{DocumentFormat, Layout};
use crate::similar::tests::sample::{ANYTHING, files, material, names, only, read_at, with};
use crate::similar::{Class, Findings, Threshold, compare, write};

/// A mebibyte, the most that is read of a submission.
const MOST: usize = 1 << 20;

fn class(texts: &[&str]) -> Class {
    let members = texts.iter().enumerate().map(|(at, text)| {
        material(&at.to_string(), &BTreeMap::from([("a.rs".to_owned(), (*text).to_owned())]))
    });
    Class {
        assignment: "a".to_owned(),
        skeleton: BTreeMap::new(),
        this_year: members.collect(),
        earlier: BTreeMap::new(),
    }
}

/// The bytes of all reports of a comparison.
fn written(class: Class) -> usize {
    let comparisons = [compare(class, ANYTHING)];
    let findings = Findings { comparisons: &comparisons, left_out: &[] };
    let mut all = Vec::new();
    for format in DocumentFormat::ALL {
        write(findings, format, Layout::default(), &mut all).unwrap();
    }
    all.len()
}

/// The most that is read of a file.
const MOST_OF_A_FILE: usize = 256 << 10;

/// One token again and again has one fingerprint, and lines and columns without end fill no page.
#[test]
fn a_repetitive_text_costs_no_more_than_another() {
    for pattern in ["x;", "x;\n", "(", "{[(", "a.b(c)?;\n", "'", "/*", "1,2,3,"] {
        let text = pattern.repeat(MOST_OF_A_FILE / pattern.len());
        let found = compare(class(&[&text, &text, "fn f() {}"]), ANYTHING);
        assert!(found.pairs.len() <= 1, "{pattern}");
        let passages: usize = found.pairs.iter().map(|pair| pair.passages.len()).sum();
        assert!(passages <= 1, "{pattern}: {passages}");
        let size = written(class(&[&text, &text]));
        assert!(size < MOST, "{pattern}: {size}");
    }
}

/// Texts of few different tokens agree in many ways; each token is in one passage at most.
#[test]
fn a_text_that_agrees_with_itself_in_many_places_is_compared_in_one() {
    let period = |length: usize| "+".repeat(length) + "-;";
    let one = (3..40).map(period).collect::<String>().repeat(700);
    let other = (3..40).rev().map(period).collect::<String>().repeat(700);
    let found = compare(class(&[&one, &other]), ANYTHING);
    let tokens: usize = found.pairs.iter().map(|pair| pair.tokens).sum();
    assert!(tokens <= one.len(), "{tokens}");
}

/// Code in which an honest submission is hidden is still compared.
#[test]
fn padding_does_not_hide_a_copy() {
    let honest = only(&["bao", "mateo"]);
    let mut copy = files(&honest, "mateo").clone();
    for text in copy.values_mut() {
        let function = |at: usize| "fn f() -> u8 { ".to_owned() + &"1+".repeat(at % 37) + "1 }\n";
        let padding: String = (0..4_000).map(function).collect();
        *text = padding + text;
    }
    let found = compare(with(honest, &[("zoe", &copy)]), Threshold::MEASURED);
    assert_eq!(names(&found)[0], ["mateo", "zoe"]);
    assert_eq!(found.pairs[0].share, 1.0);
}

/// A submission that cannot be read is left out with its reason, and takes nobody along.
#[test]
fn unreadable_submissions_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let home = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = ["amara", "bao", "huge", "missing"];
    for name in names {
        let (from, to) = (home.join("fixtures/class/mateo"), dir.path().join(name));
        std::fs::create_dir_all(to.join("src")).unwrap();
        std::fs::copy(from.join("Cargo.toml"), to.join("Cargo.toml")).unwrap();
        for entry in std::fs::read_dir(from.join("src")).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), to.join("src").join(entry.file_name())).unwrap();
        }
    }
    let at = |path: &str| dir.path().join(path);
    std::fs::write(at("huge/src/attention.rs"), "x;".repeat(MOST)).unwrap();
    std::fs::remove_file(at("missing/src/attention.rs")).unwrap();
    let mut read = read_at(&[dir.path().to_str().unwrap()], &[]);
    let left_out: Vec<String> = read.left_out.iter().map(|it| it.name.to_string()).collect();
    assert_eq!(left_out, ["huge", "missing"]);
    let found = compare(read.classes.remove(0), Threshold::MEASURED);
    assert_eq!(names_of(&found), [["amara", "bao"]]);
}

use crate::similar::tests::sample::names as names_of;

proptest! {
    /// Any text is compared, and every report of it can be written.
    #[test]
    fn any_text_is_compared(
        one in "\\PC{0,200}",
        other in prop::collection::vec(prop::sample::select(vec![
            "fn f(a: u8) {", "}", "let x = y.z(&a)?;\n", "#[", "]", "use a::{b", ";", "/*", "*/", "\"", "r#\"", "'a",
            "pub(", ")", "\u{202e}", "\r", "\0", "<script>", "::", ",", "\n",
        ]), 0..120),
    ) {
        let other = other.concat();
        prop_assert!(written(class(&[&one, &other, &other, &one])) > 0);
    }
}
