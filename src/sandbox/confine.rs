//! Sets limits on this process, which then becomes the program.

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{dup2_stderr, setsid};

use crate::sandbox::job::Limits;

/// What ends the limits on the command line and begins the program.
const SEPARATOR: &str = "--";

const MEBIBYTE: u64 = 1024 * 1024;

/// The limits as [`confine`] wants to be told them.
pub(crate) fn arguments(limits: &Limits) -> Vec<OsString> {
    let numbers =
        [limits.cpu_seconds, limits.memory_mebibytes, limits.file_mebibytes, limits.open_files];
    let mut arguments: Vec<OsString> =
        numbers.iter().map(|number| number.to_string().into()).collect();
    arguments.push(SEPARATOR.into());
    arguments
}

/// Becomes the program; returns only if that fails.
///
/// Called with the log as stdout, and with a pipe to the guard as stderr: what arrives there says
/// that the program never ran. The pipe closes as the program starts.
///
/// # Errors
///
/// When a limit cannot be set or the program cannot be started.
pub(crate) fn confine(args: &[OsString]) -> io::Result<Infallible> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "not called by the guard");
    let [cpu, memory, file, open_files, separator, program, args @ ..] = args else {
        return Err(usage());
    };
    let number = |text: &OsString| text.to_str().and_then(|text| text.parse::<u64>().ok());
    let (Some(cpu), Some(memory), Some(file), Some(open_files)) =
        (number(cpu), number(memory), number(file), number(open_files))
    else {
        return Err(usage());
    };
    if separator != SEPARATOR {
        return Err(usage());
    }
    // When the guard is gone nobody would keep the deadline.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Out of the guard's group: `kill(0)` reaches nobody else.
    setsid()?;
    // What the grader keeps from itself, the program need not be spared.
    SigSet::empty().thread_set_mask()?;
    umask(Mode::S_IRWXG | Mode::S_IRWXO);
    let mut command = command(program);
    command.args(args);
    // From here on stderr is the log, and the pipe is a descriptor that closes on `exec`.
    let failures = io::stderr().as_fd().try_clone_to_owned()?;
    dup2_stderr(io::stdout())?;
    let error = match set_limits(cpu, memory, file, open_files) {
        Ok(()) => command.exec(),
        Err(error) => error,
    };
    dup2_stderr(failures)?;
    Err(error)
}

#[expect(clippy::disallowed_methods, reason = "it becomes a program that has its limits")]
fn command(program: &OsString) -> Command {
    Command::new(program)
}

/// Sets the limits; memory last, for it is the only one that can make the rest fail.
fn set_limits(cpu: u64, memory: u64, file: u64, open_files: u64) -> io::Result<()> {
    limit(Resource::RLIMIT_CORE, 0, 0)?;
    // Above the soft limit comes a signal that can be caught; a second later, one that cannot.
    limit(Resource::RLIMIT_CPU, cpu, cpu.saturating_add(1))?;
    let file = file.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_FSIZE, file, file)?;
    limit(Resource::RLIMIT_NOFILE, open_files, open_files)?;
    let memory = memory.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_AS, memory, memory)
}

/// Sets a limit, or keeps the one that this process is under where that is lower.
fn limit(resource: Resource, soft: rlim_t, hard: rlim_t) -> io::Result<()> {
    let (_, allowed) = getrlimit(resource)?;
    Ok(setrlimit(resource, soft.min(allowed), hard.min(allowed))?)
}
