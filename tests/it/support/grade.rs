//! The built program, run as a user runs it: in a folder of its own, with a clean environment.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fmt, fs};

use tempfile::TempDir;

use crate::support::pack::cache;

/// The project's folder.
pub(crate) const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// What tools need of the user's environment.
const PASSED: [&str; 4] = ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME"];

/// A folder to work in.
#[must_use]
pub(crate) struct Desk {
    dir: TempDir,
    env: Vec<(OsString, OsString)>,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    /// The exit code.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Desk {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        let env = PASSED.iter().filter_map(|name| Some((OsString::from(name), env::var_os(name)?)));
        // One that is known, so that the records are the same on every machine.
        let desk = Self { dir: tempfile::tempdir().unwrap(), env: env.collect() };
        desk.env("SOFTMARK_SECRET", "tests")
            .env("SOFTMARK_HOME", HOME)
            .env("SOFTMARK_CACHE", cache())
    }

    /// With a variable of the environment set.
    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.retain(|(other, _)| other != name);
        self.env.push((name.into(), value.into()));
        self
    }

    /// With a submission at `to` that is a copy of the project's folder `from`.
    pub(crate) fn submission(self, to: &str, from: &str) -> Self {
        copy(&Path::new(HOME).join(from), &self.path(to));
        self
    }

    /// With the submissions of the sample class in the folder `class`.
    pub(crate) fn class(self, names: &[&str]) -> Self {
        names.iter().fold(self, |desk, name| {
            desk.submission(&format!("class/{name}"), &format!("fixtures/class/{name}"))
        })
    }

    /// With a file.
    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Where something is.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The names in a folder, in their order; none where there is no folder.
    pub(crate) fn list(&self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(path)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs `grade` with these arguments, which are separated by spaces.
    pub(crate) fn grade(&self, args: &str) -> Ran {
        let args: Vec<&str> = args.split(' ').filter(|arg| !arg.is_empty()).collect();
        Ran::of(&self.command().args(args).output().unwrap())
    }

    /// The program, ready to be given arguments.
    pub(crate) fn command(&self) -> Command {
        self.other(env!("CARGO_BIN_EXE_grade"))
    }

    /// Another program, which finds `grade` in its environment as `GRADE`.
    #[expect(clippy::disallowed_methods, reason = "a user starts the program without its sandbox")]
    pub(crate) fn other(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.dir.path())
            .env_clear()
            .env("GRADE", env!("CARGO_BIN_EXE_grade"))
            .envs(self.env.iter().cloned())
            .stdin(Stdio::null());
        command
    }
}

impl Ran {
    /// What came of a command that has ended.
    pub(crate) fn of(output: &Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// The same, if it ended with that exit code.
    #[track_caller]
    pub(crate) fn exit(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit {}", self.code)?;
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "\n----- {name}\n{}", text.trim_end())?;
            }
        }
        Ok(())
    }
}

/// Copies a folder.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}
