//! What to start, within what limits, and with what in its reach.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// What a program may use.
///
/// Those of processor time, files and descriptors hold for each of its processes alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Seconds of processor time, over all threads of a process.
    pub cpu_seconds: u64,
    /// From start to end, for the whole tree of processes.
    ///
    /// Meant for programs that wait. One that computes gets the same time again, nine times at
    /// most, until its processor time is used up; so a busy machine does not change what a program
    /// is charged with.
    pub wall: Duration,
    /// Address space of each process, and memory of their own of all together, in MiB.
    pub memory_mebibytes: u64,
    /// The largest file that may be written, in MiB.
    pub file_mebibytes: u64,
    /// What is kept of the output: half from its beginning, half from its end.
    pub output_bytes: usize,
    /// Above so many bytes of output, everything is killed.
    pub flood_bytes: u64,
    /// Open descriptors.
    pub open_files: u64,
    /// Threads of all processes together; above that, everything is killed.
    pub threads: u64,
}

impl Limits {
    /// For tools that are trusted, such as cargo: they only must come to an end some day.
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

/// What a program can reach, besides processor, memory, its channel and its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// Everything that the grader can: for tools of the grader's own, which read nothing that a
    /// student wrote.
    Everything,
    /// Files, and programs among them: for the compiler.
    Files {
        /// Files and folders to read, and programs to start. What is a link is one there too.
        read: Vec<PathBuf>,
        /// Folders to write in as well.
        write: Vec<PathBuf>,
    },
    /// Nothing. The program has to be linked statically, for it can open no library either.
    Nothing,
}

/// A program to start.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program's full path; nothing is searched for.
    pub program: PathBuf,
    /// What it is told.
    pub args: Vec<OsString>,
    /// Its whole environment: nothing is inherited.
    pub env: BTreeMap<OsString, OsString>,
    /// Where it starts; where nothing is in reach, that is an empty folder instead.
    pub dir: PathBuf,
    /// What it may use.
    pub limits: Limits,
    /// What it can reach.
    pub reach: Reach,
}
