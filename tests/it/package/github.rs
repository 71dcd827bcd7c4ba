//! The folder for GitHub, and its action, run with a stand-in for the container.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use softmark::model::Run;
use softmark::report::{self, Audience, Format, Layout};

use crate::support::exams::CATALOG;
use crate::support::grade::{Desk, Ran};
use crate::support::records::{grader, record};

/// Stands for `docker run`: translates the paths of the container, and runs the packaged program.
const DOCKER: &str = r#"#!/bin/sh
set -eu
paths=
while [ "$1" != grader:test ]; do
    if [ "$1" = --volume ]; then
        shift
        inside=${1#*:}
        paths="$paths;s#^${inside%%:*}#${1%%:*}#"
    fi
    shift
done
shift
for argument do
    shift
    set -- "$@" "$(printf '%s' "$argument" | sed "${paths#;}")"
done
SOFTMARK_HOME="$PACKAGE/course" SOFTMARK_CACHE="$PACKAGE/cache" exec "$PACKAGE/grade" "$@"
"#;

/// Returns the script of the action.
fn script(action: &str) -> String {
    let script = action.split("      run: |\n").nth(1).unwrap();
    let lines = script.lines().map(|line| line.strip_prefix("        ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// Runs the action on the folder `submissions` at the desk, with a package at `github`.
fn act(desk: &Desk, submissions: &str) -> Ran {
    act_with_results(desk, submissions, &format!("results-{submissions}"))
}

/// Runs the action with a folder for the results.
fn act_with_results(desk: &Desk, submissions: &str, results: &str) -> Ran {
    let action = desk.read("github/action.yml");
    let mut command = desk.other("bash");
    let programs = std::env::var_os("PATH").unwrap();
    let folders = std::iter::once(desk.path("bin")).chain(std::env::split_paths(&programs));
    let path = std::env::join_paths(folders).unwrap();
    command
        .args(["-e", "-c", &script(&action)])
        .env("PATH", path)
        .env("PACKAGE", desk.path("github/softmark"))
        .env("IMAGE", "grader:test")
        .env("SUBMISSIONS", submissions)
        .env("RESULTS", results)
        .env("GITHUB_OUTPUT", desk.path("output"))
        .env("GITHUB_STEP_SUMMARY", desk.path("summary"));
    Ran::of(&command.output().unwrap())
}

/// Returns the result that the action gave to later steps.
fn result(desk: &Desk) -> Option<Value> {
    let output = fs::read_to_string(desk.path("output")).ok()?;
    let encoded = output.trim().strip_prefix("result=")?.to_owned();
    let mut command = desk.other("sh");
    command.args(["-c", "printf %s \"$1\" | base64 -d", "decode", &encoded]);
    serde_json::from_str(&Ran::of(&command.output().unwrap()).exit(0).stdout).ok()
}

fn scores(result: &Value) -> f64 {
    let tests = result["tests"].as_array().unwrap();
    tests.iter().map(|test| test["score"].as_f64().unwrap()).sum()
}

/// Asserts that a result has the fields that the reporter of GitHub Classroom reads, and no others.
fn assert_is_a_result(result: &Value) {
    let fields: Vec<&String> = result.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["max_score", "status", "tests", "version"]);
    assert_eq!(result["version"], 1);
    assert!(["pass", "fail"].contains(&result["status"].as_str().unwrap()), "{result}");
    for test in result["tests"].as_array().unwrap() {
        let fields: Vec<&String> = test.as_object().unwrap().keys().collect();
        let expected =
            ["duration", "filename", "line_no", "message", "name", "score", "status", "test_code"];
        assert_eq!(fields, expected);
    }
}

#[test]
fn the_action_reports_points_and_a_summary() {
    let desk = Desk::new()
        .env("SOFTMARK_SECRET", "a secret of the course")
        .file("bin/docker", DOCKER)
        .submission("hiroshi", "fixtures/class/hiroshi")
        .class(&["amara", "chiara"]);
    fs::set_permissions(desk.path("bin/docker"), Permissions::from_mode(0o755)).unwrap();
    desk.grade("package github attention --out github").exit(0);
    let again = desk.grade("package github attention --out github").exit(64);
    assert!(again.stderr.contains("github is not empty"), "{again}");
    for name in ["Containerfile", "README.md", "action.yml", "classroom.yml", "grade-class.yml"] {
        let text = desk.read(&format!("github/{name}"));
        assert!(!text.contains("@ASSIGNMENT@") && !text.contains("@VERSION@"), "{name}");
    }
    let mode = fs::metadata(desk.path("github")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);

    act(&desk, "hiroshi").exit(0);
    let found = result(&desk).unwrap();
    assert_is_a_result(&found);
    assert_eq!((scores(&found), found["max_score"].as_f64()), (28.5, Some(30.0)));
    assert_eq!(found["status"], "fail");
    assert!(desk.read("summary").contains("28.50"), "{}", desk.read("summary"));

    fs::remove_file(desk.path("output")).unwrap();
    act(&desk, "class").exit(0);
    assert_eq!(result(&desk), None, "a class has no single result");
    assert!(desk.read("summary").contains("chiara"));

    // A submission must not bring results of its own: the ledger there could have overrides.
    fs::remove_file(desk.path("summary")).unwrap();
    for inside in ["hiroshi", "hiroshi/softmark-results", "class/../hiroshi/./deep/er"] {
        let ran = act_with_results(&desk, "hiroshi", inside).exit(64);
        assert!(ran.stderr.contains("is in that of the submissions"), "{ran}");
    }
    assert!(!desk.path("summary").exists() && !desk.path("hiroshi/softmark-results").exists());
    let default = "${{ inputs.results || format('{0}/softmark-results', runner.temp) }}";
    assert!(desk.read("github/action.yml").contains(default));

    // Where the grader fails, nothing is reported, and the job fails.
    fs::remove_dir_all(desk.path("github/softmark/cache/packs")).unwrap();
    let ran = act(&desk, "hiroshi").exit(2);
    assert!(ran.stderr.contains("libraries are not in"), "{ran}");
    assert_eq!(result(&desk), None);
}

#[test]
fn a_missing_grade_is_not_reported_as_zero_points() {
    let run = Run { grader: grader(), records: vec![record("no-grade")] };
    let view = Audience::Staff.view(&run);
    let format = (Format::Classroom, Layout::default());
    let error = report::write(&view, CATALOG, format, &mut Vec::new());
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with("has no grade, and GitHub Classroom would show 0 points"), "{error}");
    for name in ["rejected", "build-failed", "named-mistakes"] {
        let run = Run { grader: grader(), records: vec![record(name)] };
        let mut out = Vec::new();
        report::write(&Audience::Staff.view(&run), CATALOG, format, &mut out).unwrap();
        let result: Value = serde_json::from_slice(&out).unwrap();
        assert_is_a_result(&result);
        assert_eq!(scores(&result), run.records[0].points.to_f64(), "{name}");
        assert_eq!(result["status"], "fail", "{name}");
    }
}
