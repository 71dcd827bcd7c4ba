//! Faults of the machine: nothing recorded is lost, nothing half-written is read, no student is
//! charged, and whoever runs again gets what an undisturbed run gives.

mod machine;
mod records;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::process::Stdio;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use softmark::clock::Clock;

use crate::support::grade::{Desk, Ran};
use crate::support::notice::skipped;
use crate::support::pack::pack;
use crate::support::processes;
use crate::support::results::{Results, results, rows, whole};

/// All points, some, none, and all but those of a file that does not compile: what is graded fast.
const CLASS: [&str; 4] = ["amara", "bao", "chiara", "dilnoza"];

/// A class, and a folder for scratch of its own, so that what is left there can be seen.
fn desk() -> Desk {
    // Else whoever is first would build the libraries.
    pack();
    let desk = Desk::new().class(&CLASS).file("scratch/readme", "");
    let scratch = desk.path("scratch");
    desk.env("TMPDIR", scratch)
}

/// What an undisturbed run prints and keeps, and how long it takes.
struct Undisturbed {
    stdout: String,
    kept: Results,
    took: Duration,
}

impl Undisturbed {
    /// Returns the results of an undisturbed run, which are the same for all tests.
    fn get() -> &'static Self {
        static ONCE: OnceLock<Undisturbed> = OnceLock::new();
        ONCE.get_or_init(Self::run)
    }

    fn run() -> Self {
        let desk = desk();
        let clock = Clock::start();
        let ran = desk.grade("class --format json").exit(0);
        let took = clock.elapsed();
        Self { stdout: ran.stdout, kept: results(&desk.path("results")), took }
    }

    /// Whether a run over results that were disturbed came to the same in the end.
    #[track_caller]
    fn is_reached_by(&self, ran: Ran, desk: &Desk) {
        let ran = ran.exit(0);
        assert_eq!(ran.stdout, self.stdout);
        assert_eq!(results(&desk.path("results")), self.kept);
        assert_eq!(desk.list("scratch"), ["readme"], "what was left behind is cleaned up");
        assert_eq!(processes::within(&desk.path("")), Vec::<String>::new());
    }
}

/// Numbers that are the same in every run of the tests, by way of `SplitMix64`.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % limit
    }
}

/// How many times the grader is killed: `SOFTMARK_KILLS`, or a few.
#[expect(clippy::disallowed_methods, reason = "whoever asks for more says so")]
fn kills() -> u32 {
    env::var("SOFTMARK_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(8)
}

#[test]
fn a_grader_that_is_killed_at_any_moment_loses_nothing() {
    let undisturbed = Undisturbed::get();
    let most = u64::try_from(undisturbed.took.as_micros()).unwrap();
    let mut numbers = Numbers(1);
    let (mut killed, mut rounds, mut found) = (0, 0, [0; CLASS.len() + 1]);
    while killed < kills() {
        let desk = desk();
        rounds += 1;
        // Some are killed again while they take up what another has left.
        for _ in 0..=numbers.below(3) {
            let jobs = (1 + numbers.below(2)).to_string();
            let moment = Duration::from_micros(numbers.below(most));
            let mut command = desk.command();
            command.args(["class", "--format", "json", "--jobs", &jobs]);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            thread::sleep(moment);
            let too_late = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            child.wait().unwrap();
            killed += u32::from(!too_late);
            whole(&desk.path("results"));
            let kept = desk.list("results/records").len();
            *found.get_mut(kept.min(CLASS.len())).unwrap() += 1;
        }
        undisturbed.is_reached_by(desk.grade("class --format json"), &desk);
    }
    println!("killed {killed} times in {rounds} rounds; with so many records kept: {found:?}");
    if killed >= 100 {
        assert!(found.iter().all(|count| *count > 0), "not at any moment: {found:?}");
    }
}

#[test]
fn two_graders_at_once_lose_nothing() {
    const GRADERS: usize = 3;
    let undisturbed = Undisturbed::get();
    let desk = desk();
    let mut children: Vec<_> = (0..GRADERS)
        .map(|number| {
            let stdout = fs::File::create(desk.path(&format!("stdout-{number}"))).unwrap();
            let mut command = desk.command();
            command.args(["class", "--format", "json", "--fresh", "--jobs", "1"]);
            command.stdout(stdout).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    while children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
        // Whoever looks at the results meanwhile finds them whole.
        whole(&desk.path("results"));
        thread::sleep(Duration::from_millis(20));
    }
    for (number, mut child) in children.into_iter().enumerate() {
        assert!(child.wait().unwrap().success());
        assert_eq!(desk.read(&format!("stdout-{number}")), undisturbed.stdout);
    }
    assert_eq!(results(&desk.path("results")), undisturbed.kept);
    assert_eq!(rows(&desk.path("results")), GRADERS * CLASS.len());
    assert_eq!(desk.list("scratch"), ["readme"]);
}

#[test]
fn two_graders_of_different_submissions_make_one_gradebook() {
    let undisturbed = Undisturbed::get();
    let desk = desk();
    let children: Vec<_> = CLASS
        .iter()
        .map(|name| {
            let mut command = desk.command();
            command.arg(format!("class/{name}")).args(["--jobs", "1"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(results(&desk.path("results")), undisturbed.kept);
}

/// Grades a class of two, one after the other, and kills processes below the grader that `fit`, at
/// most so many, until the first submission has its record.
fn killing(desk: &Desk, most: usize, fit: fn(&str) -> bool) -> (Ran, usize) {
    let stdout = fs::File::create(desk.path("stdout")).unwrap();
    let stderr = fs::File::create(desk.path("stderr")).unwrap();
    let mut command = desk.command();
    command.args(["class", "--format", "json", "--jobs", "1"]).stdout(stdout).stderr(stderr);
    let mut child = command.spawn().unwrap();
    let mut killed = BTreeSet::new();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code().unwrap();
        }
        if !desk.path("results/records/amara.json").exists() {
            for pid in processes::below(child.id(), fit) {
                if killed.len() < most && killed.insert(pid) {
                    let pid = Pid::from_raw(pid.try_into().unwrap());
                    kill(pid, Signal::SIGKILL).ok();
                }
            }
        }
        thread::sleep(Duration::from_micros(200));
    };
    let (stdout, stderr) = (desk.read("stdout"), desk.read("stderr"));
    (Ran { code, stdout, stderr }, killed.len())
}

/// A worker is called as its program is, without a folder.
fn is_worker(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|name| name == "own" || name == "with_reference")
}

fn is_supervisor(line: &str) -> bool {
    line.contains(" __supervise ")
}

fn is_compiler(line: &str) -> bool {
    line.contains("--crate-name=submission") && !line.contains(" __")
}

fn two() -> Desk {
    pack();
    let desk = Desk::new().class(&["amara", "bao"]).file("scratch/readme", "");
    let scratch = desk.path("scratch");
    desk.env("TMPDIR", scratch)
}

/// Returns the output of an undisturbed run over [`two`], the same for all tests.
fn undisturbed_two() -> &'static str {
    static ONCE: OnceLock<String> = OnceLock::new();
    ONCE.get_or_init(|| two().grade("class --format json").exit(0).stdout)
}

/// What nobody was disturbed in grading.
fn record_of(stdout: &str, submission: &str) -> Value {
    let document: Value = serde_json::from_str(stdout).unwrap();
    let records = document.get("records").and_then(Value::as_array).unwrap();
    records
        .iter()
        .find(|record| record.get("submission").is_some_and(|name| name == submission))
        .unwrap()
        .clone()
}

#[test]
fn a_worker_that_is_killed_from_outside_costs_no_points() {
    let undisturbed = undisturbed_two();
    if undisturbed.contains("\"sandbox\": \"none\"") {
        return skipped("workers are not isolated here: what kills one cannot be told");
    }
    for (name, fit) in [("worker", is_worker as fn(&str) -> bool), ("compiler", is_compiler)] {
        let (ran, killed) = killing(&two(), 2, fit);
        assert!((1..=2).contains(&killed), "{killed} of {name}");
        assert_eq!(ran.exit(0).stdout, undisturbed, "{name}");
        // Whoever kills all of them keeps a grade from being given, and gives none himself.
        let desk = two();
        let (ran, killed) = killing(&desk, usize::MAX, fit);
        assert!(killed >= 3, "{killed} of {name}");
        let ran = ran.exit(2);
        let amara = record_of(&ran.stdout, "amara");
        assert_eq!(amara["outcome"], "no_grade", "{name}: {ran}");
        let reason = amara["reason"].as_str().unwrap();
        assert!(reason.contains("ended from outside") && reason.contains("--jobs"), "{reason}");
        assert_eq!(record_of(&ran.stdout, "bao"), record_of(undisturbed, "bao"), "{name}");
        assert!(desk.read("results/gradebook.csv").contains("amara,,attention,no_grade,,30.00"));
        assert_eq!(desk.grade("class --format json").exit(0).stdout, undisturbed);
        assert_eq!(desk.list("scratch"), ["readme"]);
    }
}

#[test]
fn a_supervisor_that_is_killed_costs_no_points() {
    let undisturbed = undisturbed_two();
    let desk = two();
    // Not the supervisors of `rustc --version` and the like, which run before the scratch folder exists.
    let (ran, killed) = killing(&desk, usize::MAX, |line| {
        is_supervisor(line) && (line.contains("/own") || line.contains("/with_reference"))
    });
    assert!(killed >= 1);
    let ran = ran.exit(2);
    let amara = record_of(&ran.stdout, "amara");
    assert_eq!(amara["outcome"], "no_grade");
    let reason = amara["reason"].as_str().unwrap();
    assert!(reason.contains("supervisor") && reason.contains("ended without a report"), "{reason}");
    assert_eq!(record_of(&ran.stdout, "bao"), record_of(undisturbed, "bao"));
    assert_eq!(desk.grade("class --format json").exit(0).stdout, undisturbed);
    assert_eq!(processes::within(&desk.path("")), Vec::<String>::new());
}
