//! Probes that try what an isolation level forbids.

use std::fs::{self, File};
use std::io;
use std::net::UdpSocket;
use std::path::Path;

use crate::job::{Access, Job};
use crate::level::Level;

/// Sole argument of a job that runs a probe instead of a program.
pub(crate) const ARGUMENT: &str = "__probe";

/// Report of a probe that found nothing accessible.
pub(crate) const PASSED: &str = "isolation holds";

/// File that exists on every system, is readable for every user, and is not needed by a submission.
const ANY_FILE: &str = "/etc/passwd";

/// True if the job runs a probe.
pub(crate) fn is_probe(job: &Job) -> bool {
    matches!(job.args.as_slice(), [only] if only == ARGUMENT)
}

/// Tries, with the permissions of the program, what the level forbids.
///
/// Returns the report as an error, because the grader receives that as the reason why a program never
/// ran.
pub(crate) fn run(level: Level, access: &Access) -> io::Error {
    let compute_only = *access == Access::ComputeOnly;
    let mut violations = Vec::new();
    let protects_files = compute_only || level >= Level::Landlock;
    if protects_files && File::open(ANY_FILE).is_ok() {
        violations.push("a file can be opened");
    }
    if compute_only && fs::read_dir("/").is_ok_and(|entries| entries.flatten().next().is_some()) {
        violations.push("the root directory can be listed");
    }
    if level >= Level::Bwrap && Path::new(ANY_FILE).exists() {
        violations.push("a file is visible");
    }
    if UdpSocket::bind("127.0.0.1:0").is_ok() {
        violations.push("the network can be used");
    }
    let report = if violations.is_empty() { PASSED.to_owned() } else { violations.join(", ") };
    io::Error::other(report)
}

/// Returns the kinds of access for which a level must hold.
pub(crate) fn accesses() -> [Access; 2] {
    [Access::ComputeOnly, Access::Files { read: Vec::new(), write: Vec::new() }]
}
