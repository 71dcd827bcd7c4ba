//! Ways to reach an item that no name in the check shows at first sight.

use super::Course;

/// Change of a file: path, text that it has, text that takes its place.
type Edit = (&'static str, &'static str, &'static str);

/// Asserts that an edit changes the digest of the check `a/one`, or that the check has none, in a course that some other edits
/// have made.
fn assert_seen(course_edits: &[Edit], (path, from, to): Edit) {
    let course = Course::new();
    for (path, from, to) in course_edits {
        course.edit(path, from, to);
    }
    let digest = || course.slices().checks.get("a/one").cloned();
    let before = digest();
    course.edit(path, from, to);
    let after = digest();
    assert!(before != after || before.is_none(), "{course_edits:?}, then {path}: {from}");
}

const CHECKS: &str = "exam/src/checks.rs";
const IMPLS: &str = "exam/src/impls.rs";
const LIB: &str = "exam/src/lib.rs";
const ORACLE: &str = "exam/src/oracle.rs";
const SHAPES: &str = "checks/src/shapes.rs";

/// First statement of the check `a/one`.
const FIRST: &str = "let value = expected(seed);";
const IMPORT: &str = "use crate::oracle::{value as expected, Kind};";
const VALUE: Edit = (ORACLE, "u64 { seed }", "u64 { seed + 1 }");
const SUM: Edit = (IMPLS, "Self(self.0 + other)", "Self(other)");

#[test]
fn variants_of_an_imported_enum_lead_to_its_implementations() {
    let import = "use crate::oracle::Kind::Loud; use crate::oracle::{value as expected, Kind};";
    let display = (ORACLE, "write!(\"kind\")", "write!(\"kinds\")");
    assert_seen(
        &[(CHECKS, IMPORT, import), (CHECKS, FIRST, "let value = Loud.to_string();")],
        display,
    );
}

#[test]
fn aliases_of_aliases_are_followed() {
    let expected = "use crate::v as expected; use crate::oracle::Kind;";
    assert_seen(
        &[
            (LIB, "mod state;", "mod state; pub(crate) use oracle::value as v;"),
            (CHECKS, IMPORT, expected),
        ],
        VALUE,
    );
    let of_module = "use crate::o as p; use crate::oracle::Kind;";
    assert_seen(
        &[
            (LIB, "mod state;", "mod state; use oracle as o;"),
            (CHECKS, IMPORT, of_module),
            (CHECKS, FIRST, "let value = p::value(seed);"),
        ],
        VALUE,
    );
    let implementation = "impl std::ops::Add<usize> for x_checks::shapes::Square {";
    let square = "let value = (Square(3) + 1).0;";
    let imported = "use x_checks::shapes::Square as Sq; impl std::ops::Add<usize> for Sq {";
    assert_seen(&[(IMPLS, implementation, imported), (CHECKS, FIRST, square)], SUM);
    let named = "type Sq = x_checks::shapes::Square; impl std::ops::Add<usize> for Sq {";
    assert_seen(&[(IMPLS, implementation, named), (CHECKS, FIRST, square)], SUM);
}

#[test]
fn names_through_an_inline_module_are_found() {
    let prelude = "mod state; mod prelude { pub(crate) use crate::oracle::*; }";
    let import = "use crate::prelude::value as expected; use crate::oracle::Kind;";
    assert_seen(&[(LIB, "mod state;", prelude), (CHECKS, IMPORT, import)], VALUE);
    assert_seen(
        &[
            (LIB, "mod state;", prelude),
            (CHECKS, FIRST, "let value = crate::prelude::value(seed);"),
        ],
        VALUE,
    );
}

#[test]
fn imports_in_a_declaration_are_seen() {
    let closure = "run: |s, seed| { use crate::oracle::*; value(seed) } }, Check { id: \"a/six\", title: \"six\", run: one }";
    assert_seen(&[(CHECKS, "run: one }", closure)], VALUE);
    let list = "&[Check] = { use crate::oracle::*; &[Check { id: \"a/one\", title: \"one\", run: value }, ";
    assert_seen(
        &[
            (CHECKS, "&[Check] = &[", list),
            (CHECKS, "Check { id: \"a/one\", title: \"one\", run: one },", ""),
            (CHECKS, "run: five },\n        ];", "run: five }] };"),
        ],
        VALUE,
    );
}

#[test]
fn a_file_that_a_declaration_reads_is_seen() {
    let run = "run: |subject, _| subject.ask(include_str!(\"three.txt\")) }, Check { id: \"a/six\", title: \"six\", run: one }";
    assert_seen(&[(CHECKS, "run: one }", run)], ("exam/src/three.txt", "three", "tree"));
}

#[test]
fn implementations_inside_of_items_are_seen() {
    let square = "let value = (Square(3) + 1).0;";
    let implementation = "impl std::ops::Add<usize> for x_checks::shapes::Square {";
    let end = "Self(self.0 + other) }\n        }";
    for (before, after) in [("const _: () = { ", " };"), ("fn around() { ", " }")] {
        let before: &'static str = Box::leak(format!("{before}{implementation}").into_boxed_str());
        let after: &'static str = Box::leak(format!("{end}{after}").into_boxed_str());
        assert_seen(
            &[(IMPLS, implementation, before), (IMPLS, end, after), (CHECKS, FIRST, square)],
            SUM,
        );
    }
}

#[test]
fn a_module_with_the_name_of_another_crate_is_ours() {
    let course = Course::new();
    course.write("checks/src/proptest.rs", "pub fn helper() -> u64 { 1 }");
    course.edit(
        "checks/src/lib.rs",
        "pub mod shapes;",
        "pub mod shapes; mod proptest; use proptest::helper;",
    );
    course.edit("checks/src/lib.rs", "shapes::sized(subject, seed)", "helper()");
    let before = course.slices();
    course.edit("checks/src/proptest.rs", "1", "2");
    assert_ne!(before.checks.get("a/public"), course.slices().checks.get("a/public"));
}

#[test]
fn functions_of_a_trait_for_a_foreign_type_are_found() {
    let double = "impl A for u64 { fn double(it: u64) -> u64 { 2 * it } } pub(crate) trait A { fn double(it: u64) -> u64; }";
    let double: &'static str = Box::leak(format!("{double} macro_rules! numbers").into_boxed_str());
    assert_seen(
        &[
            (IMPLS, "macro_rules! numbers", double),
            (CHECKS, IMPORT, "use crate::impls::A; use crate::oracle::Kind;"),
            (CHECKS, FIRST, "let value = u64::double(5);"),
        ],
        (IMPLS, "2 * it", "3 * it"),
    );
}

#[test]
fn functions_that_an_attribute_names_are_found() {
    let parsed = "#[derive(Deserialize)] struct Limits { #[serde(default = \"crate::oracle::most\")] most: u64 } const LIMIT";
    let most = "pub(crate) fn most() -> u64 { 9 } pub(crate) fn loudly";
    assert_seen(
        &[
            (CHECKS, "const LIMIT", parsed),
            (CHECKS, FIRST, "let value: Limits = read();"),
            (ORACLE, "pub(crate) fn loudly", most),
        ],
        (ORACLE, "{ 9 }", "{ 8 }"),
    );
}

#[test]
fn a_variable_inside_of_a_function_is_shared_by_all_who_call_it() {
    let count = "fn count() -> u64 { static COUNT: AtomicU64 = AtomicU64::new(0); COUNT.add(1) } const LIMIT";
    assert_seen(
        &[
            (CHECKS, "const LIMIT", count),
            (CHECKS, FIRST, "let value = count();"),
            (CHECKS, "subject.ask(5", "count(); subject.ask(5"),
        ],
        (CHECKS, "subject.ask(5", "count(); subject.ask(5"),
    );
}

#[test]
fn operators_that_differ_in_a_space_are_told_apart() {
    assert_seen(&[(CHECKS, FIRST, "let value = a & &b;")], (CHECKS, "a & &b", "a && b"));
}

#[test]
fn what_macros_of_others_make_has_no_digest() {
    // Each of these depends on more than the sources that are read, or declares names that are not in them.
    let paste = "macro_rules! made { ($n:ident) => { paste::paste! { fn [<get_ $n>]() -> u64 { 8 } } } } made!(eight); const LIMIT";
    let named = "#[derive(strum::EnumIter)] enum All { A, B } const LIMIT";
    let documented = "#[derive(displaydoc::Display)] enum All { /** too loud */ A } const LIMIT";
    let changed = "#[memoize::memoize] fn slow() -> u64 { 8 } const LIMIT";
    for (from, to) in [
        (FIRST, "let value = include_dir!(\"$CARGO_MANIFEST_DIR/data\");"),
        (FIRST, "let value = git_version!();"),
        (FIRST, "use std::include_str as text; let value = text!(\"three.txt\");"),
        (FIRST, "let value = paste::paste! { [<get_ eight>]() };"),
        ("const LIMIT", paste),
        ("const LIMIT", named),
        ("const LIMIT", documented),
        ("const LIMIT", changed),
    ] {
        let course = Course::new();
        course.edit(CHECKS, from, to);
        let slices = course.slices();
        assert_eq!((slices.checks.get("a/one"), &slices.whole), (None, &None), "{to}");
    }
    // In the declaration itself.
    for read in ["env!(\"X\")", "git_version!()"] {
        let course = Course::new();
        let run: String = format!(
            "run: |subject, _| subject.ask({read}) }}, Check {{ id: \"a/six\", title: \"six\", run: one }}"
        );
        course.edit(CHECKS, "run: one }", &run);
        assert_eq!(course.slices().checks.get("a/one"), None, "{read}");
    }
    let course = Course::new();
    course.edit(LIB, "vec![mistake!(", "{ use softmark_exam::mistake as m; vec![m!(");
    course.edit(LIB, "oracle::truth(case)])]", "oracle::truth(case)])] }");
    assert_eq!(course.slices().diagnosis, None);
}

#[test]
fn ids_that_change_places_are_noticed() {
    for swapped in ["std::mem::swap(&mut a.id, &mut b.id);", "let C { run, .. } = it;"] {
        let course = Course::new();
        let checks = format!("use engine::Check as C; fn checks() -> Vec<SuiteCheck> {{ {swapped}");
        course.edit(LIB, "fn checks() -> Vec<SuiteCheck> {", &checks);
        assert!(course.slices().checks.is_empty(), "{swapped}");
    }
}

#[test]
fn a_shape_of_another_file_is_seen_by_its_own_name() {
    assert_seen(
        &[(CHECKS, FIRST, "let value = x_checks::shapes::sized(subject, seed);")],
        (SHAPES, "SIZE: u64 = 4", "SIZE: u64 = 5"),
    );
}
