//! The compiler and its tools: where they are and which they are.

use softmark_sandbox::{Access, CompletedProcess, ExitReason, Job, Limits};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::build::pack::{BuildError, Tools};

/// A Rust toolchain.
#[derive(Debug, Clone)]
pub(crate) struct Toolchain {
    /// The compiler itself, not what chooses one: that would cost its time for every submission.
    pub(crate) rustc: PathBuf,
    /// The package manager of the same toolchain, where it has one.
    pub(crate) cargo: PathBuf,
    /// Where it is installed.
    pub(crate) sysroot: PathBuf,
    /// What `rustc -vV` says.
    pub(crate) version: String,
}

impl Toolchain {
    /// Finds the toolchain that `rustc` means in the folder `home`.
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
    /// The linker that comes with the toolchain, where one does.
    pub(crate) fn linker(&self) -> Option<PathBuf> {
        let machine = self.version.lines().find_map(|line| line.strip_prefix("host: "))?;
        let linker = self.sysroot.join("lib/rustlib").join(machine).join("bin/rust-lld");
        linker.is_file().then_some(linker)
    }
}

impl Tools {
    /// The full path of a program, by the given environment's `PATH`.
    pub(crate) fn find(&self, name: &'static str) -> Result<PathBuf, BuildError> {
        env::split_paths(self.path())
            .map(|dir| dir.join(name))
            .find(|path| path.is_absolute() && path.is_file())
            .ok_or(BuildError::Missing { tool: name })
    }

    /// The given environment's `PATH`.
    pub(crate) fn path(&self) -> &OsStr {
        self.env.get(OsStr::new("PATH")).map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// Runs a trusted tool and returns what it wrote.
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

    /// Runs a trusted tool to its end, however that is.
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
