//! Runs of the grader's own tools, such as cargo.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use softmark_sandbox::{Access, CompletedProcess, ExitReason, Job, Limits, Sandbox};

use crate::build::error::BuildError;

/// Sandbox and environment for the grader's own tools.
#[derive(Debug, Clone)]
pub struct Tools {
    /// Sandbox that starts the tools.
    pub sandbox: Sandbox,
    /// Environment of the user, which cargo and rustc need.
    pub env: BTreeMap<OsString, OsString>,
}

impl Tools {
    /// Returns the full path of a program in the `PATH` of the environment.
    pub(crate) fn find(&self, name: &'static str) -> Result<PathBuf, BuildError> {
        env::split_paths(self.path())
            .map(|dir| dir.join(name))
            .find(|path| path.is_absolute() && path.is_file())
            .ok_or(BuildError::Missing { tool: name })
    }

    /// Returns the `PATH` of the environment.
    pub(crate) fn path(&self) -> &OsStr {
        self.env.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// Returns cargo's own folder, with its settings and the sources of libraries, if the environment tells.
    pub(crate) fn cargo_home(&self) -> Option<PathBuf> {
        let folder = |name: &str| self.env.get(OsStr::new(name)).map(PathBuf::from);
        folder("CARGO_HOME").or_else(|| folder("HOME").map(|home| home.join(".cargo")))
    }

    /// Runs a trusted tool and returns its output; fails if its exit status is not 0.
    pub(crate) fn run(
        &self,
        program: &Path,
        args: &[&str],
        dir: &Path,
    ) -> Result<Vec<u8>, BuildError> {
        let finished = self.start(program, args.iter().map(OsString::from).collect(), dir, &[])?;
        if finished.exit != ExitReason::Exited(0) {
            return Err(BuildError::Tool {
                tool: program.to_owned(),
                ending: finished.exit,
                output: String::from_utf8_lossy(&finished.log).into_owned(),
            });
        }
        Ok(finished.log)
    }

    /// Runs a trusted tool and returns how it ended.
    pub(crate) fn start(
        &self,
        program: &Path,
        args: Vec<OsString>,
        dir: &Path,
        more_env: &[(&str, OsString)],
    ) -> Result<CompletedProcess, BuildError> {
        Ok(self.sandbox.run(&self.job(program, args, dir, more_env))?)
    }

    /// Runs a trusted tool and returns how it ended; meanwhile, `observer` gets its output.
    pub(crate) fn start_observed(
        &self,
        program: &Path,
        args: Vec<OsString>,
        dir: &Path,
        more_env: &[(&str, OsString)],
        observer: &mut dyn FnMut(&[u8]),
    ) -> Result<CompletedProcess, BuildError> {
        Ok(self.sandbox.run_observed(&self.job(program, args, dir, more_env), observer)?)
    }

    /// Returns the job of a trusted tool.
    fn job(
        &self,
        program: &Path,
        args: Vec<OsString>,
        dir: &Path,
        more_env: &[(&str, OsString)],
    ) -> Job {
        let mut env = self.env.clone();
        for (name, value) in more_env {
            env.insert(name.into(), value.clone());
        }
        Job {
            program: program.to_owned(),
            args,
            env,
            dir: dir.to_owned(),
            limits: Limits::generous(),
            access: Access::Unrestricted,
        }
    }
}
