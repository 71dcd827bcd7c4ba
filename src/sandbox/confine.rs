//! Takes from this process what its program is not to have; then becomes the program.

use std::convert::Infallible;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::fcntl::AtFlags;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{chdir, dup2_stderr, execveat, setsid};

use crate::sandbox::brief::Brief;
use crate::sandbox::job::{Job, Limits, Reach};
use crate::sandbox::level::Level;
use crate::sandbox::{files, probe, rights, syscalls, view};

const MEBIBYTE: u64 = 1024 * 1024;

/// So many processes and threads a user may have where the kernel counts those of one job alone.
/// The guard counts too, and has the say; this is for what is done between two of its looks.
const MOST_THREADS: u64 = 4096;

/// Becomes the program; returns only if that fails.
///
/// Called with the log as stdout, and with a pipe to whoever started it as stderr: what arrives
/// there says that the program never ran. The pipe closes as the program starts.
///
/// # Errors
///
/// When something cannot be taken away or the program cannot be started.
pub(crate) fn confine(args: &[OsString]) -> io::Result<Infallible> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "not called by the guard");
    let brief = Brief::decode(args).ok_or_else(usage)?;
    // When whoever watches is gone nobody would keep the deadline.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Out of the guard's group: `kill(0)` reaches nobody else.
    setsid()?;
    // What the grader keeps from itself, the program need not be spared.
    SigSet::empty().thread_set_mask()?;
    if brief.job.reach != Reach::Everything {
        // What a tool of the user's own makes, it makes as the user likes it.
        umask(Mode::S_IRWXG | Mode::S_IRWXO);
    }
    // From here on stderr is the log, and the pipe is a descriptor that closes on `exec`.
    let failures = io::stderr().as_fd().try_clone_to_owned()?;
    dup2_stderr(io::stdout())?;
    let error = match become_program(&brief) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    dup2_stderr(failures)?;
    Err(error)
}

/// Opens what has to be open, takes away the rest, and starts.
///
/// The order: what opens files comes before what forbids it, and the filter of system calls last.
fn become_program(brief: &Brief) -> io::Result<Infallible> {
    let Brief { level, job } = brief;
    if *level == Level::None || job.reach == Reach::Everything {
        chdir(&job.dir)?;
        set_limits(&job.limits)?;
        return Err(by_path(job).exec());
    }
    let program = File::open(&job.program)?;
    let (read, write): (&[_], &[_]) = match &job.reach {
        Reach::Files { read, write } => (read, write),
        Reach::Nothing | Reach::Everything => (&[], &[]),
    };
    if *level == Level::Full {
        view::enter(read, write)?;
    }
    let computes = job.reach == Reach::Nothing;
    chdir(if computes { OsStr::new("/") } else { job.dir.as_os_str() })?;
    rights::drop_all()?;
    set_limits(&job.limits)?;
    if *level >= Level::Bwrap {
        // Here, and only here, the kernel counts the threads of one job alone.
        limit(Resource::RLIMIT_NPROC, MOST_THREADS, MOST_THREADS)?;
    }
    if *level >= Level::Landlock {
        match files::only(read, write, Some(&program).filter(|_| computes)) {
            // Name spaces do without.
            Err(_) if *level > Level::Landlock => {}
            result => result?,
        }
    }
    if computes {
        syscalls::only_computing()?;
    } else {
        syscalls::only_compiling()?;
    }
    if probe::is_meant(job) {
        return Err(probe::look_around(*level, computes));
    }
    if computes { by_descriptor(&program, job) } else { Err(by_path(job).exec()) }
}

/// Starts a program that needs no file to be started, and whose signals are as they were: a Rust
/// program sets the one that matters itself.
fn by_descriptor(program: &File, job: &Job) -> io::Result<Infallible> {
    let text = |text: &OsStr| CString::new(text.as_bytes()).map_err(io::Error::other);
    let mut args = vec![text(job.program.file_name().unwrap_or_default())?];
    for arg in &job.args {
        args.push(text(arg)?);
    }
    let mut env = Vec::new();
    for (name, value) in &job.env {
        let mut pair = name.clone();
        pair.push("=");
        pair.push(value);
        env.push(text(&pair)?);
    }
    Ok(execveat(program, c"", &args, &env, AtFlags::AT_EMPTY_PATH)?)
}

#[expect(clippy::disallowed_methods, reason = "it becomes a program that has its limits")]
fn by_path(job: &Job) -> Command {
    let mut command = Command::new(&job.program);
    command.args(&job.args).env_clear().envs(&job.env);
    command
}

/// Sets the limits; memory last, for it is the only one that can make the rest fail.
fn set_limits(limits: &Limits) -> io::Result<()> {
    limit(Resource::RLIMIT_CORE, 0, 0)?;
    // Above the soft limit comes a signal that can be caught; a second later, one that cannot.
    let cpu = limits.cpu_seconds;
    limit(Resource::RLIMIT_CPU, cpu, cpu.saturating_add(1))?;
    let file = limits.file_mebibytes.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_FSIZE, file, file)?;
    limit(Resource::RLIMIT_NOFILE, limits.open_files, limits.open_files)?;
    let memory = limits.memory_mebibytes.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_AS, memory, memory)
}

/// Sets a limit, or keeps the one that this process is under where that is lower.
fn limit(resource: Resource, soft: rlim_t, hard: rlim_t) -> io::Result<()> {
    let (_, allowed) = getrlimit(resource)?;
    Ok(setrlimit(resource, soft.min(allowed), hard.min(allowed))?)
}
