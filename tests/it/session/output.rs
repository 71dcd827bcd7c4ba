//! Output of a submission: what it prints, sends on its socket, and writes to any other descriptor.

use softmark::session::Remote;
use softmark_sandbox::Level;
use softmark_wire::{Failure, FailureKind, Fault, Reply, Request, Session};

use crate::session::{
    LIMITS, asked, construct, fault, frames, hostile, pool, pooled, start, start_at,
};
use crate::support::pack::tools;

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
