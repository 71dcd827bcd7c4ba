//! Namespaces made by bubblewrap, for systems that let only known programs create them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::init;
use crate::job::{Access, Job, NULL_DEVICE};

/// Paths where `bwrap` may be installed. `PATH` is not searched, because `bwrap` is trusted.
const EXECUTABLES: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/// Directories of the shared libraries that the grader's executable needs.
const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];

/// Returns a `bwrap` command that runs [`init`] as process 1 of new namespaces. The caller appends
/// the launch specification.
///
/// # Errors
///
/// Fails if `bwrap` is not installed.
pub(crate) fn command(job: &Job) -> io::Result<Command> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "bwrap is not installed");
    let program =
        EXECUTABLES.into_iter().find(|path| Path::new(path).is_file()).ok_or_else(missing)?;
    let grader = std::env::current_exe()?;
    let mut command = new(program);
    command.args(["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]);
    // `init` reports how the program ended; process 1 of `bwrap` would not.
    command.args(["--as-pid-1", "--cap-drop", "ALL", "--clearenv"]);
    let (mut read, write): (Vec<PathBuf>, &[PathBuf]) = match &job.access {
        Access::Files { read, write } => (read.clone(), write),
        Access::ComputeOnly | Access::Unrestricted => (vec![job.program.clone()], &[]),
    };
    // A program that only computes sees these files, but its seccomp filter denies opening them.
    read.push(grader.clone());
    read.extend(LIBRARIES.map(PathBuf::from));
    read.sort();
    read.dedup();
    for path in &read {
        if path.is_symlink() {
            command.arg("--symlink").arg(path.read_link()?).arg(path);
        } else if path.exists() {
            command.arg("--ro-bind").arg(path).arg(path);
        }
    }
    for path in write {
        command.arg("--bind").arg(path).arg(path);
    }
    let null = ["--dev-bind", NULL_DEVICE, NULL_DEVICE];
    command.args(null).args(["--remount-ro", "/", "--chdir", "/", "--"]);
    command.arg(grader).arg(init::SUBCOMMAND);
    Ok(command)
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn new(program: &str) -> Command {
    Command::new(program)
}
