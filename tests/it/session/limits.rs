//! Limits of processor time, waiting, memory and threads.

use std::time::Duration;

use softmark::assignment::Deadline;
use softmark::build::{ProgramSpec, StudentCrates};
use softmark::clock::Clock;
use softmark::session::{Budget, Remote, Spent};
use softmark_sandbox::{Level, Limits};
use softmark_wire::{Fault, Reply, Request};
use tempfile::TempDir;

use crate::session::{LIMITS, ask, asked, fault, fault_within, pool, pooled, start, start_at};
use crate::support::pack::{files, pack, program, tools};

#[test]
fn a_loop_is_charged_with_its_processor_time() {
    let limits = Limits { wall: Duration::from_millis(500), ..LIMITS };
    let fault = fault_within("loop { std::hint::spin_loop(); }", limits);
    // Of the second try, which had twice as much.
    assert_eq!(fault, Fault::CpuTime { seconds: 2 });
}

/// The first of two detectors never ends.
const DETECTORS: &str = "use softmark_kit::prelude::*;\n\
    pub struct Detectors;\nstruct Loops;\nstruct Answers;\n\
    impl Detector for Loops {\n\
    fn name(&self) -> &'static str { \"loops\" }\n\
    fn detect(&self, _: &dyn Suspect) -> Result<Verdict> { loop { std::hint::spin_loop() } }\n}\n\
    impl Detector for Answers {\n\
    fn name(&self) -> &'static str { \"answers\" }\n\
    fn detect(&self, _: &dyn Suspect) -> Result<Verdict> { Ok(Verdict::Healthy) }\n}\n\
    impl DetectorSet for Detectors {\n\
    fn all() -> Vec<Box<dyn Detector>> { vec![Box::new(Loops), Box::new(Answers)] }\n}\n";

/// Returns a session with these detectors, and the folder of its program.
fn detectors() -> (Remote, TempDir) {
    let mut source = files("solutions/debugging");
    source.insert("detectors.rs".to_owned(), DETECTORS.as_bytes().to_vec());
    let main = "fn main() -> std::process::ExitCode {\n    \
        softmark_worker::serve(debugging_spec::adapter::components::<submission::Submission>)\n}\n";
    let program = program("worker", main, &["softmark_worker", "debugging_spec"]);
    let crates = StudentCrates { kit: "debugging_spec".to_owned(), ..program.crates };
    let scratch = tempfile::tempdir().unwrap();
    let programs = [ProgramSpec { crates, ..program }];
    let built = pack().compile(&source, &programs, scratch.path()).unwrap().into_result().unwrap();
    let path = built.programs.values().next().unwrap().clone();
    (Remote::new(tools().sandbox, path, LIMITS), scratch)
}

#[test]
fn a_detector_that_never_ends_takes_no_other_down() {
    let (mut session, _dir) = detectors();
    let mut detect = |detector| {
        let sizes = "vocabulary max_len d_model heads d_ff layers pre_norm gelu dropout_permille";
        let config = sizes.split(' ').map(|name| (name.to_owned(), 2)).collect();
        ask(&mut session, "detectors", &Request::Detect { detector, config })
    };
    let healthy = Reply::Verdict { bug: false, reason: String::new() };
    for _ in 0..3 {
        assert_eq!(detect(0), Err(Fault::CpuTime { seconds: 2 }));
        assert_eq!(detect(1), Ok(healthy.clone()));
    }
    let (usage, _) = session.end().unwrap();
    // It was given up at the third time.
    assert!(usage.cpu < Duration::from_secs(9), "{usage:?}");
}

/// Computes for so many milliseconds of processor time, whatever else the machine does.
const BURN: &str = "use softmark_kit::nn as _; \
    fn burn(milliseconds: u64) { \
    let used = || { let text = std::fs::read_to_string(\"/proc/thread-self/schedstat\").unwrap(); \
    text.split(' ').next().unwrap().parse::<u64>().unwrap() / 1_000_000 }; \
    let end = used() + milliseconds; while used() < end { std::hint::spin_loop(); } } ";

#[test]
fn a_time_out_hangs_on_one_question_alone() {
    // Each question takes 0.4 of the second that a process has; all together take five.
    let body = format!("{BURN} burn(400); right(query)");
    let (mut session, _dir) = start_at(Level::None, &body, LIMITS);
    for _ in 0..12 {
        assert!(asked(&mut session).is_ok());
    }
    // More than once, and less than twice the limit: the same on every run.
    let body = format!("{BURN} burn(1500); right(query)");
    let (mut session, _dir) = start_at(Level::None, &body, LIMITS);
    for _ in 0..2 {
        assert!(asked(&mut session).is_ok());
    }
}

#[test]
fn a_submission_is_ended_by_what_it_costs_altogether() {
    let body = format!("{BURN} burn(600); right(query)");
    let deadline = |cpu, wall| {
        Budget::new(Deadline { cpu: Duration::from_millis(cpu), wall: Duration::from_millis(wall) })
    };
    let (session, _dir) = start_at(Level::None, &body, LIMITS);
    let budget = deadline(3000, 60_000);
    let mut session = session.within(budget.clone());
    let count = (0..40).take_while(|_| asked(&mut session).is_ok()).count();
    assert!((2..10).contains(&count), "{count}");
    assert_eq!(budget.spent(), Some(Spent::Computing { seconds: 3 }));
    // Other parts too, and at once.
    let pooled = ask(&mut session, "masked-pooling", &pool());
    assert_eq!(pooled, Err(Fault::CpuTime { seconds: 3 }));
    // Waiting is one account as well, whatever each part may do.
    let body = "std::thread::sleep(std::time::Duration::from_millis(250)); right(query)";
    let (session, _dir) = start(body, LIMITS);
    let budget = deadline(600_000, 1000);
    let mut session = session.within(budget.clone());
    let count = (0..40).take_while(|_| asked(&mut session).is_ok()).count();
    assert!((2..12).contains(&count), "{count}");
    assert_eq!(budget.spent(), Some(Spent::Waiting { seconds: 1 }));
}

#[test]
fn a_trickle_of_work_is_a_sleep() {
    let body = format!(
        "{BURN} loop {{ burn(5); std::thread::sleep(std::time::Duration::from_millis(200)); }}"
    );
    let limits = Limits { wall: Duration::from_millis(800), ..LIMITS };
    let (mut session, _dir) = start_at(Level::None, &body, limits);
    let clock = Clock::start();
    assert_eq!(asked(&mut session), Err(Fault::WallTime { seconds: 1 }));
    assert!(clock.elapsed() < Duration::from_secs(30), "{:?}", clock.elapsed());
}

#[test]
fn threads_are_counted_when_the_answer_is_there() {
    let threads = |count: u32, seconds: u32| {
        format!(
            "for _ in 0..{count} {{ std::thread::Builder::new().stack_size(1 << 14).spawn(|| \
             std::thread::sleep(std::time::Duration::from_secs({seconds}))).unwrap(); }} right(query)"
        )
    };
    let (mut session, _dir) = start(&threads(100, 60), LIMITS);
    for _ in 0..3 {
        assert_eq!(asked(&mut session), Err(Fault::Crowded { threads: 64 }));
    }
    pooled(&mut session);
    let (mut session, _dir) = start(&threads(20, 60), LIMITS);
    assert!(asked(&mut session).is_ok());
}

#[test]
fn a_sleeper_is_not_waited_for() {
    let limits = Limits { wall: Duration::from_millis(400), ..LIMITS };
    let body = "std::thread::sleep(std::time::Duration::from_secs(60)); right(query)";
    assert_eq!(fault_within(body, limits), Fault::WallTime { seconds: 1 });
}

#[test]
fn many_short_sleeps_are_one_long_one() {
    let limits = Limits { wall: Duration::from_millis(900), ..LIMITS };
    let body = "std::thread::sleep(std::time::Duration::from_millis(200)); right(query)";
    let (mut session, _dir) = start(body, limits);
    // Nine tenths of a second, and twice as much again, once for all questions.
    let answers: Vec<_> = (0..24).map(|_| asked(&mut session)).collect();
    assert!(answers[0].is_ok());
    assert_eq!(answers[23], Err(Fault::WallTime { seconds: 1 }));
}

#[test]
fn memory_without_end_is_told() {
    let body = "let mut all = Vec::new(); loop { all.push(vec![1_u8; 1 << 20]); }";
    let limits = Limits { cpu_seconds: 5, memory_mebibytes: 512, ..LIMITS };
    assert_eq!(fault_within(body, limits), Fault::OutOfMemory { mebibytes: 512 });
    let deep = "fn deep(n: u64) -> u64 { 1 + deep(std::hint::black_box(n) + 1) } \
        deep(1); right(query)";
    assert_eq!(fault(deep), Fault::Killed { signal: 6 });
}
