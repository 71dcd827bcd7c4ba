//! Whether a level holds on this machine: found out by doing it, never by reading settings.

use std::fs::{self, File};
use std::io;
use std::net::UdpSocket;
use std::path::Path;

use crate::sandbox::job::{Job, Reach};
use crate::sandbox::level::Level;

/// What a job is told that only looks around.
pub(crate) const PROBE: &str = "__probe";

/// How the report of a look begins that found nothing.
pub(crate) const HOLDS: &str = "it holds";

/// Readable for every user of every system, and of no use to a submission.
const ANY_FILE: &str = "/etc/passwd";

/// Whether a job is one that only looks around.
pub(crate) fn is_meant(job: &Job) -> bool {
    matches!(job.args.as_slice(), [only] if only == PROBE)
}

/// Tries, in place of the program and with its rights, what the level forbids.
///
/// What it found is an error, for that is what arrives at the grader of a program that never ran.
pub(crate) fn look_around(level: Level, computes: bool) -> io::Error {
    let mut open = Vec::new();
    let files_are_kept = computes || level >= Level::Landlock;
    if files_are_kept && File::open(ANY_FILE).is_ok() {
        open.push("a file can be opened");
    }
    if computes && fs::read_dir("/").is_ok_and(|entries| entries.flatten().next().is_some()) {
        open.push("the root folder can be listed");
    }
    if level >= Level::Bwrap && Path::new(ANY_FILE).exists() {
        open.push("a file can be seen");
    }
    if UdpSocket::bind("127.0.0.1:0").is_ok() {
        open.push("the network can be used");
    }
    io::Error::other(if open.is_empty() { HOLDS.to_owned() } else { open.join(", ") })
}

/// The two kinds of reach that a level has to hold for.
pub(crate) fn reaches() -> [Reach; 2] {
    [Reach::Nothing, Reach::Files { read: Vec::new(), write: Vec::new() }]
}
