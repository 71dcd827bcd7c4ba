//! Edits of sources, and the digests that they change.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::slices::{Slices, slices};

mod indirect;

fn engine() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// A course with one exam, `x`, and its public checks.
struct Course {
    folder: TempDir,
}

const FILES: [(&str, &str); 12] = [
    (
        "Cargo.toml",
        "[workspace]\nmembers = [\"exam\", \"checks\"]\n[workspace.dependencies]\n\
         softmark-exam = { git = \"https://example.org/softmark\" }\n\
         x-checks = { path = \"checks\" }\n",
    ),
    ("Cargo.lock", "version = 4\n"),
    (
        "exam/Cargo.toml",
        "[package]\nname = \"x-exam\"\n[dependencies]\nsoftmark-exam.workspace = true\n\
         x-checks.workspace = true\nproptest = \"1\"\n",
    ),
    ("checks/Cargo.toml", "[package]\nname = \"x-checks\"\n[dependencies]\n"),
    (
        "checks/src/lib.rs",
        r#"
        //! Public checks.
        use engine::Check;
        pub mod shapes;
        pub const TASKS: &[Check] = &[Check { id: "a/public", title: "public", run: public }];
        fn public(subject: &mut Subject<'_>, seed: u64) -> Ran { shapes::sized(subject, seed) }
        pub(crate) fn unused() {}
        "#,
    ),
    (
        "checks/src/shapes.rs",
        r"
        pub struct Square(pub usize);
        pub trait Area { fn area(&self) -> usize; fn twice(&self) -> usize { 2 * self.area() } }
        pub fn sized(subject: &mut Subject<'_>, seed: u64) -> Ran { subject.ask(SIZE + seed) }
        const SIZE: u64 = 4;
        ",
    ),
    (
        "exam/src/lib.rs",
        r#"
        //! The exam.
        mod checks;
        mod impls;
        mod oracle;
        mod state;
        use softmark_exam::{Suite, SuiteCheck};
        pub const SUITE: Suite = Suite {
            id: "x",
            checks,
            programs: || vec![],
            reference: || program("x"),
            diagnosed_in: |_| Program::Own,
            battery: oracle::battery,
            truth: oracle::truth,
            rests: None,
            mistakes: || vec![mistake!("m", &[|case| oracle::truth(case)])],
            pairs: |_| vec![],
            halves: |_| &[],
            trainings: &[TRAINING],
            uploads: &[],
            borrows: &[],
            optional: &[],
            sources: softmark_exam::sources!(),
        };
        const TRAINING: Training = Training { task: "t", plan: |seed| plan(seed) };
        fn plan(seed: u64) -> Plan { Plan { seed } }
        fn checks() -> Vec<SuiteCheck> {
            x_checks::TASKS.iter().chain(checks::CHECKS).map(|it| entry(*it, program_of(it.id))).collect()
        }
        fn program_of(id: &str) -> Program { if id == "a/two" { Program::Own } else { Program::Answers } }
        "#,
    ),
    (
        "exam/src/checks.rs",
        r#"
        use crate::oracle::{value as expected, Kind};
        use proptest::prelude::*;
        use x_checks::shapes::{Area, Square};
        pub(crate) const CHECKS: &[Check] = &[
            Check { id: "a/one", title: "one", run: one },
            Check { id: "a/two", title: "two", run: two },
            Check { id: "a/three", title: "three", run: |subject, seed| outcome(three(subject, seed)) },
            Check { id: "a/four", title: "four", run: four },
            Check { id: "a/five", title: "five", run: five },
        ];
        fn one(subject: &mut Subject<'_>, seed: u64) -> Ran {
            let value = expected(seed);
            subject.compare(value, format!("less than {LIMIT}"))
        }
        const LIMIT: usize = 3;
        fn two(subject: &mut Subject<'_>, seed: u64) -> Ran {
            let square = Square(3);
            subject.compare(square.twice(), (square + 1).0)
        }
        fn three(subject: &mut Subject<'_>, _: u64) -> Judged {
            use Kind::*;
            subject.ask(include_str!("three.txt"), shout!(Loud))
        }
        fn four(subject: &mut Subject<'_>, seed: u64) -> Ran {
            subject.compare(crate::state::count(), TABLE[0](seed))
        }
        const TABLE: &[fn(u64) -> u64] = &[helped];
        fn helped(x: u64) -> u64 { x }
        fn five(subject: &mut Subject<'_>, seed: u64) -> Ran { oracle_free(subject) }
        fn oracle_free(subject: &mut Subject<'_>) -> Ran { subject.ask(5 + crate::impls::eight()) }
        #[cfg(test)]
        mod tests { fn tried() { super::one(); } }
        "#,
    ),
    ("exam/src/three.txt", "three"),
    (
        "exam/src/impls.rs",
        r"
        impl x_checks::shapes::Area for x_checks::shapes::Square { fn area(&self) -> usize { self.0 } }
        impl std::ops::Add<usize> for x_checks::shapes::Square {
            type Output = Self;
            fn add(self, other: usize) -> Self { Self(self.0 + other) }
        }
        macro_rules! numbers { () => { pub(crate) fn eight() -> usize { 8 } } }
        numbers!();
        macro_rules! shout { ($it:ident) => { crate::oracle::loudly($it) } }
        ",
    ),
    (
        "exam/src/oracle.rs",
        r#"
        pub(crate) enum Kind { Loud, Low }
        impl std::fmt::Display for Kind { fn fmt(&self) -> Result { write!("kind") } }
        pub(crate) fn value(seed: u64) -> u64 { seed }
        pub(crate) fn loudly(kind: Kind) -> String { kind.to_string() }
        pub(crate) fn truth(case: &Case) -> Response { respond(value(1)) }
        fn respond(it: u64) -> Response { Response(it) }
        pub(crate) fn battery(task: &str) -> Vec<Question> { vec![Question(1)] }
        "#,
    ),
    (
        "exam/src/state.rs",
        r"
        static COUNT: Mutex<u64> = Mutex::new(0);
        pub(crate) fn count() -> u64 { *COUNT.lock() }
        pub(crate) fn reset() { *COUNT.lock() = START; }
        const START: u64 = 1;
        ",
    ),
];

impl Course {
    fn new() -> Self {
        let course = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in FILES {
            course.write(path, text);
        }
        course.write("mistakes/m/page.md", "page");
        course
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(path)).unwrap();
        assert!(text.contains(from), "{path} has no {from}");
        self.write(path, &text.replacen(from, to, 1));
    }

    fn slices(&self) -> Slices {
        slices(&self.path("exam"), engine()).unwrap()
    }
}

/// All digests, by the names of checks and parts.
fn digests(slices: &Slices) -> BTreeMap<String, Option<String>> {
    let checks = slices.checks.iter().map(|(id, it)| (id.clone(), Some(it.clone())));
    let parts =
        [("mistakes", &slices.diagnosis), ("training", &slices.training), ("whole", &slices.whole)];
    checks.chain(parts.map(|(name, it)| (name.to_owned(), it.clone()))).collect()
}

/// Returns the names of the digests that differ.
fn changed(before: &Slices, after: &Slices) -> BTreeSet<String> {
    let (before, after) = (digests(before), digests(after));
    let names = before.keys().chain(after.keys());
    names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

fn changed_by(path: &str, from: &str, to: &str) -> String {
    let course = Course::new();
    let before = course.slices();
    course.edit(path, from, to);
    Vec::from_iter(changed(&before, &course.slices())).join(" ")
}

const ALL: &str = "a/five a/four a/one a/public a/three a/two mistakes training whole";

const ALL_CHECKS: &str = "a/five a/four a/one a/public a/three a/two whole";

#[test]
fn every_check_and_every_part_has_a_digest() {
    let slices = Course::new().slices();
    let checks: Vec<&str> = slices.checks.keys().map(String::as_str).collect();
    assert_eq!(checks, ["a/five", "a/four", "a/one", "a/public", "a/three", "a/two"]);
    assert!(slices.diagnosis.is_some() && slices.training.is_some() && slices.whole.is_some());
    let digests: BTreeSet<&String> = slices.checks.values().collect();
    assert_eq!(digests.len(), checks.len());
    let elsewhere = Course::new().slices();
    assert!(changed(&slices, &elsewhere).is_empty(), "the same sources in another folder");
}

#[test]
fn an_edit_changes_the_digest_of_the_checks_that_reach_it() {
    let checks = "exam/src/checks.rs";
    let oracle = "exam/src/oracle.rs";
    for (path, from, to, expected) in [
        (checks, "let value = expected(seed);", "let value = expected(seed + 1);", "a/one whole"),
        (checks, "subject.ask(5", "subject.ask(6", "a/five whole"),
        // Through an alias of the import.
        (oracle, "u64 { seed }", "u64 { seed + 1 }", "a/one mistakes whole"),
        // A constant that only a format string names.
        (checks, "LIMIT: usize = 3", "LIMIT: usize = 4", "a/one whole"),
        // Implementations of traits in a file that nobody imports, an operator among them.
        ("exam/src/impls.rs", "{ self.0 }", "{ self.0 + 1 }", "a/two whole"),
        ("exam/src/impls.rs", "Self(self.0 + other)", "Self(other)", "a/two whole"),
        // A method that a trait provides, in another crate.
        ("checks/src/shapes.rs", "2 * self.area()", "3 * self.area()", "a/two whole"),
        ("checks/src/shapes.rs", "SIZE: u64 = 4", "SIZE: u64 = 5", "a/public whole"),
        // What a macro mentions, and the macro.
        (oracle, "kind.to_string()", "kind.to_string() + \"!\"", "a/three whole"),
        ("exam/src/impls.rs", "loudly($it)", "loudly(Kind::Low)", "a/three whole"),
        // What a macro declares that is called beside items.
        ("exam/src/impls.rs", "{ 8 }", "{ 9 }", "a/five whole"),
        // An implementation that is called through a type of the standard library.
        (oracle, "write!(\"kind\")", "write!(\"kinds\")", "a/three whole"),
        // An included file.
        ("exam/src/three.txt", "three", "tree", "a/three whole"),
        // A function in a table.
        (checks, "u64 { x }", "u64 { x + 1 }", "a/four whole"),
        // Whatever writes a variable that is read, and what that is built of.
        ("exam/src/state.rs", "START: u64 = 1", "START: u64 = 2", "a/four whole"),
        ("exam/src/lib.rs", "Plan { seed }", "Plan { seed: 1 }", "training whole"),
        ("exam/src/lib.rs", "|case| oracle::truth(case)", "|_| NONE", "mistakes whole"),
        (oracle, "Question(1)", "Question(2)", "mistakes training whole"),
        ("mistakes/m/page.md", "page", "pages", "mistakes whole"),
        ("checks/src/lib.rs", "fn unused() {}", "fn unused() { panic!() }", "whole"),
    ] {
        assert_eq!(changed_by(path, from, to), expected, "{path}: {from}");
    }
}

#[test]
fn what_reaches_no_verdict_changes_no_digest_of_a_check() {
    let checks = "exam/src/checks.rs";
    for (from, to) in [
        ("title: \"one\"", "title: \"another\""),
        ("fn one(", "// A comment.\n        fn one("),
        ("fn one(", "/// Documentation.\n        fn one("),
        ("let value = expected(seed);", "let  value=expected(seed) ;"),
        ("fn tried() { super::one(); }", "fn tried() { super::two(); }"),
        ("fn helped", "fn unrelated() {} fn helped"),
    ] {
        assert_eq!(changed_by(checks, from, to), "whole", "{from}");
    }
}

#[test]
fn how_names_are_found_and_crates_compiled_changes_every_digest_that_it_may() {
    let checks = "exam/src/checks.rs";
    assert_eq!(changed_by(checks, "value as expected", "other as expected"), "a/one whole");
    // It may be a trait, whose methods are called then.
    let own = "a/five a/four a/one a/three a/two whole";
    assert_eq!(changed_by(checks, "{Area, Square}", "{Area, Size, Square}"), own);
    // Any name may come from it.
    assert_eq!(changed_by(checks, "prelude::*", "other::*"), ALL_CHECKS);
    assert_eq!(changed_by("Cargo.lock", "version = 4", "version = 5"), ALL);
    assert_eq!(changed_by("exam/Cargo.toml", "proptest = \"1\"", "proptest = \"1.1\""), ALL);
    assert_eq!(
        changed_by("exam/src/lib.rs", "mod state;", "mod state; pub use state::count;"),
        ALL
    );
    // An item of the file hides what it imports.
    let shadow = "fn expected(seed: u64) -> u64 { 7 } fn one(";
    assert_eq!(changed_by(checks, "fn one(", shadow), "a/one whole");
    // How checks are put together, and what that uses.
    let program = ("id == \"a/two\"", "id == \"a/one\"");
    assert_eq!(changed_by("exam/src/lib.rs", program.0, program.1), ALL_CHECKS);
}

#[test]
fn what_is_not_understood_has_no_digest_of_its_own() {
    let made = |path: &str, from: &str, to: &str| {
        let course = Course::new();
        course.edit(path, from, to);
        slices(&course.path("exam"), engine())
    };
    let checks = "exam/src/checks.rs";
    // An id that is put together.
    let one = "id: \"a/one\", title: \"one\", run: one";
    let put = made(checks, one, "id: concat!(\"a/\", \"one\"), title: \"one\", run: one").unwrap();
    assert!(put.checks.is_empty() && put.whole.is_some());
    // A function that is taken from another check.
    for to in [
        "fn checks() -> Vec<SuiteCheck> { let mut it = checks::CHECKS.to_vec(); it[0].run = it[1].run;",
        "fn checks() -> Vec<SuiteCheck> { let Check { id, run, .. } = checks::CHECKS[0];",
        "fn checks() -> Vec<SuiteCheck> { let mut it = checks::CHECKS.to_vec(); it[0].id = it[1].id;",
    ] {
        let taken = made("exam/src/lib.rs", "fn checks() -> Vec<SuiteCheck> {", to).unwrap();
        assert!(taken.checks.is_empty() && taken.diagnosis.is_none() && taken.whole.is_some());
    }
    // An exam that takes fields from another one.
    let other = made("exam/src/lib.rs", "optional: &[],", "..OTHER").unwrap();
    assert!(other.checks.is_empty() && other.whole.is_some());
    // What is compiled depends on more than sources.
    for (from, to) in [
        ("let value = expected(seed);", "let value = if cfg!(feature = \"x\") { 1 } else { 2 };"),
        ("let value = expected(seed);", "let value = env!(\"X\");"),
        ("let value = expected(seed);", "let value = line!();"),
        ("let value = expected(seed);", "let value = include!(\"one.rs\");"),
        ("let value = expected(seed);", "let value = include_str!(concat!(\"a\", \"b\"));"),
    ] {
        let opaque = made(checks, from, to).unwrap();
        assert!(!opaque.checks.contains_key("a/one"), "{to}");
        assert!(opaque.checks.contains_key("a/two") && opaque.whole.is_none(), "{to}");
    }
    let foreign = made("exam/src/impls.rs", "numbers!();", "numbers!(); foreign! { x }").unwrap();
    assert!(foreign.checks.is_empty() && foreign.whole.is_none());
    let import = "#[cfg(feature = \"x\")] use crate::oracle::value;";
    let import = made(checks, "use proptest::prelude::*;", import).unwrap();
    assert!(import.checks.is_empty() && import.whole.is_none());
    let path = made("exam/src/lib.rs", "mod state;", "#[path = \"/x.rs\"] mod state;").unwrap();
    assert!(path.checks.is_empty() && path.whole.is_none());
    // A package that is built in another way.
    for to in ["[features]\na = []\n[dependencies]", "[lib]\npath = \"x.rs\"\n[dependencies]"] {
        assert_eq!(made("exam/Cargo.toml", "[dependencies]", to), None);
    }
    let patch = "[patch.crates-io]\nproptest = { path = \"p\" }\n[workspace.dependencies]";
    assert_eq!(made("Cargo.toml", "[workspace.dependencies]", patch), None);
}

#[test]
fn a_file_that_cannot_be_split_is_reached_by_all_that_names_something_in_it() {
    let course = Course::new();
    course.edit(
        "exam/src/oracle.rs",
        "pub(crate) enum",
        "extern \"C\" { fn c(); } pub(crate) enum",
    );
    let before = course.slices();
    course.edit("exam/src/oracle.rs", "u64 { seed }", "u64 { seed + 1 }");
    let changed = changed(&before, &course.slices());
    assert!(["a/one", "a/three", "mistakes", "training"].iter().all(|it| changed.contains(*it)));
}
