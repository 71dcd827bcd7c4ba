//! Programs that do not start, or that end before an answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use softmark::session::{NeedsControl, Remote};
use softmark_sandbox::{Level, Limits, Sandbox};
use softmark_wire::{Attempt, Fault, Reply, Session, SessionError};

use crate::session::{
    LIMITS, asked, attend, built, construct, frames, hostile, pool, start, start_at,
};
use crate::support::pack::{HOME, tools, tools_at};

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
fn a_program_that_was_changed_is_not_run_again() {
    let body = "for entry in std::fs::read_dir(\".\").unwrap().flatten() { \
        std::fs::remove_file(entry.path()).ok(); std::fs::write(entry.path(), \"#!/bin/sh\").ok(); } \
        std::process::exit(0)";
    let (mut session, _dir) = start_at(Level::None, body, LIMITS);
    assert_eq!(asked(&mut session), Err(Fault::Exited { code: 0 }));
    let changed = Fault::Garbled("the program that it runs in was changed while it ran".to_owned());
    assert_eq!(asked(&mut session), Err(changed));
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
