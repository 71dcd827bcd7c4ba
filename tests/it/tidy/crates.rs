//! Crates use only those of ours that ARCHITECTURE.md allows, and no student process links what is secret.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::exams::suites;
use crate::tidy::{code, fail_with, root, sources};

/// Our crates that a crate may name and depend on; `*_spec` stands for the specifications of all assignments.
const ALLOWED_CRATES: [(&str, &[&str]); 23] = [
    ("crates/softmark-common", &[]),
    ("crates/softmark-wire", &[]),
    ("crates/softmark-kit", &["softmark_common", "softmark_instances"]),
    ("crates/softmark-worker", &["softmark_kit", "softmark_wire"]),
    ("crates/softmark-candle-nn", &["softmark_kit"]),
    ("crates/softmark-instances", &[]),
    ("assignments/modern/candle-nn", &["softmark_candle_nn"]),
    ("crates/softmark-checks", &["softmark_common", "softmark_wire"]),
    (
        "crates/softmark-student",
        &["softmark_checks", "softmark_kit", "softmark_wire", "softmark_worker"],
    ),
    ("crates/softmark-data", &["softmark_kit"]),
    ("crates/softmark-plot", &[]),
    ("crates/softmark-sandbox", &[]),
    ("crates/softmark-untrusted", &[]),
    // It names the crate of exams in the code that it writes.
    ("crates/softmark-sources", &["softmark_exam"]),
    (
        "crates/softmark-exam",
        &[
            "softmark_checks",
            "softmark_common",
            "softmark_sources",
            "softmark_untrusted",
            "softmark_wire",
        ],
    ),
    ("crates/softmark-pretrain", &["softmark_kit"]),
    ("labs", &["softmark_common", "softmark_data", "softmark_kit", "softmark_plot"]),
    ("assignments/ID", &["softmark_kit", "softmark_plot"]),
    ("assignments/ID/spec", &["softmark_common", "softmark_kit", "*_spec"]),
    ("assignments/ID/checks", &["softmark_checks", "softmark_common", "softmark_wire", "*_checks"]),
    ("solutions/ID", &["softmark_kit"]),
    (
        "solutions/ID/exam",
        &[
            "softmark_checks",
            "softmark_common",
            "softmark_exam",
            "softmark_wire",
            "*_checks",
            "*_exam",
        ],
    ),
    (
        "",
        &[
            "softmark_checks",
            "softmark_common",
            "softmark_exam",
            "softmark_sandbox",
            "softmark_sources",
            "softmark_untrusted",
            "softmark_wire",
        ],
    ),
];

/// Files that name a crate in a message, in a list for students or in the text of a program, and do not use it.
const QUOTED: [(&str, &str); 6] = [
    ("crates/softmark-checks/src/dropout.rs", "softmark_kit"),
    ("crates/softmark-exam/src/check/gradient.rs", "softmark_kit"),
    ("crates/softmark-exam/src/program.rs", "softmark_candle_nn"),
    ("crates/softmark-exam/src/program.rs", "softmark_kit"),
    ("crates/softmark-exam/src/program.rs", "softmark_worker"),
    ("solutions/modern/exam/src/lib.rs", "modern_candle_nn"),
];

/// Crates that no pack contains and no key of a pack depends on, as `src/build/key.rs` lists them.
const EXCLUDED: [&str; 9] = [
    "softmark-checks",
    "softmark-data",
    "softmark-exam",
    "softmark-plot",
    "softmark-pretrain",
    "softmark-sandbox",
    "softmark-sources",
    "softmark-student",
    "softmark-untrusted",
];

/// Crates that not even the tests and examples of students link.
const TRUSTED: [&str; 3] = ["softmark-exam", "softmark-sandbox", "softmark-sources"];

/// Returns the folders of the crates that a row of [`ALLOWED_CRATES`] is about.
fn folders_of(row: &str) -> Vec<String> {
    if row.contains("ID") {
        suites().iter().map(|suite| row.replace("ID", suite.id)).collect()
    } else {
        vec![row.to_owned()]
    }
}

/// Returns the name in code of the crate in a folder.
fn crate_in(folder: &str) -> String {
    let parts: Vec<&str> = folder.split('/').collect();
    let name = match parts.as_slice() {
        ["solutions", id] => format!("{id}-solution"),
        [_, id, part] => format!("{id}-{part}"),
        [_, name] => (*name).to_owned(),
        ["labs"] => "softmark-labs".to_owned(),
        _ => "softmark".to_owned(),
    };
    name.replace('-', "_")
}

/// Returns all crates of ours, as code names them, except for the grader and the skeletons.
pub(super) fn ours() -> BTreeSet<String> {
    let rows = ALLOWED_CRATES.iter().map(|(row, _)| *row);
    let rows = rows.filter(|row| !row.is_empty() && *row != "assignments/ID");
    rows.flat_map(folders_of).map(|folder| crate_in(&folder)).collect()
}

/// True if `name` matches one of the patterns in `allowed`; the crates of the engine are of no kind.
fn is_allowed(allowed: &[&str], name: &str) -> bool {
    let fits = |pattern: &&str| match pattern.strip_prefix('*') {
        Some(kind) => name.ends_with(kind) && !name.starts_with("softmark_"),
        None => name == *pattern,
    };
    allowed.iter().any(fits)
}

/// Returns the crates of ours that a file of the crate in `folder` names and may not name.
fn foreign_crates(folder: &str, (name, text): (&str, &str), allowed: &[&str]) -> Vec<String> {
    let own = crate_in(folder);
    let code = code(text).join("\n");
    let words: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let mut found: Vec<String> = ours().into_iter().filter(|it| words.contains(&**it)).collect();
    found.retain(|it| *it != own && !is_allowed(allowed, it) && !QUOTED.contains(&(name, it)));
    if code.contains("softmark::") {
        found.push("softmark".to_owned());
    }
    found.iter().map(|it| format!("{name}: names `{it}`")).collect()
}

#[test]
fn crates_name_only_allowed_crates() {
    let mut problems = Vec::new();
    for (row, allowed) in ALLOWED_CRATES.iter().filter(|(row, _)| !row.is_empty()) {
        for folder in folders_of(row) {
            for part in ["src", "benches", "examples"] {
                let part = format!("{folder}/{part}");
                if !root().join(&part).is_dir() {
                    continue;
                }
                for (name, text) in sources(&part) {
                    problems.extend(foreign_crates(&folder, (&name, &text), allowed));
                }
            }
        }
    }
    fail_with(&problems);
}

#[test]
fn a_crate_that_is_not_allowed_is_noticed() {
    let text = "//! Doc.\nuse encoder_exam::truth;\nuse debugging_solution::Submission;\n";
    let found = |folder, allowed: &[&str]| foreign_crates(folder, ("x.rs", text), allowed).len();
    assert_eq!(found("crates/softmark-exam", &["softmark_exam"]), 2);
    assert_eq!(found("solutions/debugging", &[]), 1);
    assert_eq!(found("solutions/debugging/exam", &["*_exam"]), 1);
}

/// Returns the packages that a package's library and its programs link or are built with.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let tables = targets.filter_map(toml::Value::as_table).chain([manifest]);
    let lists = tables.flat_map(|table| {
        ["dependencies", "build-dependencies"].map(|list| table.get(list)?.as_table())
    });
    lists.flatten().flat_map(toml::Table::keys).map(|name| name.replace('-', "_")).collect()
}

/// Returns the dependencies of a manifest that the package may not have.
fn foreign_dependencies(folder: &str, text: &str, allowed: &[&str]) -> Vec<String> {
    let (own, ours) = (crate_in(folder), ours());
    let is_foreign = |name: &String| {
        // The program lists the built-in exams.
        let is_built_in = folder.is_empty() && is_allowed(&["*_exam"], name);
        ours.contains(name) && *name != own && !is_built_in && !is_allowed(allowed, name)
    };
    let foreign = dependencies(&toml::from_str(text).unwrap()).into_iter().filter(is_foreign);
    foreign.map(|name| format!("{folder}/Cargo.toml: depends on `{name}`")).collect()
}

#[test]
fn manifests_depend_only_on_allowed_crates() {
    let mut problems = Vec::new();
    for (row, allowed) in ALLOWED_CRATES {
        for folder in folders_of(row) {
            let path = root().join(&folder).join("Cargo.toml");
            let text = fs::read_to_string(path).unwrap();
            problems.extend(foreign_dependencies(&folder, &text, allowed));
        }
    }
    fail_with(&problems);
}

#[test]
fn a_dependency_that_is_not_allowed_is_noticed() {
    let text = "[dependencies]\nencoder-exam.workspace = true\nserde = '1'\n\
                [target.'cfg(unix)'.dependencies]\ndebugging-solution = { path = 'x' }\n";
    assert_eq!(foreign_dependencies("crates/softmark-exam", text, &["softmark_exam"]).len(), 2);
    assert_eq!(foreign_dependencies("solutions/debugging/exam", text, &["*_exam"]).len(), 1);
    assert_eq!(foreign_dependencies("", text, &[]).len(), 1);
}

/// Every crate of the workspace has a row in [`ALLOWED_CRATES`].
#[test]
fn the_list_of_crates_is_complete() {
    let listed: BTreeSet<String> =
        ALLOWED_CRATES.iter().flat_map(|(row, _)| folders_of(row)).collect();
    let packages = packages(&["--workspace", "--depth", "0"]);
    let home = format!("{}/", root().display());
    let folders = packages.iter().filter_map(|package| {
        // Before the path of a macro stands that it is one.
        let path = package.split('(').skip(1).find(|it| it.starts_with('/'))?.split(')').next()?;
        Some(format!("{path}/").strip_prefix(&home)?.trim_end_matches('/').to_owned())
    });
    assert_eq!(folders.collect::<BTreeSet<String>>(), listed);
}

/// Returns the packages that a member links, of which `is_meant` is true.
fn linked(member: &str, edges: &str, is_meant: impl Fn(&str) -> bool) -> Vec<String> {
    let packages = packages(&["--package", member, "--edges", edges]);
    let names = packages.iter().filter_map(|package| package.split(' ').next());
    names.filter(|name| *name != member && is_meant(name)).map(str::to_owned).collect()
}

/// Exams and trusted crates are not for students: neither the program that contains student code nor the tests and
/// examples of students link them. A change in a crate that packs exclude builds no pack anew, so no pack may
/// contain one.
#[test]
fn no_student_process_links_an_exam_or_an_excluded_crate() {
    let key = fs::read_to_string(root().join("src/build/key.rs")).unwrap();
    let (_, list) = key.split_once("const EXCLUDED").unwrap();
    let list = list.split("];").next().unwrap_or_default();
    assert_eq!(list.split('"').skip(1).step_by(2).collect::<Vec<_>>(), EXCLUDED);
    let mut members = vec!["softmark-worker".to_owned()];
    members.extend(suites().iter().map(|suite| format!("{}-solution", suite.id)));
    for member in members {
        let is_trusted = |name: &str| TRUSTED.contains(&name) || name.ends_with("-exam");
        let is_excluded = |name: &str| EXCLUDED.contains(&name) || is_trusted(name);
        let found = linked(&member, "normal,build", is_excluded);
        assert!(found.is_empty(), "{member} links {found:?}");
        let found = linked(&member, "normal,build,dev", is_trusted);
        assert!(found.is_empty(), "{member} links {found:?} in its tests or examples");
    }
}

/// The dependencies of a skeleton are those of its solution: a student starts from the manifest.
#[test]
fn assignments_and_solutions_have_the_same_dependencies() {
    let of = |path: &Path| -> BTreeSet<String> {
        let manifest = fs::read_to_string(path.join("Cargo.toml")).unwrap();
        let from = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let lines = from.lines().take_while(|line| !line.starts_with("[lints"));
        lines.filter(|line| line.contains("workspace = true")).map(str::to_owned).collect()
    };
    for entry in fs::read_dir(root().join("assignments")).unwrap() {
        let path = entry.unwrap().path();
        let solution = root().join("solutions").join(path.file_name().unwrap());
        assert_eq!(of(&path), of(&solution), "{}", path.display());
    }
}

/// The packages that `cargo tree` lists with their features.
#[expect(clippy::disallowed_methods, reason = "cargo needs no sandbox")]
fn packages(options: &[&str]) -> BTreeSet<String> {
    let args = ["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"];
    let mut command = Command::new(env!("CARGO"));
    let tree = command.args(args).args(options).current_dir(root()).output().unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let text = String::from_utf8(tree.stdout).unwrap();
    text.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

/// Comparing numbers takes no tensor library: what judges is small, and compiles without candle.
#[test]
fn the_grader_links_neither_candle_nor_the_kit() {
    for of in ["softmark", "softmark-checks"] {
        let packages = packages(&["--package", of, "--edges", "normal"]);
        assert!(packages.iter().any(|it| it.starts_with("softmark-common ")), "{of}: {packages:?}");
        let theirs = ["candle", "softmark-kit ", "softmark-worker ", "softmark-data "];
        let is_theirs = |it: &&String| theirs.iter().any(|their| it.starts_with(their));
        let found: Vec<&String> = packages.iter().filter(is_theirs).collect();
        assert!(found.is_empty(), "{of} depends on {found:?}");
    }
}

/// A package that has other features in `cargo run` than in `cargo test` is built twice, and so is everything
/// that depends on it.
#[test]
fn cargo_run_and_cargo_test_share_one_build() {
    let tests = packages(&["--edges", "normal,build,dev"]);
    let only_run = packages(&["--edges", "no-dev"]);
    let other: Vec<&String> = only_run.difference(&tests).collect();
    assert!(other.is_empty(), "\n{other:#?}\nname them in [build-dependencies] of Cargo.toml");
}
