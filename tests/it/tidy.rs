//! Tests that the code keeps to ARCHITECTURE.md: order of modules, dependencies between crates, size and
//! documentation of files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use softmark_exam::Suite;

use crate::support::exams::suites;

/// The grader's modules; each uses only those before it.
const ORDER: [&str; 19] = [
    "model",
    "clock",
    "digest",
    "spreadsheet",
    "assignment",
    "intake",
    "build",
    "session",
    "suite",
    "diagnose",
    "score",
    "store",
    "marks",
    "pipeline",
    "fixtures",
    "calibrate",
    "report",
    "audit",
    "cli",
];

/// Our crates that a crate may name and depend on.
const ALLOWED_CRATES: [(&str, &[&str]); 13] = [
    ("crates/softmark-common", &[]),
    ("crates/softmark-wire", &[]),
    ("crates/softmark-kit", &["softmark_common"]),
    ("crates/softmark-worker", &["softmark_kit", "softmark_wire"]),
    ("crates/softmark-checks", &["softmark_common", "softmark_wire"]),
    ("crates/softmark-data", &["softmark_kit"]),
    ("crates/softmark-plot", &[]),
    ("crates/softmark-sandbox", &[]),
    ("crates/softmark-untrusted", &[]),
    (
        "crates/softmark-exam",
        &["softmark_checks", "softmark_common", "softmark_untrusted", "softmark_wire"],
    ),
    ("crates/softmark-pretrain", &["softmark_kit"]),
    ("assignments", &["softmark_kit", "softmark_plot"]),
    ("solutions", &["softmark_kit"]),
];

/// Files that name a crate in a message, in a list for students or in the text of a program, and do not use it.
const QUOTED: [(&str, &str); 8] = [
    ("crates/softmark-checks/src/encoder/dropout.rs", "softmark_kit"),
    ("crates/softmark-checks/src/source/forbidden.rs", "softmark_kit"),
    ("crates/softmark-exam/src/check/gradient.rs", "softmark_kit"),
    ("crates/softmark-exam/src/program.rs", "softmark_worker"),
    ("solutions/attention/exam/src/lib.rs", "attention_solution"),
    ("solutions/debugging/exam/src/lib.rs", "debugging_solution"),
    ("solutions/encoder/exam/src/lib.rs", "encoder_solution"),
    ("solutions/prefix-tuning/exam/src/lib.rs", "prefix_tuning_solution"),
];

/// Our crates that the grader may depend on, apart from the exams that `main.rs` lists.
const GRADER: &[&str] = &[
    "softmark_checks",
    "softmark_common",
    "softmark_exam",
    "softmark_sandbox",
    "softmark_untrusted",
    "softmark_wire",
];

/// Our crates that the exam of an assignment may name, apart from other exams.
const EXAM: &[&str] = &["softmark_checks", "softmark_common", "softmark_exam", "softmark_wire"];

/// Our crates, as code names them; the grader is `softmark::`, because all others begin with that name.
const OURS: [&str; 20] = [
    "softmark_common",
    "softmark_kit",
    "softmark_wire",
    "softmark_worker",
    "softmark_checks",
    "softmark_data",
    "softmark_plot",
    "softmark_pretrain",
    "softmark_exam",
    "softmark_untrusted",
    "softmark_sandbox",
    "attention_exam",
    "debugging_exam",
    "encoder_exam",
    "prefix_tuning_exam",
    "attention_solution",
    "debugging_solution",
    "encoder_solution",
    "prefix_tuning_solution",
    "softmark::",
];

/// Crates that no pack contains and no key of a pack depends on, as `src/build/key.rs` lists them.
const EXCLUDED: [&str; 7] = [
    "softmark-checks",
    "softmark-data",
    "softmark-exam",
    "softmark-plot",
    "softmark-pretrain",
    "softmark-sandbox",
    "softmark-untrusted",
];

/// Crates that not even the tests and examples of students link.
const TRUSTED: [&str; 2] = ["softmark-exam", "softmark-sandbox"];

/// Most lines of code in a file, tests apart.
const MAX_LINES: usize = 400;

/// Writers of a format, which escape whatever they print.
const WRITERS: [&str; 4] = [
    "src/audit/terminal.rs",
    "src/cli/printer.rs",
    "src/report/csv.rs",
    "src/report/html/escape.rs",
];

/// Files that use text from submissions without escapes, and for what.
const RAW: [(&str, &str); 17] = [
    ("crates/softmark-exam/src/check/hunt.rs", "stores names in the kill matrix"),
    ("src/build/salvage.rs", "parses the compiler's output"),
    ("src/cli/commands/mark.rs", "finds a record by its name"),
    ("src/intake/apart.rs", "makes names of submissions"),
    ("src/intake/stray.rs", "compares names of submissions"),
    ("src/marks.rs", "writes CSV"),
    ("src/pipeline/archive.rs", "finds a record by its name"),
    ("src/pipeline/broken.rs", "makes and parses stored notes"),
    ("src/pipeline/draft.rs", "quotes an id for a shell"),
    ("src/pipeline/run.rs", "computes pseudonyms from names"),
    ("src/pipeline/submission.rs", "finds a pseudonym, extends a stored reason"),
    ("src/report/evidence.rs", "compares ids of checks"),
    ("src/report/html/submission.rs", "finds a mistake by its id"),
    ("src/report/junit.rs", "compares ids of checks"),
    ("src/report/terminal/submission.rs", "finds a mistake by its id"),
    ("src/store/database.rs", "writes SQL parameters"),
    ("src/store/folder.rs", "finds a record by its name"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every `.rs` file below a folder of the project, in the order of their paths.
pub(crate) fn sources(folder: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let name = path.strip_prefix(root()).unwrap().display().to_string();
                found.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The lines before a file's tests that are neither empty nor comments.
fn code(text: &str) -> Vec<&str> {
    let before_tests = text.split("\n#[cfg(test)]").next().unwrap_or_default();
    let lines = before_tests.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).collect()
}

fn fail_with(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

/// The module below `src/` that a file belongs to; `None` for `main.rs` and `lib.rs`.
fn module_of(name: &str) -> Option<&str> {
    let inside = name.strip_prefix("src/")?;
    let module = inside.split('/').next()?.trim_end_matches(".rs");
    (!["main", "lib"].contains(&module)).then_some(module)
}

/// The grader's modules that a line names as `crate::module`, groups in braces included.
fn named_modules(line: &str) -> Vec<&str> {
    line.split("crate::")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
        .collect()
}

fn modules_used_too_early(name: &str, text: &str) -> Vec<String> {
    let place = |module: &str| ORDER.iter().position(|it| *it == module);
    let Some(module) = module_of(name) else { return Vec::new() };
    let Some(own) = place(module) else {
        return vec![format!("{name}: the module `{module}` has no place in ORDER")];
    };
    code(text)
        .into_iter()
        .flat_map(named_modules)
        .filter(|used| place(used).is_some_and(|at| at > own))
        .map(|used| format!("{name}: `{module}` uses `{used}`, which comes after it"))
        .collect()
}

#[test]
fn modules_use_only_earlier_ones() {
    let problems: Vec<String> =
        sources("src").iter().flat_map(|(name, text)| modules_used_too_early(name, text)).collect();
    fail_with(&problems);
}

#[test]
fn a_module_that_uses_a_later_one_is_noticed() {
    let text = "//! Doc.\nuse crate::report::write;\n";
    assert_eq!(modules_used_too_early("src/model/points.rs", text).len(), 1);
    assert_eq!(modules_used_too_early("src/cli/run.rs", text).len(), 0);
    assert_eq!(modules_used_too_early("src/novel.rs", text).len(), 1);
}

/// Returns the name in code of the crate that a file belongs to.
fn crate_of(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    let name = match parts.as_slice() {
        ["solutions", id, "exam", ..] => format!("{id}-exam"),
        ["solutions", id, ..] => format!("{id}-solution"),
        [_, name, ..] => (*name).to_owned(),
        _ => String::new(),
    };
    name.replace('-', "_")
}

/// True if a crate, by its name in code, may name another of ours.
fn may_name(own: &str, allowed: &[&str], other: &str) -> bool {
    let is_exam = |name: &str| name.ends_with("_exam") && name != "softmark_exam";
    other == own || allowed.contains(&other) || is_exam(own) && is_exam(other)
}

/// Returns the crates of ours that a file names and may not name.
fn foreign_crates(name: &str, text: &str, allowed: &[&str]) -> Vec<String> {
    let own = crate_of(name);
    let allowed = if name.contains("/exam/") { EXAM } else { allowed };
    let is_foreign = |ours: &&&str| {
        let is_named = code(text).iter().any(|line| line.contains(**ours));
        is_named && !may_name(&own, allowed, ours) && !QUOTED.contains(&(name, **ours))
    };
    OURS.iter().filter(is_foreign).map(|ours| format!("{name}: names `{ours}`")).collect()
}

#[test]
fn crates_name_only_allowed_crates() {
    let mut problems = Vec::new();
    for (folder, allowed) in ALLOWED_CRATES {
        // The tests of an assignment call the worker and the checks on it.
        let files = sources(folder).into_iter().filter(|(name, _)| !name.contains("/tests/"));
        problems.extend(files.flat_map(|(name, text)| foreign_crates(&name, &text, allowed)));
    }
    fail_with(&problems);
}

#[test]
fn a_crate_that_is_not_allowed_is_noticed() {
    let text = "//! Doc.\nuse encoder_exam::truth;\nuse debugging_solution::Submission;\n";
    assert_eq!(foreign_crates("crates/softmark-exam/src/lib.rs", text, EXAM).len(), 2);
    assert_eq!(foreign_crates("solutions/debugging/src/lib.rs", text, &[]).len(), 1);
    assert_eq!(foreign_crates("solutions/debugging/exam/src/rubric.rs", text, &[]).len(), 1);
}

/// Returns the dependencies of a package that its library and its programs link or are built with.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let tables = targets.filter_map(toml::Value::as_table).chain([manifest]);
    let lists = tables.flat_map(|table| {
        ["dependencies", "build-dependencies"].map(|list| table.get(list)?.as_table())
    });
    lists.flatten().flat_map(toml::Table::keys).cloned().collect()
}

/// True for packages of this workspace, by their names: all of ours begin or end so.
fn is_ours(package: &str) -> bool {
    package.starts_with("softmark-") || package.ends_with("-exam") || package.ends_with("-solution")
}

/// Returns the dependencies of a manifest that the package may not have.
fn foreign_dependencies(path: &str, text: &str, allowed: &[&str]) -> Vec<String> {
    let own = crate_of(path);
    let is_foreign = |name: &String| {
        let other = name.replace('-', "_");
        let is_built_in = path == "Cargo.toml" && other.ends_with("_exam");
        is_ours(name) && !is_built_in && !may_name(&own, allowed, &other)
    };
    let foreign = dependencies(&toml::from_str(text).unwrap()).into_iter().filter(is_foreign);
    foreign.map(|name| format!("{path}: depends on `{name}`")).collect()
}

/// Returns the manifests of the grader, the crates, the assignments, the solutions and the exams, with the crates
/// that they may depend on.
fn manifests() -> Vec<(String, &'static [&'static str])> {
    let mut manifests = vec![("Cargo.toml".to_owned(), GRADER)];
    for (folder, allowed) in ALLOWED_CRATES {
        if folder.starts_with("crates/") {
            manifests.push((format!("{folder}/Cargo.toml"), allowed));
            continue;
        }
        for suite in suites() {
            manifests.push((format!("{folder}/{}/Cargo.toml", suite.id), allowed));
        }
    }
    let exam = |suite: &Suite| (format!("solutions/{}/exam/Cargo.toml", suite.id), EXAM);
    manifests.extend(suites().iter().map(exam));
    manifests
}

#[test]
fn manifests_depend_only_on_allowed_crates() {
    let mut problems = Vec::new();
    for (path, allowed) in manifests() {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        problems.extend(foreign_dependencies(&path, &text, allowed));
    }
    fail_with(&problems);
}

#[test]
fn a_dependency_that_is_not_allowed_is_noticed() {
    let text = "[dependencies]\nencoder-exam.workspace = true\nserde = '1'\n\
                [target.'cfg(unix)'.dependencies]\ndebugging-solution = { path = 'x' }\n";
    assert_eq!(foreign_dependencies("crates/softmark-exam/Cargo.toml", text, EXAM).len(), 2);
    assert_eq!(foreign_dependencies("solutions/debugging/exam/Cargo.toml", text, EXAM).len(), 1);
    assert_eq!(foreign_dependencies("Cargo.toml", text, GRADER).len(), 1);
}

/// Every crate of the workspace has a row in the lists above.
#[test]
fn the_lists_of_crates_are_complete() {
    let folders = |folder: &str| {
        let entries = fs::read_dir(root().join(folder)).unwrap();
        let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
        paths.map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let mut ours = BTreeSet::from(["softmark::".to_owned()]);
    ours.extend(folders("crates").iter().map(|name| name.replace('-', "_")));
    for kind in ["exam", "solution"] {
        let of_kind = |id: &String| format!("{id}-{kind}").replace('-', "_");
        ours.extend(folders("solutions").iter().map(of_kind));
    }
    assert_eq!(ours, OURS.map(str::to_owned).into());
    for name in folders("crates") {
        let is_listed =
            ALLOWED_CRATES.iter().any(|(folder, _)| *folder == format!("crates/{name}"));
        assert!(is_listed, "ALLOWED_CRATES lacks {name}");
    }
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

/// Folders of the engine, which grades any assignment. `softmark-checks` and `softmark-worker` hold parts of the
/// built-in ones.
const ENGINE: [&str; 5] = [
    "src",
    "crates/softmark-exam",
    "crates/softmark-sandbox",
    "crates/softmark-untrusted",
    "crates/softmark-wire",
];

/// Modules of `softmark-checks` that belong to one assignment.
const OF_ONE_ASSIGNMENT: [&str; 4] = ["attention", "encoder", "debugging", "tuning"];

/// Files of the engine and names in them that are no knowledge of an assignment: the label of a row in the report,
/// which is also the id of a task, and the session over files with answers, which serves any assignment.
const GENERAL: [(&str, &str); 3] = [
    ("src/report/terminal/submission.rs", "\"detectors\""),
    ("src/pipeline/submission.rs", "softmark_checks::debugging"),
    ("src/audit/bench.rs", "softmark_checks::debugging"),
];

/// Returns the modules of [`OF_ONE_ASSIGNMENT`] that code names, also in groups with braces.
fn modules_of_one_assignment(code: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let named = code.split("softmark_checks::").skip(1).flat_map(|rest| {
        let end = if rest.starts_with('{') { rest.find(';') } else { rest.find(|c| !is_word(c)) };
        rest[..end.unwrap_or(rest.len())].split(move |c| !is_word(c))
    });
    let found = named.filter(|word| OF_ONE_ASSIGNMENT.contains(word));
    found.map(|module| format!("softmark_checks::{module}")).collect()
}

#[test]
fn the_engine_names_no_assignment_task_or_mistake() {
    let mut names = BTreeSet::new();
    for suite in suites() {
        names.insert(suite.id);
        names.extend((suite.checks)().iter().map(|entry| entry.check.task()));
        names.extend((suite.mistakes)().iter().map(|mistake| mistake.id));
    }
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let crates = ["_exam::SUITE", "_solution::"].map(str::to_owned);
    let mut problems = Vec::new();
    for (name, text) in ENGINE.iter().flat_map(|folder| sources(folder)) {
        if name == "src/main.rs" || name.contains("/tests/") {
            continue;
        }
        let code = code(&text).join("\n");
        let words = quoted.iter().chain(&crates).filter(|it| code.contains(it.as_str()));
        let found = words.cloned().chain(modules_of_one_assignment(&code));
        let found = found.filter(|found| !GENERAL.contains(&(name.as_str(), found.as_str())));
        problems.extend(found.map(|found| format!("{name}: names {found}")));
    }
    fail_with(&problems);
}

#[test]
fn a_module_of_one_assignment_is_noticed() {
    let found = |code| modules_of_one_assignment(code).len();
    assert_eq!(found("use softmark_checks::encoder::texts::with_empty_text;"), 1);
    assert_eq!(found("use softmark_checks::{\n    Case,\n    attention, tuning::Prefix,\n};"), 2);
    assert_eq!(found("use softmark_checks::{Case, defect};\nfn encoder() {}"), 0);
}

#[test]
fn files_are_short_and_documented_and_skip_no_test() {
    let mut problems = Vec::new();
    for folder in ["src", "crates", "assignments", "solutions", "tests"] {
        for (name, text) in sources(folder) {
            let lines = code(&text).len();
            if lines > MAX_LINES && !name.starts_with("tests/") {
                problems.push(format!("{name}: {lines} lines of code, at most {MAX_LINES}"));
            }
            if !text.starts_with("//!") {
                problems.push(format!("{name}: does not begin with documentation of the file"));
            }
            if ["[should_panic", "[ignore"].iter().any(|it| text.contains(&format!("#{it}"))) {
                problems.push(format!("{name}: a test that is skipped or that expects a panic"));
            }
        }
    }
    fail_with(&problems);
}

/// Escapes of untrusted text that a file makes itself, and uses of text without escapes that [`RAW`] lacks.
fn unescaped(name: &str, text: &str) -> Vec<String> {
    let is_used = |word: &str| code(text).iter().any(|line| line.contains(word));
    let escapes = is_used("escape_line")
        && !WRITERS.contains(&name)
        && !name.starts_with("crates/softmark-untrusted/");
    // Ids of processes and users have a method of that name.
    let is_raw = |line: &str| {
        let is_ours = line.contains("as_raw()") && !line.contains("id().as_raw()");
        is_ours || line.contains("::as_raw)")
    };
    let raw = code(text).into_iter().any(is_raw);
    let is_known = RAW.iter().any(|(file, _)| *file == name);
    let mut problems = Vec::new();
    if escapes {
        problems.push(format!("{name}: escapes by hand; make the text an `Untrusted`"));
    }
    if raw != is_known {
        problems.push(format!("{name}: uses `as_raw`: {raw}, listed in RAW: {is_known}"));
    }
    problems
}

#[test]
fn text_of_submissions_is_escaped_by_its_type() {
    let files = ["src", "crates/softmark-exam"].into_iter().flat_map(sources);
    let problems: Vec<String> = files.flat_map(|(name, text)| unescaped(&name, &text)).collect();
    fail_with(&problems);
}

#[test]
fn an_escape_by_hand_is_noticed() {
    let by_hand = "let shown = escape_line(&text);\n";
    assert_eq!(unescaped("src/report/junit.rs", by_hand).len(), 2);
    assert_eq!(unescaped("src/report/csv.rs", by_hand).len(), 0);
    assert_eq!(unescaped("src/report/csv.rs", "let text = text.as_raw();\n").len(), 1);
}

#[test]
fn main_is_thin() {
    let main = fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 25, "src/main.rs has {} lines", main.lines().count());
}

#[test]
fn the_architecture_page_names_every_module_and_crate() {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for module in ORDER {
        assert!(page.contains(&format!("| `{module}` |")), "ARCHITECTURE.md lacks `{module}`");
        let path = root().join("src").join(module);
        assert!(path.is_dir() || path.with_extension("rs").is_file(), "there is no `{module}`");
    }
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(page.contains(&format!("`{name}`")), "ARCHITECTURE.md lacks `{name}`");
    }
}

#[test]
fn lib_lists_modules_in_their_order() {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let listed: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(listed, ORDER);
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
    let is_other = |package: &&String| !package.starts_with("softmark-data ");
    let other: Vec<&String> = only_run.difference(&tests).filter(is_other).collect();
    assert!(other.is_empty(), "\n{other:#?}\nname them in [build-dependencies] of Cargo.toml");
}
