//! Watches one program and everything that it starts, and ends them all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, PipeReader, Read, Write};
use std::mem;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::{Pid, close, dup2_stderr, dup2_stdin, dup2_stdout};

use crate::clock::Clock;
use crate::sandbox::brief::Brief;
use crate::sandbox::hidden::INIT;
use crate::sandbox::job::{Limits, Reach};
use crate::sandbox::level::Level;
use crate::sandbox::report::{self, Cause, Facts, Report, Used, Word};
use crate::sandbox::usage::{ended, of_children};
use crate::sandbox::{bwrap, spaces, start, sweep};

/// How long a program that has closed its channel may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// How often a program that computes gets its time again.
pub(crate) const MAX_EXTENSIONS: u32 = 9;

/// How often the guard looks at what a student's program holds: often enough that one which takes a
/// gigabyte, or a thousand threads, a tenth of a second is ended within the tenth, and seldom enough
/// that looking costs less than a hundredth of a processor.
const LOOK: Duration = Duration::from_millis(25);

/// What the guard waits for.
#[derive(Debug)]
enum Event {
    /// The program has ended and is not reaped yet.
    Ended,
    /// The grader says so.
    Order(u8),
    /// There is no grader any more.
    Alone,
}

/// Runs the program to its end and reports it.
///
/// Called with the program's channel as stdin, its log as stdout, and the grader's orders as
/// stderr. Told a [`Brief`].
pub(crate) fn guard(args: &[OsString]) {
    close_inherited();
    let Ok(orders) = io::stderr().as_fd().try_clone_to_owned() else {
        return;
    };
    let mut orders = UnixStream::from(orders);
    let report = match watch(args, &orders) {
        Ok(facts) => Report::Ended(facts),
        Err(error) => Report::Failed(error.to_string()),
    };
    // No grader that listens, no report.
    orders.write_all(report.encode().as_bytes()).ok();
}

/// Closes whatever the grader itself was started with, before anything else is opened.
fn close_inherited() {
    let Ok(listed) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    // Listed first: the listing is a descriptor too, which closes by itself.
    let open: Vec<i32> =
        listed.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open {
        if descriptor > 2 {
            close(descriptor).ok();
        }
    }
}

fn watch(args: &[OsString], orders: &UnixStream) -> io::Result<Facts> {
    let clock = Clock::start();
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "not called by the sandbox");
    let brief = Brief::decode(args).ok_or_else(usage)?;
    let isolated = brief.job.reach != Reach::Everything;
    prctl::set_child_subreaper(true)?;
    let spaces = isolated && brief.level == Level::Full;
    if spaces {
        // Only a process with one thread can.
        spaces::begin()?;
    }
    let (events, inbox) = mpsc::channel();
    let (pids, pid) = mpsc::channel();
    listen(orders.try_clone()?, events.clone())?;
    await_end(pid, events)?;
    let mut started = match (isolated, brief.level) {
        (true, Level::Full) => {
            // From here on this thread can start no other.
            spaces::next_child_alone()?;
            let mut first = itself();
            first.arg(INIT);
            first_process(first, &brief)
        }
        (true, Level::Bwrap) => first_process(bwrap::command(&brief.job)?, &brief),
        (_, Level::None | Level::Strict | Level::Landlock) | (false, _) => {
            let child = start::program(itself(), &brief)?;
            Ok(Started { child, words: None })
        }
    }?;
    // The program alone holds its channel and its log now: their ends are its end.
    let null = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    pids.send(Pid::from_raw(i32::try_from(started.child.id()).map_err(io::Error::other)?)).ok();
    let cause = await_cause(&inbox, &clock, &brief.job.limits, isolated);
    end(&mut started, cause)
}

/// What the guard has started.
struct Started {
    /// The program, or what started it in a name space.
    child: Child,
    /// What is said there.
    words: Option<BufReader<PipeReader>>,
}

/// Starts the first process in a name space, and waits until it has started the program.
fn first_process(mut first: Command, brief: &Brief) -> io::Result<Started> {
    let (words, pipe) = io::pipe()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    first.args(brief.encode()).stdout(Stdio::from(log)).stderr(Stdio::from(pipe));
    let mut child = first.env_clear().spawn()?;
    // Holds the writing end of the pipe.
    drop(first);
    let mut words = BufReader::new(words);
    let mut said = String::new();
    words.read_line(&mut said)?;
    match Word::decode(&said) {
        Some(Word::Started) => Ok(Started { child, words: Some(words) }),
        Some(Word::Failed(reason)) => {
            child.wait()?;
            Err(io::Error::other(reason))
        }
        Some(Word::Ended(..)) | None => {
            words.read_to_string(&mut said)?;
            let status = child.wait()?;
            Err(io::Error::other(format!("{} ({status})", said.trim().replace('\n', "; "))))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn itself() -> Command {
    Command::new("/proc/self/exe")
}

/// Passes the grader's orders on, on a thread of its own.
fn listen(mut orders: UnixStream, events: Sender<Event>) -> io::Result<()> {
    let obey = move || {
        let mut order = [0];
        loop {
            let event = match orders.read(&mut order) {
                Ok(0) => Event::Alone,
                Ok(_) => Event::Order(order[0]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => Event::Alone,
            };
            let last = matches!(event, Event::Alone);
            if events.send(event).is_err() || last {
                return;
            }
        }
    };
    thread::Builder::new().name("orders".to_owned()).spawn(obey).map(drop)
}

/// Tells, on a thread of its own, when the process has ended whose number comes.
fn await_end(pid: Receiver<Pid>, events: Sender<Event>) -> io::Result<()> {
    let wait = move || {
        // Nothing was started.
        let Ok(pid) = pid.recv() else {
            return;
        };
        // `EINVAL`: ended by a signal that has no name.
        while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR)
        {
        }
        events.send(Event::Ended).ok();
    };
    thread::Builder::new().name("program".to_owned()).spawn(wait).map(drop)
}

/// Waits until the program has ended or has to.
///
/// The deadline is for programs that wait. One that has computed for a tenth of its processor time
/// gets the same time again, so that on a busy machine too it is the processor time that ends it.
fn await_cause(inbox: &Receiver<Event>, clock: &Clock, limits: &Limits, look: bool) -> Cause {
    let enough = Duration::from_secs(limits.cpu_seconds) / 10;
    let (mut deadline, mut at_deadline) = (limits.wall, Cause::Deadline);
    let (mut used, mut extensions) = (Duration::ZERO, 0);
    loop {
        let left = clock.left(deadline);
        match inbox.recv_timeout(if look { left.min(LOOK) } else { left }) {
            Ok(Event::Ended) => return Cause::Program,
            Ok(Event::Order(report::FLOOD)) => return Cause::Flood,
            Ok(Event::Order(report::AWAIT)) => {
                deadline = deadline.min(clock.elapsed() + GRACE);
                at_deadline = Cause::Order;
            }
            Ok(Event::Order(_) | Event::Alone) => return Cause::Order,
            Err(_) => {
                let held = sweep::held_by_descendants();
                if look && held.threads > limits.threads {
                    return Cause::Crowd;
                }
                if look && held.bytes > limits.memory_mebibytes.saturating_mul(1024 * 1024) {
                    return Cause::Memory;
                }
                if !clock.left(deadline).is_zero() {
                    continue;
                }
                let before = mem::replace(&mut used, held.cpu);
                let idle = used.saturating_sub(before) < enough;
                if at_deadline != Cause::Deadline || idle || extensions == MAX_EXTENSIONS {
                    return at_deadline;
                }
                extensions += 1;
                deadline += limits.wall;
            }
        }
    }
}

/// Kills all there is and says how the program ended.
fn end(started: &mut Started, cause: Cause) -> io::Result<Facts> {
    // It may have ended by itself just before it would have been killed.
    let child = &mut started.child;
    let by_itself = child.try_wait()?.map(ended);
    let mut alone = of_children()?;
    let mut killed = Used::default();
    if by_itself.is_none() {
        // What is killed below another process is never counted among the children of this one.
        killed = sweep::used_by_descendants();
        sweep::kill_descendants();
        child.wait()?;
    }
    sweep::sweep();
    let waited_for = of_children()?;
    let total = Used {
        cpu: waited_for.cpu.max(killed.cpu),
        peak_bytes: waited_for.peak_bytes.max(killed.peak_bytes),
    };
    let mut by_itself = by_itself;
    if let Some(words) = &mut started.words {
        let mut said = String::new();
        words.read_to_string(&mut said)?;
        match (Word::decode(&said), by_itself) {
            (Some(Word::Ended(status, used)), _) => (by_itself, alone) = (Some(status), used),
            (_, None) => {}
            (_, Some(how)) => {
                let reason = format!("what watched over it was ended from outside ({how:?})");
                return Err(io::Error::other(reason));
            }
        }
    }
    let (cause, status) = match by_itself {
        Some(status) if matches!(cause, Cause::Program | Cause::Order | Cause::Deadline) => {
            (Cause::Program, Some(status))
        }
        Some(_) | None => (cause, None),
    };
    Ok(Facts { cause, status, alone, total })
}
