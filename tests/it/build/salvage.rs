//! Submissions in which files do not compile.

use softmark::build::{BuildFault, BuildFaultKind, Salvaged};

use crate::support::pack::{files, pack, program};

/// Names of files and the text that each has instead of its own.
type Changed<'a> = &'a [(&'a str, &'a str)];

/// The solution with some files changed, compiled as a submission is.
fn salvage(changed: Changed<'_>) -> Result<Salvaged, BuildFault> {
    let mut source = files("solutions/attention");
    for (name, text) in changed {
        source.insert((*name).to_owned(), text.as_bytes().to_vec());
    }
    let mut skeleton = files("assignments/attention");
    skeleton.remove("lib.rs");
    let main = program("stub", "use submission as _;\nfn main() {}\n", &[]);
    let scratch = tempfile::tempdir().unwrap();
    pack().compile_or_replace(&source, &skeleton, &[main], scratch.path()).unwrap().into_result()
}

/// The text of a file of the solution, with something put at its end.
fn solved_and(file: &str, end: &str) -> String {
    let source = files("solutions/attention");
    format!("{}\n{end}\n", String::from_utf8(source[file].clone()).unwrap())
}

#[test]
fn a_file_that_does_not_compile_takes_no_other_down() {
    assert_eq!(salvage(&[]).unwrap().broken.len(), 0);
    let typo = solved_and("pooling.rs", "fn wrong() -> u8 { \"\" }");
    let cut = solved_and("position.rs", "fn wrong() {");
    let cases: [(Changed<'_>, &[&str], &str); 6] = [
        (
            &[("pooling.rs", &typo)],
            &["pooling.rs"],
            "error[E0308]: mismatched types (src/pooling.rs",
        ),
        (&[("position.rs", &cut)], &["position.rs"], "error: this file contains an unclosed"),
        (
            &[("pooling.rs", &typo), ("position.rs", &cut)],
            &["pooling.rs", "position.rs"],
            "error[E0308]",
        ),
        // The type is missing, and the compiler says so in the file that is provided.
        (&[("pooling.rs", "//! Nothing.\n")], &["pooling.rs"], "error[E0"),
        (&[("pooling.rs", "unsafe fn f() {}\npub struct Pooled;")], &["pooling.rs"], "error"),
        // What `pooling` needs of `position` is gone with it.
        (
            &[
                ("position.rs", &format!("{cut}pub fn help() {{}}")),
                ("pooling.rs", &solved_and("pooling.rs", "pub use crate::position::help;")),
            ],
            &["pooling.rs", "position.rs"],
            "error",
        ),
    ];
    for (changed, broken, error) in cases {
        let salvaged = salvage(changed).unwrap();
        assert_eq!(salvaged.broken.keys().collect::<Vec<_>>(), broken);
        let said = salvaged.broken[broken[0]].error.clone();
        assert!(said.as_raw().starts_with(error), "{said}");
    }
}

#[test]
fn what_needs_a_file_that_does_not_compile_falls_with_it() {
    let asks = solved_and("attention.rs", "pub fn lent() -> u8 { crate::pooling::lent() }");
    let owes = solved_and("pooling.rs", "pub fn lent() -> u8 { \"\" }");
    let salvaged = salvage(&[("attention.rs", &asks), ("pooling.rs", &owes)]).unwrap();
    // The skeleton of `pooling.rs` lends nothing, so whoever asks for it does not compile either.
    assert_eq!(salvaged.broken.keys().collect::<Vec<_>>(), ["attention.rs", "pooling.rs"]);
    assert!(salvaged.broken["pooling.rs"].error.as_raw().starts_with("error[E0308]"));
}

#[test]
fn where_nothing_can_be_saved_the_build_failed() {
    let skeleton = files("assignments/attention");
    let text = |name: &str| String::from_utf8(skeleton[name].clone()).unwrap();
    let all: Vec<(&str, String)> =
        ["attention.rs", "classifier.rs", "multi_head.rs", "position.rs"]
            .map(|name| (name, text(name)))
            .into();
    let mut changed: Vec<(&str, &str)> = all.iter().map(|(a, b)| (*a, b.as_str())).collect();
    changed.push(("pooling.rs", "pub fn answer() -> u8 { \"\" }\n"));
    let fault = salvage(&changed).unwrap_err();
    assert_eq!(fault.kind, BuildFaultKind::Compile);
    // A compiler that gives up names no file; nothing is replaced.
    let bomb = "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)* x) } } m!(x);";
    let salvaged = salvage(&[("pooling.rs", &solved_and("pooling.rs", bomb))]);
    assert!(salvaged.is_err(), "{salvaged:?}");
    let deep = "macro_rules! m { ($($t:tt)*) => { m!($($t)* x) } } m!(x);";
    let salvaged = salvage(&[("pooling.rs", &solved_and("pooling.rs", deep))]);
    assert!(salvaged.is_ok_and(|it| it.broken.len() == 1), "a recursion limit names its place");
    let refused = solved_and("pooling.rs", "mod elsewhere;");
    let fault = salvage(&[("pooling.rs", &refused)]).unwrap_err();
    assert_eq!(fault.kind, BuildFaultKind::Forbidden);
}
