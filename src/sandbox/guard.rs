//! Watches one program and everything that it starts, and ends them all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::mem;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::resource::{Usage, UsageWho, getrusage};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::{Pid, close, dup2_stderr, dup2_stdin, dup2_stdout};

use crate::clock::Clock;
use crate::sandbox::hidden::CONFINE;
use crate::sandbox::report::{self, Cause, Facts, Report, Status};
use crate::sandbox::sweep;

/// How long a program that has closed its channel may take to end.
const GRACE: Duration = Duration::from_secs(2);

/// How often a program that computes gets its time again.
pub(crate) const MAX_EXTENSIONS: u32 = 9;

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
/// stderr. Told the deadline in milliseconds; the rest is for
/// [`confine`](crate::sandbox::confine).
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
    let [wall, args @ ..] = args else {
        return Err(usage());
    };
    let wall = wall.to_str().and_then(|wall| wall.parse().ok()).ok_or_else(usage)?;
    prctl::set_child_subreaper(true)?;
    let orders = orders.try_clone()?;
    let (events, inbox) = mpsc::channel();
    let orders_events = events.clone();
    thread::Builder::new()
        .name("orders".to_owned())
        .spawn(move || listen(orders, &orders_events))?;
    let mut child = start(args)?;
    // The program alone holds its channel and its log now: their ends are its end.
    let null = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    let pid = Pid::from_raw(i32::try_from(child.id()).map_err(io::Error::other)?);
    let waiting = thread::Builder::new().name("program".to_owned()).spawn(move || {
        // `EINVAL`: ended by a signal that has no name.
        while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR)
        {
        }
        events.send(Event::Ended).ok();
    });
    let cause = match waiting {
        Ok(_) => await_cause(&inbox, &clock, Duration::from_millis(wall)),
        Err(error) => {
            sweep::sweep();
            return Err(error);
        }
    };
    end(&mut child, cause)
}

/// Starts the program under its limits.
///
/// Only this thread may do it: the program is killed when the thread that started it ends.
fn start(args: &[OsString]) -> io::Result<Child> {
    let (mut failure, pipe) = io::pipe()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    let mut command = this_program();
    command.arg(CONFINE).args(args).stdout(Stdio::from(log)).stderr(Stdio::from(pipe));
    let mut child = command.spawn()?;
    // Holds the writing end of the pipe.
    drop(command);
    let mut reason = String::new();
    failure.read_to_string(&mut reason)?;
    if reason.is_empty() {
        return Ok(child);
    }
    child.wait()?;
    Err(io::Error::other(reason))
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn this_program() -> Command {
    Command::new("/proc/self/exe")
}

/// Passes the grader's orders on.
fn listen(mut orders: UnixStream, events: &Sender<Event>) {
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
}

/// Waits until the program has ended or has to.
///
/// The deadline is for programs that wait. One that has computed for more than a tenth of the time
/// gets the same time again, so that on a busy machine too it is the processor time that ends it.
fn await_cause(inbox: &Receiver<Event>, clock: &Clock, wall: Duration) -> Cause {
    let (mut deadline, mut at_deadline) = (wall, Cause::Deadline);
    let (mut used, mut extensions) = (Duration::ZERO, 0);
    loop {
        match inbox.recv_timeout(clock.left(deadline)) {
            Ok(Event::Ended) => return Cause::Program,
            Ok(Event::Order(report::FLOOD)) => return Cause::Flood,
            Ok(Event::Order(report::AWAIT)) => {
                deadline = deadline.min(clock.elapsed() + GRACE);
                at_deadline = Cause::Order;
            }
            Ok(Event::Order(_) | Event::Alone) => return Cause::Order,
            Err(_) => {
                let before = mem::replace(&mut used, sweep::descendants_cpu());
                let idle = used.saturating_sub(before) * 10 < wall;
                if at_deadline != Cause::Deadline || idle || extensions == MAX_EXTENSIONS {
                    return at_deadline;
                }
                extensions += 1;
                deadline += wall;
            }
        }
    }
}

/// Kills all there is and says how the program ended.
fn end(child: &mut Child, cause: Cause) -> io::Result<Facts> {
    // It may have ended by itself just before it would have been killed.
    let by_itself = child.try_wait()?;
    let alone = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    if by_itself.is_none() {
        sweep::kill_descendants();
        child.wait()?;
    }
    sweep::sweep();
    let all = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let (cause, status) = match by_itself {
        Some(status) if cause != Cause::Flood => (Cause::Program, Some(of_kernel(status))),
        Some(_) | None => (cause, None),
    };
    Ok(Facts {
        cause,
        status,
        cpu: cpu(&alone),
        peak_bytes: peak_bytes(&alone),
        total_cpu: cpu(&all),
        total_peak_bytes: peak_bytes(&all),
    })
}

fn of_kernel(status: ExitStatus) -> Status {
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signaled(signal.unwrap_or_default()),
    }
}

fn cpu(usage: &Usage) -> Duration {
    [usage.user_time(), usage.system_time()]
        .iter()
        .map(|time| {
            let seconds = Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or_default());
            seconds + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or_default())
        })
        .sum()
}

/// Linux counts in KiB.
fn peak_bytes(usage: &Usage) -> u64 {
    u64::try_from(usage.max_rss()).unwrap_or_default().saturating_mul(1024)
}
