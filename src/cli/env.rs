//! The environment, which is read once.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, stderr, stdout};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use rustix::termios::tcgetwinsize;

use crate::suite::Catalog;

/// Environment of the program.
#[derive(Debug, Clone)]
pub(crate) struct Env {
    /// Exams of the assignments that this program can grade.
    pub(crate) catalog: Catalog,
    /// Environment variables.
    pub(crate) vars: BTreeMap<OsString, OsString>,
    /// Current folder; `None` if the system does not report it.
    pub(crate) folder: Option<PathBuf>,
    /// Path of this program; `None` if the system does not report it.
    pub(crate) program: Option<PathBuf>,
    /// Number of threads that can run at once.
    pub(crate) cores: NonZeroUsize,
    /// True if stdout is a terminal.
    pub(crate) stdout_is_terminal: bool,
    /// True if stderr is a terminal.
    pub(crate) stderr_is_terminal: bool,
    /// Columns of the terminal, if there is one.
    pub(crate) columns: Option<usize>,
}

impl Env {
    /// Reads the environment.
    #[expect(
        clippy::disallowed_methods,
        reason = "the course is looked for from the current folder"
    )]
    pub(crate) fn read(catalog: Catalog) -> Self {
        let columns = tcgetwinsize(stdout()).or_else(|_| tcgetwinsize(stderr()));
        Self {
            catalog,
            vars: std::env::vars_os().collect(),
            folder: std::env::current_dir().ok(),
            program: std::env::current_exe().ok(),
            cores: thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            stdout_is_terminal: stdout().is_terminal(),
            stderr_is_terminal: stderr().is_terminal(),
            columns: columns
                .ok()
                .map(|size| usize::from(size.ws_col))
                .filter(|columns| *columns > 0),
        }
    }

    /// Returns a variable that is set and not empty.
    pub(crate) fn var(&self, name: &str) -> Option<&OsStr> {
        self.vars.get(OsStr::new(name)).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// True if colors may be sent to a terminal.
    pub(crate) fn allows_color(&self) -> bool {
        self.var("NO_COLOR").is_none() && self.var("TERM").is_none_or(|term| term != "dumb")
    }

    /// Returns the columns to fill: the value of `COLUMNS`, or else the width of the terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        let said = self.var("COLUMNS").and_then(OsStr::to_str).and_then(|text| text.parse().ok());
        said.filter(|columns| *columns > 0).or(self.columns)
    }
}

#[cfg(test)]
impl Env {
    /// Creates an environment that contains only `vars`.
    pub(crate) fn of(vars: &[(&str, &str)]) -> Self {
        Self {
            catalog: crate::suite::BUILT_IN,
            vars: vars.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            folder: Some(env!("CARGO_MANIFEST_DIR").into()),
            program: Some("/bin/grade".into()),
            cores: NonZeroUsize::new(8).unwrap(),
            stdout_is_terminal: false,
            stderr_is_terminal: false,
            columns: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_can_be_refused() {
        assert!(Env::of(&[]).allows_color());
        assert!(Env::of(&[("NO_COLOR", ""), ("TERM", "xterm")]).allows_color());
        assert!(!Env::of(&[("NO_COLOR", "1")]).allows_color());
        assert!(!Env::of(&[("TERM", "dumb")]).allows_color());
    }

    #[test]
    fn a_width_that_was_asked_for_goes_before_the_terminals() {
        let terminal = Env { columns: Some(120), ..Env::of(&[]) };
        assert_eq!(terminal.width(), Some(120));
        let asked = Env { columns: Some(120), ..Env::of(&[("COLUMNS", "72")]) };
        assert_eq!(asked.width(), Some(72));
        assert_eq!(Env::of(&[("COLUMNS", "wide")]).width(), None);
    }
}
