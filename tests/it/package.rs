//! Packages for platforms: what is in them, and that they grade where the platform would.

mod container;
mod github;
mod gradescope_results;

use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use tempfile::TempDir;
use zip::ZipArchive;

use crate::support::grade::Desk;
use container::Container;
use gradescope_results::problems;

/// Text that stands for the course's secret.
const SECRET: &str = "a secret of the course";

/// Returns the archive for Gradescope, which is made once.
fn gradescope_archive() -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("autograder.zip");
        let line = format!("package gradescope attention --out {}", out.display());
        let ran = Desk::new().env("SOFTMARK_SECRET", SECRET).grade(&line).exit(0);
        assert!(ran.stdout.contains("an assignment of 30.00 points"), "{ran}");
        folder
    });
    folder.path().join("autograder.zip")
}

fn text_of(archive: &mut ZipArchive<File>, name: &str) -> String {
    let mut text = String::new();
    archive.by_name(name).unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_archive_for_gradescope_holds_what_grading_needs_and_no_solution() {
    let mut archive = ZipArchive::new(File::open(gradescope_archive()).unwrap()).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    for needed in [
        "run_autograder",
        "setup.sh",
        "softmark/course/assignments/attention/assignment.toml",
        "softmark/course/softmark.pack",
        "softmark/grade",
        "softmark/toolchain.sha256",
    ] {
        assert!(names.iter().any(|name| name == needed), "no {needed}");
    }
    let is_rust = |name: &String| Path::new(name).extension().is_some_and(|it| it == "rs");
    let is_source = |name: &&String| is_rust(name) && !name.contains("/attention/src/");
    assert_eq!(names.iter().filter(is_source).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(!names.iter().any(|name| name.contains("encoder/") || name.contains("roster")));
    for (name, mode) in [("setup.sh", 0o755), ("run_autograder", 0o755), ("softmark/grade", 0o755)]
    {
        let found = archive.by_name(name).unwrap().unix_mode().unwrap();
        assert_eq!(found & 0o777, mode, "{name}");
    }
    for script in ["setup.sh", "run_autograder"] {
        let text = text_of(&mut archive, script);
        assert!(text.starts_with("#!/bin/sh\n"), "{script}");
        assert!(!text.contains('@') && !text.contains('\r'), "{script} is not filled in: {text}");
    }
    assert_eq!(text_of(&mut archive, "softmark/course/softmark.secret").trim(), SECRET);
    let checksums = text_of(&mut archive, "softmark/toolchain.sha256");
    assert!(checksums.lines().any(|line| line.ends_with("  bin/rustc")), "{checksums}");
    let mode = gradescope_archive().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "others could read the secret");
}

/// A submission whose code asks for the file with the course's secret.
const THIEF: &str = "pub const SECRET: &str = \
                     include_str!(\"/autograder/source/softmark/course/softmark.secret\");\n";

/// Metadata of a submission, as Gradescope documents it.
fn metadata() -> String {
    json!({
        "id": 123_456,
        "created_at": "2026-11-20T10:00:00.000000-05:00",
        "assignment": { "due_date": "2026-11-26T23:59:00-05:00", "total_points": "25.0" },
        "submission_method": "upload",
        "users": [{ "email": "amara@example.edu", "id": 52, "name": "Amara Okafor" }],
        "previous_submissions": []
    })
    .to_string()
}

fn score(results: &Value) -> Option<f64> {
    results.get("score").and_then(Value::as_f64)
}

#[test]
fn submissions_are_graded_in_a_container_like_gradescopes() {
    let Some(container) = Container::new(&gradescope_archive()) else { return };
    let container = container
        .submission("solution", "solutions/attention")
        .submission("hiroshi", "fixtures/class/hiroshi")
        .submission("wrapped/work", "fixtures/class/bao")
        .submission("thief", "solutions/attention")
        .file("submissions/thief/src/pooling.rs", THIEF)
        .file("submissions/empty/notes.txt", "I could not do it.")
        .file("submission_metadata.json", &metadata());
    let ran = container.run();
    let setup = container.read("setup.txt");
    assert!(setup.contains("The grader works here."), "{setup}\n{ran}");
    assert_eq!(ran.code, 0, "{ran}");
    for name in ["solution", "hiroshi", "wrapped", "thief", "empty"] {
        let (results, said) = container.results(name);
        assert_eq!(problems(&results), Vec::<String>::new(), "{name}: {results}\n{said}");
        let text = results.to_string();
        assert!(!text.contains(SECRET) && !said.contains(SECRET), "{name}");
        assert!(said.contains("worth 25 points on the platform, and 30.00 here"), "{said}");
        assert!(said.contains("isolation landlock"), "{said}");
    }
    assert_eq!(score(&container.results("solution").0), Some(30.0));
    let (hiroshi, _) = container.results("hiroshi");
    assert_eq!(score(&hiroshi), Some(28.5));
    assert!(hiroshi["execution_time"].as_f64().unwrap() > 0.0);
    let failed = hiroshi["tests"].as_array().unwrap().iter().find(|it| it["status"] == "failed");
    let failed = failed.unwrap();
    assert!(failed["output"].as_str().unwrap().contains("missing-scale"), "{failed}");
    assert_eq!(failed["tags"], json!(["scaled-dot-product"]));
    assert_eq!(score(&container.results("wrapped").0), Some(14.0));
    let (empty, _) = container.results("empty");
    assert_eq!(score(&empty), Some(0.0));
    assert!(empty["output"].as_str().unwrap().contains("src"), "{empty}");
    // The file that asks for the secret does not compile.
    let (thief, _) = container.results("thief");
    assert!(score(&thief).unwrap() < 30.0, "{thief}");
}

#[test]
fn a_grader_that_fails_in_the_container_gives_no_score() {
    let Some(container) = Container::new(&gradescope_archive()) else { return };
    let container = container
        .submission("damaged", "solutions/attention")
        .file("submission_metadata.json", "no JSON")
        .before_grading("for library in source/softmark/cache/packs/*/student/*kit*.rlib; do echo >> $library; done");
    let ran = container.run();
    assert_ne!(ran.code, 0, "{ran}");
    let (results, said) = container.results("damaged");
    assert_eq!((score(&results), results.get("tests")), (None, None), "{results}");
    assert!(results["output"].as_str().unwrap().contains("not your fault"), "{results}");
    assert!(said.contains("libraries are not in"), "{said}");
    assert_eq!(problems(&results), ["neither a score nor tests"]);
}

#[test]
fn what_cannot_be_packaged_is_told() {
    let desk = Desk::new();
    let ran = desk.grade("package gradescope atention --out a.zip").exit(64);
    assert!(ran.stderr.contains("`attention`"), "{ran}");
    let ran = desk.grade("package gradescope attention --out nowhere/a.zip").exit(64);
    assert!(ran.stderr.contains("there is no folder nowhere"), "{ran}");
    assert!(!Path::new("a.zip").exists());
}
