//! The launcher: a process that restricts itself and then executes the program.

use std::convert::Infallible;
use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use nix::fcntl::AtFlags;
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, rlim_t, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::sys::stat::{Mode, umask};
use nix::unistd::{chdir, dup2_stderr, execveat, setsid};

use crate::job::{Access, Job, Limits};
use crate::launch_spec::LaunchSpec;
use crate::level::Level;
use crate::{capabilities, landlock, probe, root_fs, seccomp};

/// Hidden subcommand that starts this process.
pub(crate) const SUBCOMMAND: &str = "__launch";

const MEBIBYTE: u64 = 1024 * 1024;

/// `RLIMIT_NPROC` where the kernel counts the threads of a single job.
///
/// The supervisor enforces the limit of the job; this one bounds what a program can start between two
/// polls of the supervisor.
const MAX_THREADS: u64 = 4096;

/// Starts a launcher and waits until it has executed the program. The program gets this process's
/// stdin as its channel and its stdout as its log.
///
/// The calling thread must outlive the program: the kernel kills the program when the thread ends.
///
/// # Errors
///
/// Fails if the program could not be isolated or executed.
pub(crate) fn spawn(mut grader: Command, spec: &LaunchSpec) -> io::Result<Child> {
    let (mut failure, pipe) = io::pipe()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    grader.arg(SUBCOMMAND).args(spec.to_args());
    grader.stdout(Stdio::from(log)).stderr(Stdio::from(pipe));
    let mut child = grader.env_clear().spawn()?;
    // Closes the write end of the pipe.
    drop(grader);
    let mut reason = String::new();
    failure.read_to_string(&mut reason)?;
    if reason.is_empty() {
        return Ok(child);
    }
    child.wait()?;
    Err(io::Error::other(reason))
}

/// Restricts this process and executes the program; returns only on failure.
///
/// Stdout must be the log, and stderr a pipe to the process that called [`spawn`]: a message there
/// means that the program never ran. The pipe closes on `exec`.
///
/// # Errors
///
/// Fails if a restriction cannot be applied or the program cannot be executed.
pub(crate) fn run(args: &[OsString]) -> io::Result<Infallible> {
    let spec = LaunchSpec::from_args(args)?;
    // Without its parent nobody would enforce the deadline.
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Leaves the process group of the supervisor, so that `kill(0)` reaches nobody else.
    setsid()?;
    // The grader may have blocked signals; the program starts with none blocked.
    SigSet::empty().thread_set_mask()?;
    if spec.job.access != Access::Unrestricted {
        // Trusted tools keep the user's umask.
        umask(Mode::S_IRWXG | Mode::S_IRWXO);
    }
    // From here on stderr is the log, and `failures` is the pipe, which closes on `exec`.
    let failures = io::stderr().as_fd().try_clone_to_owned()?;
    dup2_stderr(io::stdout())?;
    let error = match execute(&spec) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    dup2_stderr(failures)?;
    Err(error)
}

/// Applies the restrictions and executes the program.
///
/// The order matters: files are opened before opening is denied, and the seccomp filter comes last.
fn execute(spec: &LaunchSpec) -> io::Result<Infallible> {
    let LaunchSpec { level, job } = spec;
    if *level == Level::None || job.access == Access::Unrestricted {
        chdir(&job.dir)?;
        set_limits(&job.limits)?;
        return Err(command(job).exec());
    }
    let program = File::open(&job.program)?;
    let (read, write): (&[_], &[_]) = match &job.access {
        Access::Files { read, write } => (read, write),
        Access::ComputeOnly | Access::Unrestricted => (&[], &[]),
    };
    if *level == Level::Full {
        root_fs::enter(read, write)?;
    }
    let compute_only = job.access == Access::ComputeOnly;
    chdir(if compute_only { OsStr::new("/") } else { job.dir.as_os_str() })?;
    capabilities::drop_all()?;
    set_limits(&job.limits)?;
    if *level >= Level::Bwrap {
        // Only in a user namespace of its own are the threads of one job counted separately.
        limit(Resource::RLIMIT_NPROC, MAX_THREADS, MAX_THREADS)?;
    }
    if *level >= Level::Landlock {
        let executable = Some(&program).filter(|_| compute_only);
        restrict_files(*level, read, write, executable)?;
    }
    if compute_only {
        seccomp::install_worker_filter()?;
    } else {
        seccomp::install_compiler_filter()?;
    }
    if probe::is_probe(job) {
        return Err(probe::run(*level, &job.access));
    }
    if compute_only { execute_open_file(&program, job) } else { Err(command(job).exec()) }
}

/// Applies Landlock rules. A kernel without Landlock is an error only at [`Level::Landlock`], because
/// namespaces protect the files at higher levels.
fn restrict_files(
    level: Level,
    read: &[PathBuf],
    write: &[PathBuf],
    executable: Option<&File>,
) -> io::Result<()> {
    let result = landlock::restrict_files(read, write, executable);
    if level > Level::Landlock { Ok(()) } else { result }
}

/// Executes a program that is already open, so that no file has to be opened. Signal handlers are not
/// reset: a Rust program itself sets the one that matters, for `SIGPIPE`.
fn execute_open_file(program: &File, job: &Job) -> io::Result<Infallible> {
    let mut args = vec![c_string(job.program.file_name().unwrap_or_default())?];
    for arg in &job.args {
        args.push(c_string(arg)?);
    }
    let mut env = Vec::new();
    for (name, value) in &job.env {
        let mut variable = name.clone();
        variable.push("=");
        variable.push(value);
        env.push(c_string(&variable)?);
    }
    Ok(execveat(program, c"", &args, &env, AtFlags::AT_EMPTY_PATH)?)
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::other)
}

#[expect(clippy::disallowed_methods, reason = "the limits are set before this command is executed")]
fn command(job: &Job) -> Command {
    let mut command = Command::new(&job.program);
    command.args(&job.args).env_clear().envs(&job.env);
    command
}

/// Sets the resource limits; memory last, because it is the only one that can make the rest fail.
fn set_limits(limits: &Limits) -> io::Result<()> {
    limit(Resource::RLIMIT_CORE, 0, 0)?;
    // The kernel sends `SIGXCPU` at the soft limit, and `SIGKILL` a second later at the hard limit.
    let cpu = limits.cpu_seconds;
    limit(Resource::RLIMIT_CPU, cpu, cpu.saturating_add(1))?;
    let file = limits.file_mebibytes.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_FSIZE, file, file)?;
    limit(Resource::RLIMIT_NOFILE, limits.open_files, limits.open_files)?;
    let memory = limits.memory_mebibytes.saturating_mul(MEBIBYTE);
    limit(Resource::RLIMIT_AS, memory, memory)
}

/// Sets a limit; the current hard limit of this process stays in force where it is lower.
fn limit(resource: Resource, soft: rlim_t, hard: rlim_t) -> io::Result<()> {
    let (_, allowed) = getrlimit(resource)?;
    Ok(setrlimit(resource, soft.min(allowed), hard.min(allowed))?)
}
