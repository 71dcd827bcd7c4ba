//! Which levels this machine has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::sandbox::job::{Job, Limits};
use crate::sandbox::level::Level;
use crate::sandbox::probe::{self, HOLDS, PROBE};
use crate::sandbox::process::{Sandbox, SandboxError};

/// Looking around takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whether `level` holds on this machine: it is set up, and what it forbids is tried in it.
///
/// # Errors
///
/// Why it does not.
pub fn holds(grade: &Path, level: Level) -> Result<(), String> {
    if level == Level::None {
        return Ok(());
    }
    let sandbox = Sandbox::new(grade.to_owned(), level);
    for reach in probe::reaches() {
        let job = Job {
            program: grade.to_owned(),
            args: vec![PROBE.into()],
            env: BTreeMap::new(),
            dir: PathBuf::from("/"),
            limits: Limits { wall: PATIENCE, ..Limits::generous() },
            reach,
        };
        match sandbox.run(&job) {
            Err(SandboxError::Confine { reason, .. }) if reason == HOLDS => {}
            Err(SandboxError::Confine { reason, .. }) => return Err(reason),
            Err(error) => return Err(error.to_string()),
            Ok(finished) => return Err(format!("it ended as {:?}", finished.ending)),
        }
    }
    Ok(())
}

/// The best level that holds, and why each better one does not.
pub fn best(grade: &Path) -> (Level, Vec<(Level, String)>) {
    let mut wanting = Vec::new();
    for level in Level::ALL {
        match holds(grade, level) {
            Ok(()) => return (level, wanting),
            Err(reason) => wanting.push((level, reason)),
        }
    }
    (Level::None, wanting)
}
