//! Workers that are replaced, and components that are given up.

use std::time::Duration;

use softmark::clock::Clock;
use softmark_sandbox::{Level, Limits};
use softmark_wire::{Attempt, Fault, Request, Session};

use crate::session::{LIMITS, asked, attend, pooled, start, start_at};
use crate::support::notice::skipped;
use crate::support::pack::tools;

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

/// Code that ends its process when it is called there for the second time.
const SECOND_CALL: &str = "static CALLS: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);\n\
    if CALLS.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 0 { std::process::exit(7) }\n";

#[test]
fn a_process_at_rest_is_kept_while_another_part_is_asked() {
    if tools().sandbox.level() == Level::None {
        return skipped("workers are not isolated here: none of them is kept");
    }
    // Half of what may be kept.
    let holds = "std::mem::forget(vec![1_u8; 16 << 20]); right(query)";
    for body in ["right(query)", holds] {
        let (mut session, _dir) = start(&format!("{SECOND_CALL} {body}"), LIMITS);
        assert!(asked(&mut session).is_ok());
        pooled(&mut session);
        assert_eq!(asked(&mut session), Err(Fault::Exited { code: 7 }), "{body}");
        // It is replaced as any other.
        assert!(asked(&mut session).is_ok());
        session.end().unwrap();
    }
}

/// A process that holds twice the memory, or has threads, is not kept; without isolation, none is.
#[test]
fn a_process_that_is_not_at_rest_is_ended_when_another_part_is_asked() {
    let holds = "std::mem::forget(vec![1_u8; 64 << 20]); right(query)";
    let threads = "std::thread::spawn(|| std::thread::sleep(std::time::Duration::from_secs(60))); \
                   right(query)";
    let best = tools().sandbox.level();
    for (level, body) in [(best, holds), (best, threads), (Level::None, "right(query)")] {
        let (mut session, _dir) = start_at(level, &format!("{SECOND_CALL} {body}"), LIMITS);
        for _ in 0..3 {
            assert_eq!(asked(&mut session).map(drop), Ok(()), "{body}");
            pooled(&mut session);
        }
    }
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
