//! Name spaces by way of bubblewrap, for systems that let only known programs make them.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sandbox::files::NULL;
use crate::sandbox::hidden::INIT;
use crate::sandbox::job::{Job, Reach};

/// Where it is installed. It is not looked for elsewhere: it is handed everything.
const PLACES: [&str; 4] =
    ["/usr/bin/bwrap", "/bin/bwrap", "/usr/local/bin/bwrap", "/run/current-system/sw/bin/bwrap"];

/// Where the libraries of this program are.
const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store"];

/// `bwrap`, ready to be told a brief, which the first process that it starts is handed.
///
/// # Errors
///
/// When it is not installed.
pub(crate) fn command(job: &Job) -> io::Result<Command> {
    let missing = || io::Error::new(io::ErrorKind::NotFound, "bwrap is not installed");
    let program =
        PLACES.into_iter().find(|place| Path::new(place).is_file()).ok_or_else(missing)?;
    let itself = std::env::current_exe()?;
    let mut command = new(program);
    command.args(["--unshare-all", "--unshare-user", "--die-with-parent", "--new-session"]);
    // Our own first process says how the program ended, which this one does not.
    command.args(["--as-pid-1", "--cap-drop", "ALL", "--clearenv"]);
    let (mut read, write): (Vec<PathBuf>, &[PathBuf]) = match &job.reach {
        Reach::Files { read, write } => (read.clone(), write),
        Reach::Nothing | Reach::Everything => (vec![job.program.clone()], &[]),
    };
    // What a program that only computes can see it still cannot open.
    read.push(itself.clone());
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
    command.args(["--dev-bind", NULL, NULL, "--remount-ro", "/", "--chdir", "/", "--"]);
    command.arg(itself).arg(INIT);
    Ok(command)
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn new(program: &str) -> Command {
    Command::new(program)
}
