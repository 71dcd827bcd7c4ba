//! Job engines: the same records, whoever grades the chunks and whatever is lost on the way.

use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::grade::{Desk, Ran};
use crate::support::notice::skipped;
use crate::support::pack::pack;

/// Some points, none, and a file that does not compile; none of them is trained.
pub(crate) const CLASS: [&str; 3] = ["bao", "chiara", "dilnoza"];

/// Command that grades a chunk as another engine would.
const HERE: &str = "\"$GRADE\" chunk {plan}";

/// Returns a folder with the class, which is graded in the folder `local`.
pub(crate) fn graded_here() -> Desk {
    // Else whoever is first would say that it builds the libraries.
    pack();
    let desk = Desk::new().class(&CLASS);
    desk.grade("class --out local").exit(0);
    desk
}

/// Runs `grade` with these arguments, and then these.
pub(crate) fn grade(desk: &Desk, args: &str, more: &[&str]) -> Ran {
    let args = args.split(' ').filter(|arg| !arg.is_empty());
    Ran::of(&desk.command().args(args).args(more).output().unwrap())
}

/// Fails if the two folders of results do not have the same records, byte for byte.
#[track_caller]
pub(crate) fn assert_same(desk: &Desk, one: &str, other: &str) {
    assert_eq!(desk.list(&format!("{one}/records")), desk.list(&format!("{other}/records")));
    for name in desk.list(&format!("{one}/records")) {
        let text = |folder: &str| desk.read(&format!("{folder}/records/{name}"));
        assert_eq!(text(one), text(other), "{name}");
    }
    let book = |folder: &str| desk.read(&format!("{folder}/gradebook.csv"));
    assert_eq!(book(one), book(other));
}

#[test]
fn records_do_not_depend_on_chunks() {
    let desk = graded_here();
    for chunks in ["1", "2", "3"] {
        let out = format!("out-{chunks}");
        let args = format!("class --out {out} --jobs 2 --chunks {chunks} --on command");
        let ran = grade(&desk, &args, &[HERE]).exit(0);
        assert!(ran.stderr.contains(&format!("{chunks} finished")), "{ran}");
        assert_same(&desk, "local", &out);
        assert_eq!(desk.list(&format!("{out}/runs")), Vec::<String>::new());
    }
    // What is graded needs no job.
    let again = grade(&desk, "class --out out-3 --on command", &["false {plan}"]).exit(0);
    assert!(again.stderr.contains("3 records of 3 from an earlier run"), "{again}");
}

#[test]
fn gnu_parallel_grades_chunks() {
    let desk = graded_here();
    let is_there = Path::new("/usr/bin/parallel").is_file();
    if !is_there {
        skipped("GNU parallel is not installed, so no chunks are graded with it");
        return;
    }
    let command = "parallel --jobs 2 \"$GRADE\" chunk ::: {plans}";
    grade(&desk, "class --out out --chunks 3 --on command", &[command]).exit(0);
    assert_same(&desk, "local", "out");
}

#[test]
fn lost_chunks_are_graded_again() {
    let desk = graded_here();
    let command = format!("test -e mark || {{ touch mark; exit 7; }}; {HERE}");
    let ran = grade(&desk, "class --out out --chunks 1 --on command", &[&command]).exit(0);
    assert!(ran.stderr.contains("chunk 1 has no result (the command ended with 7)"), "{ran}");
    assert_same(&desk, "local", "out");
}

#[test]
fn a_submission_that_takes_its_jobs_down_takes_no_other_with_it() {
    let desk = graded_here();
    let command = format!("case $(cat {{plan}}) in *chiara*) kill -9 $$;; esac; {HERE}");
    let ran = grade(&desk, "class --out out --chunks 1 --on command", &[&command]).exit(2);
    assert!(ran.stderr.contains("1 submission has no grade: chiara"), "{ran}");
    assert!(ran.stderr.contains("4 jobs ended without a result"), "{ran}");
    for name in ["bao", "dilnoza"] {
        let text = |folder: &str| desk.read(&format!("{folder}/records/{name}.json"));
        assert_eq!(text("local"), text("out"));
    }
    // The next run grades what is missing.
    grade(&desk, "class --out out --on command", &[HERE]).exit(0);
    assert_same(&desk, "local", "out");
}

#[test]
fn a_machine_that_differs_grades_nothing() {
    let desk = graded_here();
    let command = format!("SOFTMARK_SECRET=other {HERE}");
    let ran = grade(&desk, "class --out out --chunks 3 --on command", &[&command]).exit(2);
    assert!(ran.stderr.contains("the course's secret on "), "{ran}");
    assert_eq!(desk.list("out/records"), Vec::<String>::new());
}

#[test]
fn a_run_that_was_left_alone_is_returned_to() {
    let desk = graded_here();
    // The first job fails, and its submissions are in other chunks when the process is ended.
    let fails = "test -e mark || { touch mark; exit 7; }";
    let command = format!("{fails}; test -e go || sleep 100; {HERE}");
    let mut leaving = desk.command();
    let leaving = leaving.args(["class", "--out", "out", "--chunks", "2", "--on", "command"]);
    let leaving = leaving.arg(&command).stderr(std::process::Stdio::piped());
    let leaving = leaving.stdout(std::process::Stdio::null()).spawn().unwrap();
    let pid = Pid::from_raw(leaving.id().try_into().unwrap());
    let runs = || desk.list("out/runs");
    for _ in 0..600 {
        let chunks = runs().first().map(|run| desk.list(&format!("out/runs/{run}/chunks")));
        if chunks.is_some_and(|chunks| chunks.len() > 2) {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    // The file of the run says what is left behind once its jobs are submitted.
    thread::sleep(Duration::from_millis(500));
    kill(pid, Signal::SIGTERM).unwrap();
    let said = leaving.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    let [run] = runs().try_into().unwrap();
    assert!(said.contains(&format!("out/runs/{run}` goes on")), "{said}");
    fs::write(desk.path("go"), "").unwrap();
    // From another folder: commands run where the run was started.
    let mut attach = desk.command();
    attach.current_dir(desk.path("class")).args(["attach", &format!("../out/runs/{run}")]);
    let returned = Ran::of(&attach.output().unwrap()).exit(0);
    assert!(returned.stdout.contains("3 submissions: 3 graded"), "{returned}");
    assert_same(&desk, "local", "out");
}

#[test]
fn what_cannot_be_meant_is_a_usage_error() {
    let desk = Desk::new().class(&["chiara"]);
    for (args, more, said) in [
        ("class --on", &["sge"][..], "the engines are"),
        ("class --on command", &["true"], "{plan}"),
        ("class --on", &["local", "--", "--partition=x"], "nothing is submitted to Slurm"),
        ("class --run-unsandboxed --on", &["slurm"], "never graded on other machines"),
        ("attach", &["class"], "class is no folder of a run"),
        ("chunk", &["class/chiara/Cargo.toml"], "is no folder of a run"),
    ] {
        let ran = grade(&desk, args, more);
        assert!(ran.code != 0 && ran.stderr.contains(said), "{args} {more:?}: {ran}");
    }
}

#[test]
fn an_audit_and_a_calibration_do_not_depend_on_chunks() {
    pack();
    let desk = Desk::new();
    let audit =
        "audit attention --only {solution,missing-scale,shallow-mask} --seeds 1 --format json";
    let here = grade(&desk, audit, &[]).exit(0).stdout;
    let ran = grade(&desk, &format!("{audit} --chunks 2 --on command"), &[HERE]).exit(0);
    assert!(ran.stderr.contains("3 of 3 fixtures; chunks: 0 waiting, 0 running, 2 finished"));
    assert_eq!(ran.stdout, here);

    let calibrate = "calibrate attention --only solution --seeds 2 --json";
    let measured = |ran: Ran| {
        let mut document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        // Processor time is measured, and no two trainings take the same.
        document["rows"][0]["cpu_seconds"].take();
        document
    };
    let here = measured(grade(&desk, calibrate, &[]).exit(0));
    let ran = grade(&desk, &format!("{calibrate} --chunks 2 --on command"), &[HERE]).exit(0);
    assert!(ran.stderr.contains("2/2 solution, seed"), "{ran}");
    assert_eq!(measured(ran), here);
    assert_eq!(desk.list("results/runs"), Vec::<String>::new());

    // Without one of its results, neither is worth anything.
    let ran = grade(&desk, &format!("{calibrate} --on command"), &["exit 3 # {plan}"]).exit(2);
    // Which of the two fails for the last time first depends on the machine.
    let is_named = |seed: u32| {
        ran.stderr.contains(&format!("solution, seed {seed} has no result: 4 jobs ended"))
    };
    assert!(is_named(1) || is_named(2), "{ran}");
    assert_eq!(ran.stdout, "");
    grade(&desk, "audit attention --record --on", &["slurm"]).exit(64);
}

#[test]
fn machines_are_described_before_they_grade() {
    pack();
    let desk = Desk::new();
    let doctor = |command: &str| grade(&desk, "doctor --probes 2 --on command", &[command]);
    let good = doctor(HERE).exit(0);
    // Both machines, and beside them this one.
    for (said, times) in [
        ("job", 2),
        ("program     the same as here", 2),
        ("libraries   it sees", 2),
        ("isolation", 3),
    ] {
        assert_eq!(good.stdout.matches(&format!("ok  {said}")).count(), times, "{said}: {good}");
    }
    let other = doctor(&format!("SOFTMARK_SECRET=other {HERE}")).exit(2);
    assert!(other.stdout.contains("✗   secret      another one than here"), "{other}");
    let unshared = doctor("exit 3 # {plan}").exit(2);
    assert!(
        unshared.stdout.contains("✗   job         its job ended without a result"),
        "{unshared}"
    );
    assert!(unshared.stderr.contains("the jobs cannot grade yet"), "{unshared}");
}
