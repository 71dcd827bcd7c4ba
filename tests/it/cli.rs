//! The command line: help, mistakes in what was typed, and exit codes. Nothing here is graded.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

use insta::assert_snapshot;

use crate::support::grade::{Desk, HOME, Ran};
use crate::support::mask;
use crate::support::pack::cache;

/// A desk with two submissions that are never graded.
fn desk() -> Desk {
    Desk::new()
        .submission("class/amara", "assignments/attention")
        .submission("class/bao", "assignments/attention")
}

/// What a command says, as it stands in a snapshot.
fn transcript(desk: &Desk, lines: &[&str]) -> String {
    let told = lines.iter().map(|line| format!("$ grade {line}\n{}", desk.grade(line)));
    told.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn help_tells_what_can_be_typed() {
    let desk = Desk::new().env("COLUMNS", "100");
    for (name, line) in [
        ("grade", "--help"),
        ("run", "run --help"),
        ("show", "show --help"),
        ("mark", "mark --help"),
        ("feedback", "feedback --help"),
        ("similar", "similar --help"),
        ("log", "log --help"),
        ("diff", "diff --help"),
        ("override", "override --help"),
        ("appeal", "appeal open --help"),
        ("stats", "stats --help"),
        ("explain", "explain --help"),
        ("audit", "audit --help"),
        ("calibrate", "calibrate --help"),
        ("doctor", "doctor --help"),
        ("package-gradescope", "package gradescope --help"),
        ("package-github", "package github --help"),
        ("course", "course --help"),
        ("course-check", "course check --help"),
        ("course-grades", "course grades --help"),
    ] {
        let ran = desk.grade(line).exit(0);
        assert_eq!(ran.stderr, "", "help is data");
        assert_snapshot!(format!("help.{name}"), ran.stdout);
    }
    assert_snapshot!("help.short", desk.grade("-h").exit(0).stdout);
    assert_eq!(desk.grade("--version").exit(0).stdout, "grade 0.1.0\n");
}

#[test]
fn help_fits_a_narrow_terminal() {
    let ran = Desk::new().env("COLUMNS", "60").grade("--help").exit(0);
    for line in ran.stdout.lines() {
        assert!(line.chars().count() <= 66, "{line}");
    }
}

#[test]
fn mistakes_in_what_was_typed_are_told() {
    let desk = desk().file("empty/notes.txt", "").file("taken", "");
    assert_snapshot!(
        "usage",
        transcript(
            &desk,
            &[
                "",
                "class --bogus",
                "class --format yaml",
                "class --jobs 0",
                "class --require 101",
                "class --seed -1",
                "class --device cuda",
                "class --device cuda:3",
                "class --device gpu",
                "class --only multi-head/[",
                "--jobs 2 show amara",
            ]
        )
    );
    for line in ["", "class --jobs 0", "class --device gpu", "class --only ["] {
        desk.grade(line).exit(64);
    }
}

/// A negative number is a wrong value, and never taken for an option.
#[test]
fn negative_numbers_are_told_as_what_they_are() {
    let desk = desk();
    for line in [
        "class --jobs -1",
        "class --require -1",
        "class --chunks -2 --on slurm",
        "regrade --jobs -1",
        "similar class --least -1",
        "audit modern --seeds -1",
        "calibrate modern --seeds -1",
        "calibrate modern --seed -1",
        "doctor --probes -1",
        "override amara a/b --points -1 --reason r --by O",
        "mark amara explanation -1 --by O",
    ] {
        let told = desk.grade(line).exit(64).stderr;
        assert!(told.contains("-1") || told.contains("-2"), "{line}: {told}");
        assert!(!told.contains("tip:") && !told.contains("unexpected argument"), "{line}: {told}");
    }
}

#[test]
fn what_is_not_there_is_told() {
    let desk = desk().file("empty/notes.txt", "").file("taken", "");
    let lines = [
        "nowhere",
        "empty",
        "taken",
        "class --assignment atention",
        "class --assignment ../attention",
        "class --only multi-haed/parameters",
        "class --only nothing-like-it",
        "class --out taken",
        "class --format gradescope",
        "show amara",
        "explain mising-scale",
        "explain nothing-like-it",
    ];
    assert_snapshot!("not-there", mask::home(&transcript(&desk, &lines)));
    for line in lines {
        desk.grade(line).exit(64);
    }
    assert_eq!(desk.list("results"), Vec::<String>::new(), "nothing was written");
    assert_eq!(desk.read("taken"), "");
}

#[test]
fn a_broken_project_is_nobodys_grade() {
    let desk = desk()
        .file("home/softmark.toml", "title = \"A course\"\n")
        .file("home/solutions/readme", "")
        .file("home/assignments/attention/assignment.toml", "id = \"attention\"\npoints = many\n");
    let told = |desk: &Desk| {
        let ran = desk.grade("class").exit(2);
        assert_eq!(ran.stdout, "");
        assert_eq!(desk.list("results"), Vec::<String>::new(), "nothing was written");
        let dir = desk.path("").display().to_string();
        mask::home(&ran.stderr.replace(dir.trim_end_matches('/'), "[desk]"))
    };
    let nowhere = desk.env("SOFTMARK_HOME", "nowhere");
    assert_snapshot!(told(&nowhere), @r"
    error: nowhere, which SOFTMARK_HOME names, is no course: it has no `softmark.toml`
    hint: go to the folder of the course, or set SOFTMARK_HOME to it; `grade new course DIR` makes one
    ");
    let path = nowhere.path("home");
    let broken = nowhere.env("SOFTMARK_HOME", path);
    assert_snapshot!(told(&broken), @r"
    error: [desk]/home/assignments/attention/assignment.toml:2: string values must be quoted, expected literal string
    hint: mend the assignment and run again; nothing was graded
    ");
    let no_tools = broken.env("SOFTMARK_HOME", HOME).env("PATH", "/nowhere");
    assert_snapshot!(told(&no_tools), @r"
    error: rustc is not on the PATH; install Rust from https://rustup.rs
    hint: `grade doctor` tells what is there and what is not
    ");
}

#[test]
fn the_doctor_says_what_is_wanting() {
    let ran = Desk::new().grade("doctor").exit(0);
    for finding in ["ok  course", "ok  assignment  attention", "ok  toolchain   rustc 1."] {
        assert!(ran.stdout.contains(finding), "{ran}");
    }
    let cache = cache();
    let place = cache.file_name().unwrap().to_str().unwrap();
    let line = ran.stdout.split_once("ok  cache").unwrap().1;
    assert!(line.contains(" GiB of libraries for all") && line.contains(place), "{ran}");
    let (best, wanting) = softmark_sandbox::best_level(Path::new(env!("CARGO_BIN_EXE_grade")));
    assert!(ran.stdout.contains(&format!("isolation   level `{best}`")), "{ran}");
    for (level, _) in wanting {
        assert!(ran.stdout.contains(&format!("not `{level}`: ")), "{ran}");
    }
    let ran = Desk::new().env("PATH", "/nowhere").grade("doctor").exit(2);
    assert!(ran.stdout.contains("✗   toolchain   rustc is not on the PATH"), "{ran}");
    assert_snapshot!(ran.stderr, @r"
    error: this machine cannot grade yet
    hint: mend what is marked `✗` above, and look again
    ");
    let ran = Desk::new().env("SOFTMARK_HOME", "/nowhere").grade("doctor").exit(2);
    assert!(ran.stdout.contains("✗   course      /nowhere, which SOFTMARK_HOME names,"), "{ran}");
}

/// Whoever can write into the cache decides what the grader runs.
#[test]
fn a_cache_that_others_can_write_is_refused() {
    let desk = desk().file("cache/packs/readme", "");
    let cache = desk.path("cache");
    fs::set_permissions(&cache, Permissions::from_mode(0o777)).unwrap();
    let desk = desk.env("SOFTMARK_CACHE", &cache);
    let told = |ran: Ran| ran.stderr.replace(cache.to_str().unwrap(), "[cache]");
    assert_snapshot!(told(desk.grade("class").exit(2)), @"
    error: other users can write into [cache], a folder of compiled libraries
    hint: set SOFTMARK_CACHE to a folder that you alone can write into; or remove this one, and the next run builds the libraries again
    ");
    let ran = desk.grade("doctor").exit(2);
    assert!(ran.stdout.contains("✗   cache       other users can write into"), "{ran}");
    assert_eq!(desk.list("cache/packs"), ["readme"]);
    let ran = desk.env("SOFTMARK_CACHE", "not/there").grade("doctor").exit(0);
    assert!(ran.stdout.contains(" GiB for libraries, at /"), "{ran}");
}

#[test]
fn every_mistake_can_be_explained() {
    let desk = Desk::new();
    let list = desk.grade("explain").exit(0).stdout;
    let ids: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("    ")?.split_once("  "))
        .map(|it| it.0)
        .filter(|id| !id.trim().is_empty())
        .collect();
    assert!(!ids.is_empty(), "{list}");
    for id in ids {
        let page = desk.grade(&format!("explain {id}")).exit(0).stdout;
        assert!(page.lines().count() > 3, "{page}");
    }
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let desk = Desk::new();
    let mut child =
        desk.command().arg("--help").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn shells_and_manuals_know_every_command() {
    let desk = Desk::new();
    let ran = desk.grade("man --out man").exit(0);
    let pages = desk.list("man");
    let help = desk.grade("--help").exit(0).stdout;
    // Commands are listed by purpose, from the usage to the arguments.
    let listed = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let listed = listed.skip(2).take_while(|line| *line != "Arguments:");
    let names: Vec<&str> = listed
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty())
        .collect();
    assert!(names.contains(&"run") && names.contains(&"doctor"), "{names:?}");
    for name in &names {
        assert!(pages.contains(&format!("grade-{name}.1")), "{name}: {pages:?} {ran}");
    }
    assert!(desk.read("man/grade-run.1").contains("\\-\\-require"));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = desk.grade(&format!("completions {shell}")).exit(0).stdout;
        for name in &names {
            assert!(script.contains(name), "{shell} does not complete {name}");
        }
    }
    desk.grade("completions tcsh").exit(64);
}
