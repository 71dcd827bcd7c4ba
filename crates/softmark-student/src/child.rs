//! A session with a student's code in a process of its own.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use softmark_wire::{
    Asked, Attempt, Fault, FrameError, MAX_FRAME_BYTES, Reply, Request, Session, SessionError,
    read_frame, write_frame,
};

use crate::change::Change;
use crate::clock::Clock;
use crate::limits::Limits;
use crate::monitor::Monitor;
use crate::printed::Printed;

/// Argument that makes the program of the checks answer requests at the port behind it.
pub(crate) const ANSWER: &str = "--answer-requests-at";

/// Time between two looks at a process that has not answered yet. An ordinary answer takes less, and is not looked at.
const TICK: Duration = Duration::from_millis(20);

/// Time within which a process must have started: a thousand times what it takes (7 ms).
const STARTED_WITHIN: Duration = Duration::from_secs(10);

/// Time that a process whose channel is closed has to end by itself.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// Beginning of the message that Rust's library prints before it aborts for lack of memory.
const NO_MEMORY: &str = "memory allocation of ";

/// Session with a process that runs `program`, the tests of an assignment; it is started when it is first asked, and again
/// after it has failed.
#[derive(Debug)]
pub(crate) struct ChildSession<'a> {
    program: &'a Path,
    limits: Limits,
    change: Change<'a>,
    printed: Printed,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    channel: TcpStream,
    monitor: Monitor,
}

/// Reason why there is no reply.
enum NoReply {
    /// A limit is exceeded.
    Exceeded(Fault),
    /// The channel is closed, or what it carries is no frame.
    Broken(FrameError),
    /// The frame holds no reply.
    Garbled(String),
}

impl From<FrameError> for NoReply {
    fn from(error: FrameError) -> Self {
        Self::Broken(error)
    }
}

impl<'a> ChildSession<'a> {
    /// Returns a session; nothing is started yet. It ends as soon as `change` is outdated.
    ///
    /// # Errors
    ///
    /// Fails if there is no file for what the process prints.
    pub(crate) fn new(program: &'a Path, limits: Limits, change: Change<'a>) -> io::Result<Self> {
        let printed = Printed::new()?;
        Ok(Self { program, limits, change, printed, process: None })
    }

    /// Returns what the code prints.
    pub(crate) fn printed(&self) -> &Printed {
        &self.printed
    }

    #[expect(clippy::disallowed_methods, reason = "`Monitor` limits this process, on every system")]
    fn start(&self) -> io::Result<Process> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let mut child = Command::new(self.program)
            .args([ANSWER, &port.to_string()])
            // As in grading. Without a number, candle reads `/proc/cpuinfo` in every matrix product: 60 µs on two cores.
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::null())
            .stdout(self.printed.stdio()?)
            .stderr(self.printed.stdio()?)
            .spawn()?;
        match accept(&listener, &mut child) {
            Ok(channel) => {
                let monitor = Monitor::new(child.id(), self.limits);
                Ok(Process { child, channel, monitor })
            }
            Err(error) => {
                end(&mut child);
                Err(error)
            }
        }
    }

    /// Returns the fault of a process that gave no reply, and ends it.
    fn fault(&self, mut process: Process, why: NoReply) -> Fault {
        match why {
            NoReply::Exceeded(fault) => fault,
            NoReply::Garbled(detail) => Fault::Garbled(detail),
            NoReply::Broken(FrameError::Closed | FrameError::Cut | FrameError::Io(_)) => {
                match ended(&mut process.child) {
                    Some(status) => self.of_ending(status),
                    None => Fault::Garbled("it closed its channel".to_owned()),
                }
            }
            NoReply::Broken(error @ (FrameError::Mark(_) | FrameError::TooLong { .. })) => {
                Fault::Garbled(error.to_string())
            }
        }
    }

    fn of_ending(&self, status: ExitStatus) -> Fault {
        let is_out_of_memory = |line: &String| line.starts_with(NO_MEMORY);
        if !status.success() && self.printed.lines(0).iter().rev().take(3).any(is_out_of_memory) {
            return Fault::OutOfMemory { mebibytes: self.limits.memory_mebibytes };
        }
        match (signal(status), status.code()) {
            (Some(signal), _) => Fault::Killed { signal },
            (None, Some(code)) => Fault::Exited { code },
            (None, None) => Fault::Garbled("its process ended in an unknown way".to_owned()),
        }
    }
}

impl Session for ChildSession<'_> {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start().map_err(|error| not_started(self.program, error))?,
        };
        match process.exchange(request, &self.printed, self.change) {
            Ok(Reply::Failed(failure)) => {
                self.process = Some(process);
                Ok(Attempt::Fault(Fault::Code(failure)))
            }
            Ok(reply) => {
                self.process = Some(process);
                Ok(Attempt::Success(reply))
            }
            Err(why) => Ok(Attempt::Fault(self.fault(process, why))),
        }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.process = None;
        Ok(())
    }
}

impl Process {
    fn exchange(
        &mut self,
        request: &Request,
        printed: &Printed,
        change: Change<'_>,
    ) -> Result<Reply, NoReply> {
        self.monitor.ask();
        let mut watched = Watched { process: self, printed, change, exceeded: None };
        let reply = watched.exchange(request);
        match (watched.exceeded, reply) {
            (Some(fault), _) => Err(NoReply::Exceeded(fault)),
            (None, reply) => reply,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Channel of a process that is looked at while it does not answer.
struct Watched<'a> {
    process: &'a mut Process,
    printed: &'a Printed,
    change: Change<'a>,
    exceeded: Option<Fault>,
}

impl Watched<'_> {
    fn exchange(&mut self, request: &Request) -> Result<Reply, NoReply> {
        write_frame(self, &request.encode())?;
        let frame = read_frame(&mut BufReader::new(self), MAX_FRAME_BYTES)?;
        Reply::decode(&frame).map_err(|error| NoReply::Garbled(error.to_string()))
    }

    /// Returns why the process is not waited for any longer, if it is not.
    fn exceeded(&mut self) -> Option<Fault> {
        if self.change.is_outdated() {
            return Some(Fault::Garbled("its files have changed".to_owned()));
        }
        self.process.monitor.exceeded(self.printed)
    }

    /// Repeats `action` until it succeeds, fails, or the process exceeds a limit.
    fn within(
        &mut self,
        mut action: impl FnMut(&mut TcpStream) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            match action(&mut self.process.channel) {
                Err(error) if is_not_ready(&error) => {
                    self.exceeded = self.exceeded();
                    if self.exceeded.is_some() {
                        return Err(ErrorKind::Other.into());
                    }
                }
                result => return result,
            }
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.within(|channel| channel.read(buffer))
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.within(|channel| channel.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// True if a read or a write ran out of its time, or was interrupted.
fn is_not_ready(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Waits for the connection of a process that was just started.
fn accept(listener: &TcpListener, child: &mut Child) -> io::Result<TcpStream> {
    listener.set_nonblocking(true)?;
    let started = Clock::start();
    loop {
        match listener.accept() {
            Ok((channel, _)) => {
                channel.set_nonblocking(false)?;
                channel.set_nodelay(true)?;
                channel.set_read_timeout(Some(TICK))?;
                channel.set_write_timeout(Some(TICK))?;
                return Ok(channel);
            }
            Err(error) if is_not_ready(&error) => {}
            Err(error) => return Err(error),
        }
        if let Some(status) = child.try_wait()? {
            return Err(io::Error::other(format!("it ended at once: {status}")));
        }
        if started.elapsed() > STARTED_WITHIN {
            let seconds = STARTED_WITHIN.as_secs();
            return Err(io::Error::other(format!("it did not answer within {seconds} s")));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns how a process ended that has closed its channel; `None` if it goes on.
fn ended(child: &mut Child) -> Option<ExitStatus> {
    let since = Clock::start();
    while since.elapsed() < ENDS_WITHIN {
        if let Ok(Some(status)) = child.try_wait() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

/// Ends a process; one that has ended by itself is no error.
fn end(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Other systems have no signals.
#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

fn not_started(program: &Path, error: io::Error) -> SessionError {
    let message = format!(
        "the process that asks your code could not be started: {}: {error}. \
         `cargo test --test public -- --same-process` runs the checks without it",
        program.display()
    );
    SessionError { message, source: Some(Box::new(error)) }
}
