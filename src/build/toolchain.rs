//! Location and version of the compiler and of its tools.

use softmark_sandbox::{Access, CompletedProcess, ExitReason, Job, Limits};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::build::pack::{BuildError, Tools};

/// Rust toolchain.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    /// Path of the compiler itself rather than of the rustup proxy, which would cost time for every
    /// submission.
    pub(crate) rustc: PathBuf,
    /// Path of cargo, from the same toolchain if it has one.
    pub(crate) cargo: PathBuf,
    /// Folder that the toolchain is installed in.
    pub(crate) sysroot: PathBuf,
    /// Output of `rustc -vV`.
    pub(crate) version: String,
}

impl Toolchain {
    /// Finds the toolchain that `rustc` selects in the folder `home`.
    pub(crate) fn find(tools: &Tools, home: &Path) -> Result<Self, BuildError> {
        let proxy = tools.find("rustc")?;
        let sysroot = tools.run(&proxy, &["--print", "sysroot"], home)?;
        let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot).trim());
        let own = |name: &str| Some(sysroot.join("bin").join(name)).filter(|path| path.is_file());
        let rustc = own("rustc").unwrap_or(proxy);
        let cargo = own("cargo").map_or_else(|| tools.find("cargo"), Ok)?;
        let version = tools.run(&rustc, &["-vV"], home)?;
        let version = String::from_utf8_lossy(&version).into_owned();
        Ok(Self { rustc, cargo, sysroot, version })
    }
}

impl Toolchain {
    /// Returns the linker that comes with the toolchain, if one does.
    pub(crate) fn linker(&self) -> Option<PathBuf> {
        let machine = self.version.lines().find_map(|line| line.strip_prefix("host: "))?;
        let linker = self.sysroot.join("lib/rustlib").join(machine).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    }
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
        let mut env = self.env.clone();
        for (name, value) in more_env {
            env.insert(name.into(), value.clone());
        }
        let job = Job {
            program: program.to_owned(),
            args,
            env,
            dir: dir.to_owned(),
            limits: Limits::generous(),
            access: Access::Unrestricted,
        };
        Ok(self.sandbox.run(&job)?)
    }
}
