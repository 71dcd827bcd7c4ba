//! Whatever a submission does with a question, what comes of it is an answer or its fault.

mod limits;
mod output;
mod replacing;
mod starting;

use std::path::PathBuf;
use std::time::Duration;

use softmark::session::Remote;
use softmark_sandbox::{Level, Limits};
use softmark_wire::{
    Attempt, Construction, DType, Failure, FailureKind, Fault, Input, Reply, Request, Session,
    Tensor,
};
use tempfile::TempDir;

use crate::support::pack::{files, pack, program, tools, tools_at};

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

fn component(part: &str) -> Construction {
    let mut config = Vec::new();
    if part == "masked-pooling" {
        config.push(("kind".to_owned(), 0));
    }
    Construction { part: part.to_owned(), config, parameters: Vec::new() }
}

fn construct(part: &str) -> Request {
    Request::Construct(component(part))
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
    session.construct_and_ask(component(part), request.clone()).unwrap().into_result()
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
fn a_question_may_come_with_the_construction_or_after_it() {
    let (mut session, _dir) = start("right(query)", LIMITS);
    let together = asked(&mut session);
    assert!(together.is_ok(), "{together:?}");
    // The component stays for more questions.
    assert_eq!(session.ask(&attend()).unwrap().into_result(), together);
    let made = session.ask(&construct("scaled-dot-product")).unwrap();
    assert_eq!(made, Attempt::Success(Reply::Constructed));
    assert_eq!(session.ask(&attend()).unwrap().into_result(), together);
    // What cannot be made is not asked.
    let apart = session.ask(&construct("no-such-part")).unwrap();
    let together = session.construct_and_ask(component("no-such-part"), attend()).unwrap();
    assert!(matches!(together, Attempt::Fault(Fault::Code(_))), "{together:?}");
    assert_eq!(apart, together);
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
