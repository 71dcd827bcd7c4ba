//! The supervisor: a process that watches one program and all its descendants, and kills them.

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
use crate::job::{Access, Limits, NULL_DEVICE};
use crate::launch_spec::LaunchSpec;
use crate::level::Level;
use crate::process_tree::Starters;
use crate::protocol::{Cause, InitMessage, Observations, Order, SupervisorReport};
use crate::rusage::{Rusage, TerminationStatus, of_children};
use crate::{bwrap, init, launcher, namespaces, process_tree};

/// Hidden subcommand that starts this process.
pub(crate) const SUBCOMMAND: &str = "__supervise";

/// Time that a program gets to exit after it has closed its channel.
const GRACE_PERIOD: Duration = Duration::from_secs(2);

/// Number of times that the wall-clock limit of a program that uses CPU time is renewed.
pub(crate) const MAX_RENEWALS: u32 = 9;

/// Interval between two measurements of the process tree of student code. It is short enough that a
/// program that takes a gigabyte, or a thousand threads, per tenth of a second is killed within that
/// time, and long enough that measuring costs less than a hundredth of a processor.
const POLL_INTERVAL: Duration = Duration::from_millis(25);

/// Event that the supervisor waits for.
#[derive(Debug)]
enum Event {
    /// The program has ended and is not reaped yet.
    Exited,
    /// The grader gave an order.
    Order(Order),
    /// The grader is gone.
    GraderGone,
}

/// Runs the program to its end and reports how it ended.
///
/// Stdin must be the program's channel, stdout its log, and stderr the socket of the grader's orders.
/// `args` encode a [`LaunchSpec`].
pub(crate) fn run(args: &[OsString]) {
    close_inherited_descriptors();
    let Ok(orders) = io::stderr().as_fd().try_clone_to_owned() else {
        return;
    };
    let mut orders = UnixStream::from(orders);
    let report = match supervise(args, &orders) {
        Ok(observations) => SupervisorReport::Ended(observations),
        Err(error) => SupervisorReport::Failed(error.to_string()),
    };
    // Fails only if the grader is gone.
    orders.write_all(report.encode().as_bytes()).ok();
}

/// Closes the descriptors that the grader inherited, before this process opens any.
fn close_inherited_descriptors() {
    let Ok(entries) = fs::read_dir("/proc/self/fd") else {
        return;
    };
    // Collected first, because the listing itself uses a descriptor, which it closes.
    let open: Vec<i32> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for descriptor in open {
        if descriptor > 2 {
            close(descriptor).ok();
        }
    }
}

fn supervise(args: &[OsString], orders: &UnixStream) -> io::Result<Observations> {
    let clock = Clock::start();
    let spec = LaunchSpec::from_args(args)?;
    let isolated = spec.job.access != Access::Unrestricted;
    prctl::set_child_subreaper(true)?;
    if isolated && spec.level == Level::Full {
        // Possible only while this process has one thread.
        namespaces::enter_user_namespace()?;
    }
    let (events, inbox) = mpsc::channel();
    let (pids, pid) = mpsc::channel();
    forward_orders(orders.try_clone()?, events.clone())?;
    await_exit(pid, events)?;
    let mut started = start(&spec, isolated)?;
    // Only the program may hold its channel and its log, so that they close when it ends.
    let null = File::options().read(true).write(true).open(NULL_DEVICE)?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    dup2_stderr(&null)?;
    pids.send(Pid::from_raw(i32::try_from(started.child.id()).map_err(io::Error::other)?)).ok();
    let limits = &spec.job.limits;
    let starters = Starters::of(spec.level, &spec.job.access);
    let watch = Watch { inbox: &inbox, clock: &clock, limits, limits_tree: isolated, starters };
    let cause = watch.run();
    end(&mut started, cause)
}

/// Child process of the supervisor.
struct Started {
    /// The program itself, or `init` in a PID namespace.
    child: Child,
    /// Messages of `init`, if there is one.
    init: Option<BufReader<PipeReader>>,
}

/// Starts the program, directly or through `init`.
fn start(spec: &LaunchSpec, isolated: bool) -> io::Result<Started> {
    match (isolated, spec.level) {
        (true, Level::Full) => {
            // After this call, this process cannot start a thread.
            namespaces::create_pid_namespace()?;
            let mut command = grader();
            command.arg(init::SUBCOMMAND);
            start_init(command, spec)
        }
        (true, Level::Bwrap) => start_init(bwrap::command(&spec.job)?, spec),
        (_, Level::None | Level::Strict | Level::Landlock) | (false, _) => {
            Ok(Started { child: launcher::spawn(grader(), spec)?, init: None })
        }
    }
}

/// Starts `init`, and waits until it has started the program.
fn start_init(mut init: Command, spec: &LaunchSpec) -> io::Result<Started> {
    let (messages, pipe) = io::pipe()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    init.args(spec.to_args()).stdout(Stdio::from(log)).stderr(Stdio::from(pipe));
    let mut child = init.env_clear().spawn()?;
    // Closes the write end of the pipe.
    drop(init);
    let mut messages = BufReader::new(messages);
    let mut text = String::new();
    messages.read_line(&mut text)?;
    match InitMessage::decode(&text) {
        Some(InitMessage::Started) => Ok(Started { child, init: Some(messages) }),
        Some(InitMessage::Failed(reason)) => {
            child.wait()?;
            Err(io::Error::other(reason))
        }
        // Not from `init`: `bwrap` writes its errors to the same pipe.
        Some(InitMessage::Ended(..)) | None => {
            messages.read_to_string(&mut text)?;
            let status = child.wait()?;
            Err(io::Error::other(format!("{} ({status})", text.trim().replace('\n', "; "))))
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn grader() -> Command {
    Command::new("/proc/self/exe")
}

/// Forwards the grader's orders as events, on a thread of its own.
fn forward_orders(orders: UnixStream, events: Sender<Event>) -> io::Result<()> {
    let thread = thread::Builder::new().name("orders".to_owned());
    thread.spawn(move || read_orders(orders, &events)).map(drop)
}

fn read_orders(mut orders: UnixStream, events: &Sender<Event>) {
    let mut byte = [0];
    loop {
        let event = match orders.read(&mut byte) {
            Ok(0) => Event::GraderGone,
            Ok(_) => Event::Order(Order::from_byte(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => Event::GraderGone,
        };
        let is_last = matches!(event, Event::GraderGone);
        if events.send(event).is_err() || is_last {
            return;
        }
    }
}

/// Sends an event when the process has ended whose id arrives on `pid`, on a thread of its own.
fn await_exit(pid: Receiver<Pid>, events: Sender<Event>) -> io::Result<()> {
    let thread = thread::Builder::new().name("program".to_owned());
    thread.spawn(move || wait_for_exit(&pid, &events)).map(drop)
}

fn wait_for_exit(pid: &Receiver<Pid>, events: &Sender<Event>) {
    // Without an id, no program was started.
    let Ok(pid) = pid.recv() else {
        return;
    };
    // `EINVAL` means that a signal without a name killed the process.
    while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR) {}
    events.send(Event::Exited).ok();
}

/// Waits for the end of a program.
struct Watch<'a> {
    inbox: &'a Receiver<Event>,
    clock: &'a Clock,
    limits: &'a Limits,
    /// True if the limits of threads and memory apply to the whole process tree: for student code.
    limits_tree: bool,
    starters: Starters,
}

impl Watch<'_> {
    /// Waits until the program has ended or must be killed.
    ///
    /// The deadline is meant for programs that wait. A program that has used a tenth of its CPU time
    /// since the last deadline gets another one, so that on a busy machine, too, the CPU limit ends it.
    fn run(&self) -> Cause {
        let enough = Duration::from_secs(self.limits.cpu_seconds) / 10;
        let (mut deadline, mut cause_at_deadline) = (self.limits.wall, Cause::Deadline);
        let (mut used, mut renewals) = (Duration::ZERO, 0);
        loop {
            let left = self.clock.left(deadline);
            let timeout = if self.limits_tree { left.min(POLL_INTERVAL) } else { left };
            match self.inbox.recv_timeout(timeout) {
                Ok(Event::Exited) => return Cause::Program,
                Ok(Event::Order(Order::OutputLimit)) => return Cause::OutputLimit,
                Ok(Event::Order(Order::AwaitExit)) => {
                    deadline = deadline.min(self.clock.elapsed() + GRACE_PERIOD);
                    cause_at_deadline = Cause::Order;
                }
                Ok(Event::Order(Order::Stop) | Event::GraderGone) => return Cause::Order,
                Err(_) => {
                    let usage = process_tree::usage_of_descendants(self.starters);
                    if let Some(cause) = self.exceeded(&usage) {
                        return cause;
                    }
                    if !self.clock.left(deadline).is_zero() {
                        continue;
                    }
                    let before = mem::replace(&mut used, usage.cpu);
                    let idle = used.saturating_sub(before) < enough;
                    let renewable = cause_at_deadline == Cause::Deadline && !idle;
                    if !renewable || renewals == MAX_RENEWALS {
                        return cause_at_deadline;
                    }
                    renewals += 1;
                    deadline += self.limits.wall;
                }
            }
        }
    }

    /// Returns the limit of the process tree that is exceeded.
    fn exceeded(&self, usage: &process_tree::TreeUsage) -> Option<Cause> {
        let bytes = self.limits.memory_mebibytes.saturating_mul(1024 * 1024);
        if !self.limits_tree {
            None
        } else if usage.threads > self.limits.threads {
            Some(Cause::ThreadLimit)
        } else if usage.private_bytes > bytes {
            Some(Cause::MemoryLimit)
        } else {
            None
        }
    }
}

/// Kills the process tree, and returns how the program ended.
fn end(started: &mut Started, cause: Cause) -> io::Result<Observations> {
    // The program may have ended just before it would have been killed.
    let child = &mut started.child;
    let mut status = child.try_wait()?.map(TerminationStatus::of);
    let mut program = of_children()?;
    let mut killed = Rusage::default();
    if status.is_none() {
        // Processes that are killed below another one never count among this process's children.
        killed = process_tree::rusage_of_descendants();
        process_tree::kill_descendants();
        child.wait()?;
    }
    process_tree::kill_and_reap_descendants();
    let waited_for = of_children()?;
    let total = Rusage {
        cpu: waited_for.cpu.max(killed.cpu),
        peak_bytes: waited_for.peak_bytes.max(killed.peak_bytes),
    };
    if let Some(init) = &mut started.init {
        let mut text = String::new();
        init.read_to_string(&mut text)?;
        match (InitMessage::decode(&text), status) {
            (Some(InitMessage::Ended(of_program, usage)), _) => {
                (status, program) = (Some(of_program), usage);
            }
            (_, None) => {}
            (_, Some(of_init)) => {
                let reason = format!("process 1 of the namespace was killed ({of_init:?})");
                return Err(io::Error::other(reason));
            }
        }
    }
    let (cause, status) = match status {
        Some(status) if matches!(cause, Cause::Program | Cause::Order | Cause::Deadline) => {
            (Cause::Program, Some(status))
        }
        Some(_) | None => (cause, None),
    };
    Ok(Observations { cause, status, program, total })
}
