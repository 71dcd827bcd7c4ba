//! A program to run, its resource limits, and what it may access.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Device that every job with access to files may read and write: compilers and linkers use it.
pub(crate) const NULL_DEVICE: &str = "/dev/null";

/// Resource limits of a job.
///
/// The limits of CPU time, file size and open files apply to each process of the job separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// CPU time in seconds, summed over all threads of a process.
    pub cpu_seconds: u64,
    /// Wall-clock time of the whole process tree.
    ///
    /// This limit is meant for programs that wait. A program that uses CPU time gets its wall-clock
    /// limit renewed, up to nine times, until its CPU time is used up. So the load of the machine
    /// does not change the exit reason.
    pub wall: Duration,
    /// Address space of each process, and private memory of the whole process tree, in MiB.
    pub memory_mebibytes: u64,
    /// Size of the largest file that may be written, in MiB.
    pub file_mebibytes: u64,
    /// Size of the log that is kept, in bytes: half from the start of the output, half from its end.
    pub output_bytes: usize,
    /// Output in bytes above which the process tree is killed.
    pub flood_bytes: u64,
    /// Number of open file descriptors.
    pub open_files: u64,
    /// Number of threads in the whole process tree; above it, the tree is killed.
    pub threads: u64,
}

impl Limits {
    /// Returns limits for trusted tools such as cargo, which must only end at some time.
    pub fn generous() -> Self {
        Self {
            cpu_seconds: 4 * 3600,
            wall: Duration::from_hours(4),
            memory_mebibytes: 1024 * 1024,
            file_mebibytes: 64 * 1024,
            output_bytes: 64 * 1024 * 1024,
            flood_bytes: 1024 * 1024 * 1024,
            open_files: 64 * 1024,
            threads: 64 * 1024,
        }
    }
}

/// Resources that a program may access besides CPU, memory, its channel and its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Everything that the grader may access: for the grader's own tools, which read nothing that a
    /// student wrote.
    Unrestricted,
    /// Files and executables: for the compiler.
    Files {
        /// Files and directories that may be read and executed. A symbolic link stays one.
        read: Vec<PathBuf>,
        /// Directories that may also be written.
        write: Vec<PathBuf>,
    },
    /// Computation only. The program must be linked statically, because it cannot open a library.
    ComputeOnly,
}

/// A program to run.
#[derive(Debug, Clone)]
pub struct Job {
    /// Absolute path of the program; `PATH` is not searched.
    pub program: PathBuf,
    /// Command-line arguments.
    pub args: Vec<OsString>,
    /// Complete environment; no variable is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// Working directory; with [`Access::ComputeOnly`] it is the empty root directory instead.
    pub dir: PathBuf,
    /// Resource limits.
    pub limits: Limits,
    /// Resources that the program may access.
    pub access: Access,
}
