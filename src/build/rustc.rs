//! Builder of a run of the compiler.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_sandbox::{Access, CompletedProcess, Job, Limits};

use crate::build::error::BuildError;
use crate::build::fault::BuildFaultKind;
use crate::build::pack::Pack;

/// Limits of one run of the compiler: many times the needs of honest code (0.4 s and 0.2 GiB), and
/// low enough that a class of submissions that compile for ever is graded in minutes. A second run
/// after a time-out has twice the time.
const LIMITS: Limits = Limits {
    cpu_seconds: 10,
    wall: Duration::from_mins(10),
    memory_mebibytes: 2048,
    file_mebibytes: 256,
    output_bytes: 4 * 1024 * 1024,
    flood_bytes: 64 * 1024 * 1024,
    open_files: 1024,
    // The linker starts a thread for each processor.
    threads: 1024,
};

/// Number of times that the compiler is run again after it was killed from outside.
const MAX_RUN_AGAIN: u32 = 2;

/// Flags of every run.
///
/// The code is compiled as in a student's own `cargo test`: not optimised (candle itself is), with
/// checks for overflow. That is also the fastest by far: 0.16 s of processor time for the library
/// of the attention assignment's solution (0.09 s of it before code is generated), because instances of
/// candle's generic functions are linked (`softmark-instances`), which the compiler does at low levels
/// of optimisation alone; compiled again, they take 0.42 s, and 1.35 s at `opt-level=1`.
///
/// Warnings never fail a build. They are turned off rather than capped, because `--cap-lints warn`
/// would make a warning of `-F unsafe_code` too.
const COMMON: [&str; 11] = [
    "--edition=2024",
    "--error-format=json",
    "--diagnostic-width=100",
    "-Awarnings",
    "-Copt-level=0",
    "-Cdebuginfo=0",
    "-Cdebug-assertions=yes",
    "-Coverflow-checks=yes",
    "-Cpanic=unwind",
    "-Ccodegen-units=1",
    "-Cembed-bitcode=no",
];

/// System libraries that the compiler itself needs. They are no secret, and a grader's project
/// cannot lie in these folders.
const LIBRARIES: [&str; 5] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"];

/// Folders that the linker needs in addition. The C compiler may be a link that leads through
/// `/etc/alternatives`.
const TOOLS: [&str; 7] = [
    "/bin",
    "/usr/bin",
    "/usr/libexec",
    "/usr/include",
    "/etc/alternatives",
    "/nix/store",
    "/gnu/store",
];

/// Variable with the folder of the compiler's own libraries. Without it they find one another
/// through `/proc`, which is not mounted.
const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";

/// Builder of a run of the compiler.
#[derive(Debug)]
pub(crate) struct Rustc<'a> {
    pack: &'a Pack,
    args: Vec<OsString>,
    env: BTreeMap<OsString, OsString>,
    limits: Limits,
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
}

impl<'a> Rustc<'a> {
    /// Compiles `source`, a path relative to the working folder of the run, into the folder
    /// `output`.
    pub(crate) fn new(pack: &'a Pack, crate_name: &str, source: &str, output: &Path) -> Self {
        let mut args: Vec<OsString> = COMMON.iter().map(OsString::from).collect();
        args.push(format!("--crate-name={crate_name}").into());
        args.push(source.into());
        args.push("--out-dir".into());
        args.push(output.into());
        let sysroot = pack.toolchain.sysroot.clone();
        let env = BTreeMap::from([(LIBRARY_PATH.into(), sysroot.join("lib").into())]);
        let mut read: Vec<PathBuf> = LIBRARIES.iter().map(PathBuf::from).collect();
        read.push(sysroot);
        Self { pack, args, env, limits: LIMITS, read, write: vec![output.to_owned()] }
    }

    /// Sets the limits of the run.
    pub(crate) fn limits(mut self, limits: &Limits) -> Self {
        self.limits = limits.clone();
        self
    }

    /// Makes the compiler find its own libraries through `link`, a link in the folder that it runs
    /// in. Its environment, which the code may read, then holds no path of this machine.
    pub(crate) fn libraries_by(mut self, link: &str) -> Self {
        self.env.insert(LIBRARY_PATH.into(), link.into());
        self
    }

    /// Allows the compiler to read `path` and everything below it.
    pub(crate) fn reads(mut self, path: PathBuf) -> Self {
        self.read.push(path);
        self
    }

    /// Adds flags.
    pub(crate) fn flags(mut self, flags: &[impl AsRef<OsStr>]) -> Self {
        self.args.extend(flags.iter().map(|flag| flag.as_ref().to_owned()));
        self
    }

    /// Adds a library that the code can name.
    pub(crate) fn library(mut self, name: &str, file: &Path) -> Self {
        let mut library = OsString::from(format!("{name}="));
        library.push(file);
        self.args.push("--extern".into());
        self.args.push(library);
        self.reads(file.to_owned())
    }

    /// Adds a folder of indirect dependencies, which the code cannot name.
    pub(crate) fn dependencies(mut self, dir: PathBuf) -> Self {
        let mut path = OsString::from("dependency=");
        path.push(&dir);
        self.args.push("-L".into());
        self.args.push(path);
        self.reads(dir)
    }

    /// Gives the compiler access to the linker, whose temporary files go into `temporary`.
    pub(crate) fn linker(mut self, temporary: &Path) -> Self {
        self.read.extend(TOOLS.iter().map(PathBuf::from));
        self.read.extend(self.pack.linker.iter().cloned());
        self.env.insert("PATH".into(), self.pack.tools.path().to_owned());
        self.env.insert("TMPDIR".into(), temporary.into());
        self
    }

    /// Runs the compiler in the folder `dir`, which it may read.
    pub(crate) fn run(mut self, dir: &Path) -> Result<CompletedProcess, BuildError> {
        self.read.push(dir.to_owned());
        self.read.retain(|path| path.symlink_metadata().is_ok());
        self.read.sort();
        self.read.dedup();
        let job = Job {
            program: self.pack.toolchain.rustc.clone(),
            args: self.args,
            env: self.env,
            dir: dir.to_owned(),
            limits: self.limits,
            access: Access::Files { read: self.read, write: self.write },
        };
        // No code of a student's runs here that could send a signal, so a killed compiler does not
        // count against the submission.
        let mut finished = self.pack.tools.sandbox.run(&job)?;
        for _ in 0..MAX_RUN_AGAIN {
            if finished.exit.is_external_signal() {
                finished = self.pack.tools.sandbox.run(&job)?;
            }
        }
        if finished.exit.is_external_signal() {
            return Err(BuildError::Ended { ending: finished.exit });
        }
        Ok(finished)
    }
}

/// Returns the limits of a first attempt.
pub(crate) fn first_limits() -> Limits {
    LIMITS
}

/// Returns the limits of a run that compiles or links so many trusted submissions at once: as much processor time for
/// each of them as for one alone.
pub(crate) fn limits_for(members: usize) -> Limits {
    let members = u64::try_from(members).unwrap_or(u64::MAX).max(1);
    Limits { cpu_seconds: LIMITS.cpu_seconds.saturating_mul(members), ..LIMITS }
}

/// Returns the limits of a second attempt, after a first one with `limits` failed with `kind`.
/// After a time-out, the time is doubled, so that no verdict near the limit depends on the machine.
pub(crate) fn second_limits(limits: &Limits, kind: BuildFaultKind) -> Limits {
    let factor = if kind == BuildFaultKind::TimedOut { 2 } else { 1 };
    Limits {
        cpu_seconds: limits.cpu_seconds.saturating_mul(factor.into()),
        wall: limits.wall.saturating_mul(factor),
        ..limits.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_attempt_has_twice_the_time_where_it_ran_out() {
        let first = Limits { cpu_seconds: 1, wall: Duration::from_secs(3), ..first_limits() };
        let second = second_limits(&first, BuildFaultKind::TimedOut);
        assert_eq!((second.cpu_seconds, second.wall), (2, Duration::from_secs(6)));
        assert_eq!(Limits { cpu_seconds: 1, wall: Duration::from_secs(3), ..second }, first);
        for kind in [BuildFaultKind::OutOfMemory, BuildFaultKind::Crashed, BuildFaultKind::Compile]
        {
            assert_eq!(second_limits(&first, kind), first);
        }
    }
}
