//! A user who may read a folder of results, and not write it.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use nix::unistd::geteuid;

use super::grade::{Desk, HOME, Ran};
use super::notice::skipped;

/// Runs a program as somebody who owns nothing. Root may do everything, so that root's tests need another user.
const AS_NOBODY: [&str; 5] = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"];

/// User who may read the files of a desk. Until it is dropped, the folder of results may not be written.
pub(crate) struct Reader<'a> {
    desk: &'a Desk,
    folder: &'a str,
    prefix: &'static [&'static str],
}

impl<'a> Reader<'a> {
    /// Takes away the right to write a folder of a desk; `None`, with a notice, where there is no user without it.
    pub(crate) fn of(desk: &'a Desk, folder: &'a str) -> Option<Self> {
        let prefix = if geteuid().is_root() { AS_NOBODY.as_slice() } else { &[] };
        let reader = Self { desk, folder, prefix };
        fs::set_permissions(desk.path(""), Permissions::from_mode(0o755)).unwrap();
        reader.set_modes(if prefix.is_empty() { 0o555 } else { 0o755 }, 0o644);
        // The program and the course may be where others cannot read them.
        let course = format!("{HOME}/softmark.toml");
        let mut trial = reader.program("sh");
        trial.args(["-c", "test -r \"$0\" && \"$GRADE\" --version", &course]);
        if trial.output().is_ok_and(|output| output.status.success()) {
            return Some(reader);
        }
        skipped("no user who may run `grade` and may not write");
        None
    }

    /// Runs `grade` with these arguments, which are separated by spaces.
    pub(crate) fn grade(&self, args: &str) -> Ran {
        let mut command = self.program(env!("CARGO_BIN_EXE_grade"));
        Ran::of(&command.args(args.split(' ')).output().unwrap())
    }

    fn program(&self, program: &str) -> Command {
        match self.prefix {
            [] => self.desk.other(program),
            [first, rest @ ..] => {
                let mut command = self.desk.other(first);
                command.args(rest).arg(program);
                command
            }
        }
    }

    fn set_modes(&self, folders: u32, files: u32) {
        set_modes(&self.desk.path(self.folder), [folders, files]);
    }
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.set_modes(0o755, 0o644);
    }
}

fn set_modes(path: &Path, modes: [u32; 2]) {
    let [folders, files] = modes;
    if path.is_dir() {
        // The contents first: the folder may then be left without a right that they need.
        for entry in fs::read_dir(path).unwrap() {
            set_modes(&entry.unwrap().path(), modes);
        }
        fs::set_permissions(path, Permissions::from_mode(folders)).unwrap();
    } else {
        fs::set_permissions(path, Permissions::from_mode(files)).unwrap();
    }
}
