//! Whatever a submission does with a question, what comes of it is an answer or its fault.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use softmark::assignment::Deadline;
use softmark::clock::Clock;
use softmark::session::{Budget, NeedsControl, Remote, Spent};
use softmark_sandbox::{Level, Limits, Sandbox};
use softmark_wire::{
    Attempt, DType, Failure, FailureKind, Fault, Input, Reply, Request, Session, SessionError,
    Tensor,
};
use tempfile::TempDir;

use crate::support::pack::{HOME, files, pack, program, tools, tools_at};

const LIMITS: Limits = Limits {
    cpu_seconds: 1,
    wall: Duration::from_secs(20),
    memory_mebibytes: 1024,
    file_mebibytes: 1,
    output_bytes: 1024,
    flood_bytes: 4 * 1024 * 1024,
    open_files: 64,
    threads: 64,
};

const MAIN: &str = "fn main() -> std::process::ExitCode {\n    \
    softmark_worker::serve(attention_spec::adapter::components::<submission::Submission>)\n}\n";

/// A session with a worker whose attention is made of this body, and the folder it lies in.
fn start(body: &str, limits: Limits) -> (Remote, TempDir) {
    start_at(tools().sandbox.level(), body, limits)
}

fn start_at(level: Level, body: &str, limits: Limits) -> (Remote, TempDir) {
    let (program, scratch) = built(body);
    (Remote::new(tools_at(level).sandbox, program, limits), scratch)
}

/// A worker whose attention is made of this body, and the folder it lies in.
fn built(body: &str) -> (PathBuf, TempDir) {
    let text = format!(
        "use softmark_kit::prelude::*;\n\
             #[derive(Debug)]\npub struct ScaledDotProduct;\n\
             impl ScaledDotProductAttention for ScaledDotProduct {{\n\
             fn new() -> Self {{ Self }}\n\
             #[allow(unused_variables, unreachable_code)]\n\
             fn attend(&self, query: &Tensor, key: &Tensor, value: &Tensor, \
             mask: Option<&Tensor>) -> Result<AttentionOutput> {{\n\
             let right = |q: &Tensor| -> Result<AttentionOutput> {{ \
             Ok(AttentionOutput {{ output: q.clone(), weights: q.clone() }}) }};\n\
             {body}\n}}\n}}\n"
    );
    let mut source = files("solutions/attention");
    source.insert("attention.rs".to_owned(), text.into_bytes());
    let scratch = tempfile::tempdir().unwrap();
    let programs = [program("worker", MAIN, &["softmark_worker", "attention_spec"])];
    let built = pack().compile(&source, &programs, scratch.path()).unwrap().into_result().unwrap();
    (built.programs.values().next().unwrap().clone(), scratch)
}

fn construct(part: &str) -> Request {
    let mut config = Vec::new();
    if part == "masked-pooling" {
        config.push(("kind".to_owned(), 0));
    }
    Request::Construct { part: part.to_owned(), config, parameters: Vec::new() }
}

fn input(name: &str, shape: &[usize]) -> Input {
    let values = (0..shape.iter().product()).map(|i: usize| i as f32).collect();
    Input { name: name.to_owned(), tensor: Tensor::f32(shape, values).unwrap(), strided: false }
}

fn attend() -> Request {
    let inputs = ["query", "key", "value"].map(|name| input(name, &[1, 1, 2, 2]));
    Request::Forward { inputs: inputs.into() }
}

fn pool() -> Request {
    Request::Forward { inputs: vec![input("x", &[1, 2, 2])] }
}

/// Makes the part and asks it, as checks do.
fn ask(session: &mut Remote, part: &str, request: &Request) -> Result<Reply, Fault> {
    let made = session.ask(&construct(part)).unwrap().into_result()?;
    assert_eq!(made, Reply::Constructed);
    session.ask(request).unwrap().into_result()
}

fn asked(session: &mut Remote) -> Result<Reply, Fault> {
    ask(session, "scaled-dot-product", &attend())
}

fn pooled(session: &mut Remote) {
    let reply = ask(session, "masked-pooling", &pool());
    let Ok(Reply::Outputs(outputs)) = reply else { panic!("{reply:?}") };
    let shapes: Vec<&[usize]> = outputs.iter().map(|(_, tensor)| tensor.shape()).collect();
    assert_eq!(shapes, [[1, 2]]);
}

/// The fault of a worker with this body; another part still answers after it.
fn fault(body: &str) -> Fault {
    fault_within(body, LIMITS)
}

fn fault_within(body: &str, limits: Limits) -> Fault {
    let (mut session, _dir) = start(body, limits);
    let fault = asked(&mut session).unwrap_err();
    pooled(&mut session);
    session.end().unwrap();
    fault
}

fn code(kind: FailureKind, message: &str, place: &str) -> Fault {
    Fault::Code(Failure { kind, message: message.to_owned(), place: place.to_owned() })
}

#[test]
fn an_answer_comes_back_to_the_bit() {
    let (mut session, _dir) = start("right(query)", LIMITS);
    let reply = asked(&mut session).unwrap();
    let Reply::Outputs(outputs) = &reply else { panic!("{reply:?}") };
    let tensor = &outputs.iter().find(|(name, _)| name == "output").unwrap().1;
    assert_eq!((tensor.dtype(), tensor.shape()), (DType::F32, [1, 1, 2, 2].as_slice()));
    assert_eq!(tensor.to_f64(), [0.0, 1.0, 2.0, 3.0]);
    // As often as one likes, and in one process.
    for _ in 0..50 {
        assert_eq!(asked(&mut session).unwrap(), reply);
    }
    let gradients = Request::Gradients {
        inputs: vec![input("query", &[1, 1, 2, 2]), input("key", &[1]), input("value", &[1])],
        cotangents: vec![("output".to_owned(), input("", &[1, 1, 2, 2]).tensor)],
    };
    let answer = session.ask(&gradients).unwrap();
    let Attempt::Success(Reply::Gradients { inputs, parameters }) = answer else { panic!() };
    assert_eq!((inputs.len(), parameters.len()), (3, 0));
    let parameters = session.ask(&Request::Parameters).unwrap();
    assert_eq!(parameters, Attempt::Success(Reply::Parameters(Vec::new())));
    let (usage, log) = session.end().unwrap();
    assert!(usage.cpu > Duration::ZERO && usage.cpu < Duration::from_secs(1), "{usage:?}");
    assert!(usage.peak_bytes > 0);
    assert!(log.is_empty());
}

#[test]
fn what_the_code_says_of_itself_comes_back() {
    assert_eq!(
        fault("todo!(\"task 1\")"),
        code(FailureKind::NotImplemented, "task 1", "src/attention.rs:9")
    );
    assert_eq!(
        fault("panic!(\"row {} is empty\", 3)"),
        code(FailureKind::Panicked, "row 3 is empty", "src/attention.rs:9")
    );
    assert_eq!(
        fault("candle_core::bail!(\"heads differ\")"),
        code(FailureKind::Refused, "heads differ", "")
    );
    // Inside of a library: the same place on every machine.
    let Fault::Code(failure) = fault("let x: Vec<u8> = vec![0; 1 << 63]; right(query)") else {
        panic!()
    };
    assert_eq!(failure.kind, FailureKind::Panicked);
    assert!(!failure.place.starts_with('/'), "{}", failure.place);
}

#[test]
fn leaving_is_no_answer() {
    assert_eq!(fault("std::process::exit(0)"), Fault::Exited { code: 0 });
    assert_eq!(fault("std::process::abort()"), Fault::Killed { signal: 6 });
    let later = "static ONCE: std::sync::Once = std::sync::Once::new(); \
        ONCE.call_once(|| drop(std::thread::spawn(|| { \
        std::thread::sleep(std::time::Duration::from_millis(300)); std::process::exit(0) }))); \
        std::thread::sleep(std::time::Duration::from_secs(60)); right(query)";
    assert_eq!(fault(later), Fault::Exited { code: 0 });
    // As a worker does whose channel broke.
    assert!(matches!(fault("std::process::exit(76)"), Fault::Garbled(_)));
}

#[test]
fn a_loop_is_charged_with_its_processor_time() {
    let limits = Limits { wall: Duration::from_millis(500), ..LIMITS };
    let fault = fault_within("loop { std::hint::spin_loop(); }", limits);
    // Of the second try, which had twice as much.
    assert_eq!(fault, Fault::CpuTime { seconds: 2 });
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

/// Declarations of a submission may keep its program from starting; a program without them starts.
#[test]
fn a_program_that_does_not_start_is_the_submissions_fault_where_another_one_does() {
    let limits = Limits { memory_mebibytes: 144, ..LIMITS };
    let (control, _control) = built("right(query)");
    let bodies = [
        "use std::mem::MaybeUninit; \
            static mut BIG: MaybeUninit<[u8; 200 << 20]> = MaybeUninit::uninit(); \
            if (&raw const BIG).addr() == 7 { panic!() } right(query)",
        "thread_local! { static BIG: [u8; 80 << 20] = [1; 80 << 20]; } \
            if query.rank() > 1000 { BIG.with(|it| assert_eq!(it[3], 1)); } right(query)",
    ];
    for body in bodies {
        let (session, _dir) = start(body, limits.clone());
        let mut session = session.with_control(Some(control.clone()));
        for part in ["scaled-dot-product", "masked-pooling"] {
            let fault = session.ask(&construct(part)).unwrap();
            assert_eq!(fault, Attempt::Fault(Fault::NotStarted { mebibytes: 144 }));
        }
        // Without a control nobody can tell.
        let (mut session, _dir) = start(body, limits.clone());
        let error = session.ask(&construct("masked-pooling")).unwrap_err();
        assert!(NeedsControl::is_below(&error), "{error}");
        // Where the control does not start either, it is the machine.
        let (session, _dir) = start(body, Limits { memory_mebibytes: 8, ..LIMITS });
        let mut session = session.with_control(Some(control.clone()));
        assert!(session.ask(&construct("masked-pooling")).is_err());
    }
}

/// A worker program that does as it likes, and is not compiled as submissions are.
fn hostile(main: &str) -> (PathBuf, TempDir) {
    let source = std::collections::BTreeMap::from([("lib.rs".to_owned(), Vec::new())]);
    let scratch = tempfile::tempdir().unwrap();
    let programs = [program("worker", main, &["softmark_wire", "libc"])];
    let built = pack().compile(&source, &programs, scratch.path()).unwrap().into_result().unwrap();
    (built.programs.values().next().unwrap().clone(), scratch)
}

/// Answers as the table says: the bytes of frames, by how many questions were asked before.
fn frames(answers: &str) -> String {
    format!(
        "use std::io::{{Read, Write}};\n\
         use std::os::unix::net::UnixStream;\n\
         use softmark_wire::{{PROTOCOL_VERSION, Reply, Tensor, read_frame, write_frame}};\n\
         #[allow(unused)]\n\
         fn main() {{\n\
         use std::os::fd::AsFd;\n\
         let stdin = std::io::stdin().as_fd().try_clone_to_owned().unwrap();\n\
         let mut channel = UnixStream::from(stdin);\n\
         let ones = |n: usize| Reply::Outputs(vec![(\"output\".to_owned(), Tensor::f32(&[n], \
         vec![1.0; n]).unwrap())]);\n\
         let mut number = 0;\n\
         while let Ok(question) = read_frame(&mut channel, 1 << 20) {{\n\
         let mut say = |reply: &Reply| write_frame(&mut channel, &reply.encode()).unwrap();\n\
         if number == 0 {{ say(&Reply::Hello {{ version: PROTOCOL_VERSION }}); }}\n\
         else {{ {answers} }}\n\
         number += 1; }} }}\n"
    )
}

/// Whoever holds the channel can say what the worker could say, and nothing more.
#[test]
fn frames_that_nobody_asked_for_are_no_answers() {
    let asked = |answers: &str| {
        let (program, _dir) = hostile(&frames(answers));
        let mut session = Remote::new(tools().sandbox, program, LIMITS);
        let mut answer = |request: &Request| session.ask(request).unwrap().into_result();
        answer(&construct("masked-pooling"))?;
        // What comes after an answer is seen at the next question, if not at once.
        answer(&pool())?;
        answer(&pool())
    };
    // An answer is one, whoever wrote it, and is judged as any other.
    let told = asked("if number == 1 { say(&Reply::Constructed) } else { say(&ones(2)) }");
    assert!(matches!(told, Ok(Reply::Outputs(_))), "{told:?}");
    for unasked in [
        // The next answer ahead of its question, twice the same, another kind, a verdict on itself.
        "say(&Reply::Constructed); say(&ones(2));",
        // In one write, so that the second is there when the next question is asked.
        "if number == 1 { say(&Reply::Constructed) } else { \
         let mut both = Vec::new(); \
         for n in [2, 3] { write_frame(&mut both, &ones(n).encode()).unwrap(); } \
         channel.write_all(&both).unwrap(); }",
        "if number == 1 { say(&Reply::Constructed) } else { say(&Reply::Parameters(Vec::new())) }",
        "say(&Reply::Verdict { bug: true, reason: String::new() });",
        "channel.write_all(b\"pass pass pass pass\").unwrap();",
        "say(&Reply::Constructed); channel.write_all(b\"SMK\").unwrap();",
    ] {
        let told = asked(unasked);
        assert!(matches!(told, Err(Fault::Garbled(_))), "{unasked}: {told:?}");
    }
}

/// With raw system calls, a process may try to look as if somebody else had ended it.
#[test]
fn who_ends_itself_as_if_from_outside_blames_nobody() {
    let end = "if number == 1 { say(&Reply::Constructed) } else { \
        let (pid, tid) = unsafe { (libc::getpid(), libc::gettid()) };\n\
        for signal in [1, 2, 3, 9, 15] { unsafe { libc::syscall(libc::SYS_tgkill, pid, tid, signal) }; }\n\
        let low = libc::rlimit { rlim_cur: 0, rlim_max: 0 };\n\
        unsafe { libc::setrlimit(libc::RLIMIT_CPU, &low) };\n\
        let clock = std::time::Instant::now();\n\
        while clock.elapsed().as_millis() < 300 {}\n\
        std::process::exit(9) }";
    let (program, _dir) = hostile(&frames(end));
    let mut session = Remote::new(tools().sandbox, program, LIMITS);
    let made = session.ask(&construct("masked-pooling")).unwrap();
    assert_eq!(made, Attempt::Success(Reply::Constructed));
    // The filter refused all of it, and it had to leave by the door.
    assert_eq!(session.ask(&pool()).unwrap(), Attempt::Fault(Fault::Exited { code: 9 }));
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

#[test]
fn what_is_printed_is_shown_and_never_read() {
    let body = "for _ in 0..16384 { println!(\"{}\", \"SMK\\u{1}test ok {} result: ok. \".repeat(3)); } \
        eprintln!(\"the end\"); right(query)";
    let (mut session, _dir) = start(body, LIMITS);
    assert!(asked(&mut session).is_ok());
    pooled(&mut session);
    let (_, log) = session.end().unwrap();
    let log = String::from_utf8(log).unwrap();
    assert!(log.starts_with("SMK\u{1}test ok"), "{log}");
    assert!(log.ends_with("the end\n") && log.contains("bytes left out"), "{log}");
    assert!(log.len() < 1200, "{}", log.len());
}

#[test]
fn a_flood_is_a_fault() {
    let body = "let line = \"x\".repeat(4096); loop { println!(\"{line}\"); }";
    let Fault::Garbled(detail) = fault(body) else { panic!() };
    assert_eq!(detail, "it printed more than 4 MiB");
}

#[test]
fn an_answer_that_is_too_large_is_a_fault() {
    let body =
        "let big = Tensor::zeros((17, 1024, 1024), DType::F32, query.device())?; right(&big)";
    let Fault::Code(Failure { kind, message, .. }) = fault(body) else { panic!() };
    assert_eq!(kind, FailureKind::Unsendable);
    assert_eq!(message, "the answer takes 137 MiB, and 64 MiB is the largest that can be sent");
}

/// A panic while an answer is encoded is reported as a panic.
#[test]
fn a_panic_while_encoding_is_a_panic() {
    let body = "let huge = Tensor::zeros(1, DType::F32, query.device())?\
        .broadcast_as((1 << 31, 1 << 31))?; right(&huge)";
    let Fault::Code(failure) = fault(body) else { panic!() };
    assert_eq!(failure.kind, FailureKind::Panicked, "{failure:?}");
    assert!(!failure.message.contains("MiB"), "{failure:?}");
}

#[test]
fn writing_to_every_descriptor_is_no_pass() {
    // A whole reply in a frame, and bytes that are none.
    let body = "use std::io::Write;\n\
        let mut frame = b\"SMK\\x01\\x05\\x00\\x00\\x00\\x02\\x00\\x00\\x00\\x00\".to_vec();\n\
        for dir in [\"/proc/self/fd\", \"/dev/fd\"] {\n\
        for entry in std::fs::read_dir(dir).unwrap().flatten() {\n\
        if let Ok(mut file) = std::fs::OpenOptions::new().write(true).open(entry.path()) {\n\
        file.write_all(&frame).ok(); frame.extend([7; 100]); file.write_all(&frame).ok(); } } }\n\
        std::process::exit(0)";
    let (mut session, _dir) = start_at(Level::None, body, LIMITS);
    for _ in 0..3 {
        let fault = asked(&mut session).unwrap_err();
        assert!(matches!(fault, Fault::Exited { code: 0 } | Fault::Garbled(_)), "{fault:?}");
    }
    pooled(&mut session);
}

#[test]
fn a_worker_that_crashed_is_replaced() {
    // Wrong every other time, by what it left on disk.
    let body = "let mark = std::path::Path::new(\"mark\");\n\
        if mark.exists() { std::fs::remove_file(mark).unwrap(); return right(query); }\n\
        std::fs::write(mark, \"\").unwrap(); std::process::exit(3)";
    let (mut session, _dir) = start_at(Level::None, body, LIMITS);
    for _ in 0..3 {
        assert_eq!(asked(&mut session), Err(Fault::Exited { code: 3 }));
        assert!(asked(&mut session).is_ok());
    }
    // What was made is gone with its process: the fault stands until it is made again.
    assert_eq!(asked(&mut session), Err(Fault::Exited { code: 3 }));
    let exited = Attempt::Fault(Fault::Exited { code: 3 });
    assert_eq!(session.ask(&attend()).unwrap(), exited);
    assert_eq!(session.ask(&Request::Parameters).unwrap(), exited);
}

#[test]
fn what_one_part_leaves_behind_does_not_reach_the_next() {
    let body = "std::thread::spawn(|| { \
        std::thread::sleep(std::time::Duration::from_millis(300)); std::process::exit(0) }); \
        right(query)";
    let (mut session, _dir) = start(body, LIMITS);
    assert!(asked(&mut session).is_ok());
    pooled(&mut session);
    std::thread::sleep(Duration::from_millis(600));
    pooled(&mut session);
    // Where it stays, it has left when it is asked next.
    assert!(asked(&mut session).is_ok());
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(asked(&mut session), Err(Fault::Exited { code: 0 }));
}

#[test]
fn a_program_that_was_changed_is_not_run_again() {
    let body = "for entry in std::fs::read_dir(\".\").unwrap().flatten() { \
        std::fs::remove_file(entry.path()).ok(); std::fs::write(entry.path(), \"#!/bin/sh\").ok(); } \
        std::process::exit(0)";
    let (mut session, _dir) = start_at(Level::None, body, LIMITS);
    assert_eq!(asked(&mut session), Err(Fault::Exited { code: 0 }));
    let changed = Fault::Garbled("the program that it runs in was changed while it ran".to_owned());
    assert_eq!(asked(&mut session), Err(changed));
}

#[test]
fn a_part_that_runs_out_of_time_twice_is_given_up() {
    let limits = Limits { wall: Duration::from_millis(300), ..LIMITS };
    let body = "std::thread::sleep(std::time::Duration::from_secs(60)); right(query)";
    let (mut session, _dir) = start(body, limits);
    let clock = Clock::start();
    for _ in 0..2 {
        assert_eq!(asked(&mut session), Err(Fault::WallTime { seconds: 1 }));
    }
    assert!(clock.elapsed() >= Duration::from_millis(600));
    let clock = Clock::start();
    for _ in 0..1000 {
        assert_eq!(asked(&mut session), Err(Fault::WallTime { seconds: 1 }));
    }
    assert!(clock.elapsed() < Duration::from_millis(100), "{:?}", clock.elapsed());
    pooled(&mut session);
    assert_eq!(asked(&mut session), Err(Fault::WallTime { seconds: 1 }));
}

#[test]
fn a_part_that_breaks_again_and_again_is_given_up() {
    let (mut session, _dir) = start("std::process::exit(5)", LIMITS);
    for _ in 0..12 {
        assert_eq!(asked(&mut session), Err(Fault::Exited { code: 5 }));
    }
    let clock = Clock::start();
    for _ in 0..1000 {
        assert_eq!(asked(&mut session), Err(Fault::Exited { code: 5 }));
    }
    assert!(clock.elapsed() < Duration::from_millis(100), "{:?}", clock.elapsed());
    pooled(&mut session);
}

fn error(session: &mut Remote) -> SessionError {
    session.ask(&construct("masked-pooling")).unwrap_err()
}

#[test]
fn what_is_no_worker_is_the_graders_fault() {
    let limits = Limits { wall: Duration::from_millis(500), ..LIMITS };
    let of = |sandbox: Sandbox, program: &str| {
        error(&mut Remote::new(sandbox, PathBuf::from(program), limits.clone())).to_string()
    };
    let sandbox = || tools_at(Level::None).sandbox;
    let missing = of(sandbox(), "/no/such/worker");
    assert!(missing.starts_with("the worker /no/such/worker cannot be run"), "{missing}");
    for program in ["/bin/true", "/bin/cat", "/bin/sleep"] {
        let mute = of(sandbox(), program);
        assert!(mute.starts_with(&format!("the worker {program} never said hello")), "{mute}");
    }
    let never_started = Remote::new(sandbox(), PathBuf::from("/no/such/worker"), LIMITS);
    assert_eq!(never_started.end().unwrap().1, b"");
}

#[test]
fn without_a_part_there_is_nothing_to_ask() {
    let mut session = Remote::new(tools().sandbox, PathBuf::from("/no/such/worker"), LIMITS);
    let nothing = session.ask(&attend()).unwrap();
    let fault = Fault::Garbled("nothing has been made yet".to_owned());
    assert_eq!(nothing, Attempt::Fault(fault));
}

/// The word by which the grader tells a worker to seal itself is the word that the worker knows: code that
/// reaches the kernel (rustc issue 25860, as in `fixtures/attacks/safe-transmute`) is refused `execveat`.
/// If the worker is not sealed, the error is another one: there is no such file.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_worker_that_the_grader_starts_is_sealed() {
    let attack = Path::new(HOME).join("fixtures/attacks/safe-transmute-kill/src/attention.rs");
    let attack = std::fs::read_to_string(attack).unwrap();
    let (_, way_in) = attack.split_once("const UNIT").unwrap();
    let (way_in, _) = way_in.split_once("/// Attention over").unwrap();
    let body = format!(
        "use std::hint::black_box;\nconst UNIT{way_in}\n\
         let call = system_call().unwrap();\n\
         let path = b\"/softmark-nowhere\\0\".as_ptr() as i64;\n\
         let none = [0_i64];\n\
         let none = none.as_ptr() as i64;\n\
         let own = call(39, 0, 0, 0, 0, 0, 0) == i64::from(std::process::id());\n\
         let came = call(322, -100, path, none, none, 0, 0);\n\
         let error = std::io::Error::last_os_error().raw_os_error().unwrap_or(0);\n\
         candle_core::bail!(\"{{own}}, {{came}}, {{error}}\")"
    );
    let limits = Limits { cpu_seconds: 20, ..LIMITS };
    let told = |level: Level| {
        let (mut session, _scratch) = start_at(level, &body, limits.clone());
        let Err(Fault::Code(failure)) = asked(&mut session) else {
            panic!("no error at {level:?}")
        };
        failure.message
    };
    let (refused, missing) = (Errno::EPERM as i32, Errno::ENOENT as i32);
    assert!(told(Level::None).contains(&format!("true, -1, {missing}")), "the call is real");
    let level = tools().sandbox.level();
    if level != Level::None {
        let told = told(level);
        assert!(told.contains(&format!("true, -1, {refused}")), "at {level:?}: {told}");
    }
}
