//! Classes made of the project's fixtures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::fixtures;
use crate::intake::Names;
use crate::pipeline;
use crate::similar::tests::disguise::Files;
use crate::similar::{Class, ClassSource, Classes, Comparison, Material, Threshold, compare, read};
use crate::suite::{BUILT_IN, Project};

/// Returns this repository.
pub(super) fn project() -> Project<'static> {
    Project { home: Path::new(env!("CARGO_MANIFEST_DIR")), catalog: BUILT_IN }
}

/// A threshold that reports every pair with anything in common.
pub(super) const ANYTHING: Threshold = Threshold { share: 0.0, tokens: 0, passage: 0 };

/// Reads the submissions at these paths of the repository.
pub(super) fn read_at(class: &[&str], earlier: &[&str]) -> Classes {
    let at = |paths: &[&str]| -> Vec<PathBuf> {
        paths.iter().map(|path| project().home.join(path)).collect()
    };
    let (class, earlier, names) = (at(class), at(earlier), Names::default());
    let source = ClassSource { class: &class, earlier: &earlier, names: &names, assignment: None };
    read(project(), &source).unwrap()
}

/// The sample class, whose only assignment this is.
pub(super) fn sample_class() -> Class {
    let mut read = read_at(&["fixtures/class"], &[]);
    assert_eq!(read.left_out, []);
    assert_eq!(read.classes.len(), 1);
    read.classes.remove(0)
}

/// The members of the sample class that were written apart from each other, but for the parts that `fixtures/README.md` and
/// their texts show: one in each style, and one that is derived from the solution.
pub(super) const APART: [&str; 4] = ["amara", "bao", "dilnoza", "mateo"];

/// The sample class with these members alone.
pub(super) fn only(names: &[&str]) -> Class {
    let mut class = sample_class();
    class.this_year.retain(|it| names.iter().any(|name| it.name == **name));
    assert_eq!(class.this_year.len(), names.len());
    class
}

pub(super) fn material(name: &str, files: &Files) -> Material {
    Material { name: name.into(), students: BTreeSet::new(), files: files.clone() }
}

/// The files of a member of the class.
pub(super) fn files<'a>(class: &'a Class, name: &str) -> &'a Files {
    &class.this_year.iter().find(|it| it.name == *name).unwrap().files
}

/// The class with these members besides.
pub(super) fn with(mut class: Class, members: &[(&str, &Files)]) -> Class {
    class.this_year.extend(members.iter().map(|(name, files)| material(name, files)));
    class
}

/// The solution and the accepted variants of an assignment, each with the files that students hand in.
pub(super) fn solutions(assignment: &str) -> Class {
    let assigned = pipeline::assigned(project(), assignment).unwrap().assignment;
    let mut all = vec![fixtures::solution(project().home, assignment).unwrap()];
    // Those of a task that is borrowed are here under two names.
    let variants = fixtures::variants(project(), assignment).unwrap().into_iter();
    all.extend(variants.filter(|it| !it.name.contains("-of-")));
    let texts = |files: &BTreeMap<String, Vec<u8>>, all: bool| -> Files {
        let wanted = files.iter().filter(|(path, _)| all || assigned.collect.contains(path));
        wanted
            .map(|(path, text)| (path.clone(), String::from_utf8(text.clone()).unwrap()))
            .collect()
    };
    let mut skeleton = texts(&assigned.skeleton, true);
    skeleton.extend(texts(&assigned.provided, true));
    let this_year = all.iter().map(|it| material(&it.name, &texts(&it.source, false))).collect();
    Class { assignment: assignment.to_owned(), skeleton, this_year, earlier: BTreeMap::new() }
}

/// The ids of all assignments.
pub(super) fn assignments() -> impl Iterator<Item = &'static str> {
    BUILT_IN.suites().iter().map(|suite| suite.id)
}

/// Compares, and returns the names of the pairs that are reported, in their order.
pub(super) fn reported(class: Class) -> Vec<[String; 2]> {
    names(&compare(class, Threshold::MEASURED))
}

pub(super) fn names(comparison: &Comparison) -> Vec<[String; 2]> {
    let name = |index: usize| comparison.members[index].name.to_string();
    comparison.pairs.iter().map(|pair| [name(pair.one), name(pair.other)]).collect()
}
