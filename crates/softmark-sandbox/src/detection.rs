//! Detection of the isolation levels that this machine supports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::SandboxError;
use crate::job::{Access, Job, Limits};
use crate::level::Level;
use crate::probe;
use crate::sandbox::Sandbox;

/// Wall-clock limit of a probe, which takes milliseconds.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// Checks that `level` holds on this machine: isolates a probe at that level and lets it try what the
/// level forbids. `grader` is an executable whose `main` calls [`run_helper`](crate::run_helper).
///
/// # Errors
///
/// Returns the reason why the level does not hold.
pub fn verify_level(grader: &Path, level: Level) -> Result<(), String> {
    if level == Level::None {
        return Ok(());
    }
    let sandbox = Sandbox::new(grader.to_owned(), level);
    for access in probe::accesses() {
        match sandbox.run(&probe_job(grader, access)) {
            Err(SandboxError::Launch { reason, .. }) if reason == probe::PASSED => {}
            Err(SandboxError::Launch { reason, .. }) => return Err(reason),
            Err(error) => return Err(error.to_string()),
            Ok(completed) => {
                return Err(format!("the probe ended without a report ({:?})", completed.exit));
            }
        }
    }
    Ok(())
}

fn probe_job(grader: &Path, access: Access) -> Job {
    Job {
        program: grader.to_owned(),
        args: vec![probe::ARGUMENT.into()],
        env: BTreeMap::new(),
        dir: PathBuf::from("/"),
        limits: Limits { wall: PROBE_TIMEOUT, ..Limits::generous() },
        access,
    }
}

/// Returns the strongest level that holds, and the reason why each stronger one does not.
pub fn best_level(grader: &Path) -> (Level, Vec<(Level, String)>) {
    let mut unsupported = Vec::new();
    for level in Level::ALL {
        match verify_level(grader, level) {
            Ok(()) => return (level, unsupported),
            Err(reason) => unsupported.push((level, reason)),
        }
    }
    (Level::None, unsupported)
}
