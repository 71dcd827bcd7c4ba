//! What a training may use, and what it has used.

use nix::sys::resource::{UsageWho, getrusage};

use crate::train::error::TrainError;

/// What ends a training with an error that says what was allowed; nothing by default.
///
/// Limits on processor time and memory hold runaway code back. No result depends on them: a
/// training either ends as it would have without, or it is an error.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Steps, those of a resumed training included.
    pub steps: Option<u64>,
    /// Numbers that the trainable parameters consist of.
    pub parameters: Option<usize>,
    /// Processor time of the process, all its threads together, since the training began.
    pub cpu_seconds: Option<f64>,
    /// The most memory that the process has had resident at any time.
    pub memory_mebibytes: Option<u64>,
}

/// What the process has used so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time, of all threads together, in the system's service too.
    pub cpu_seconds: f64,
    /// The most memory that was resident at any time.
    pub memory_mebibytes: u64,
}

impl Usage {
    /// As the kernel counts it.
    ///
    /// # Errors
    ///
    /// When the kernel does not say.
    pub fn now() -> Result<Self, TrainError> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).map_err(|it| TrainError::Usage(it.into()))?;
        let seconds = |of: nix::sys::time::TimeVal| of.tv_sec() as f64 + of.tv_usec() as f64 * 1e-6;
        // Both are in kibibytes. The second counts what the process was before it became this
        // program too; in a sandbox without `/proc` there is nothing else.
        let kibibytes = peak().or_else(|| u64::try_from(usage.max_rss()).ok());
        Ok(Self {
            cpu_seconds: seconds(usage.user_time()) + seconds(usage.system_time()),
            memory_mebibytes: kibibytes.unwrap_or_default() / 1024,
        })
    }
}

/// The most memory that was resident at any time since the program began, where `/proc` tells.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

impl Limits {
    /// Before the first step.
    pub(crate) fn check_parameters(&self, count: usize) -> Result<(), TrainError> {
        match self.parameters {
            Some(allowed) if count > allowed => Err(TrainError::Parameters { allowed, count }),
            _ => Ok(()),
        }
    }

    /// Before the step with this number; `began` is the usage when the training did.
    pub(crate) fn check_step(&self, step: u64, began: Usage) -> Result<(), TrainError> {
        if let Some(allowed) = self.steps.filter(|&allowed| step >= allowed) {
            return Err(TrainError::Steps { allowed });
        }
        if self.cpu_seconds.is_none() && self.memory_mebibytes.is_none() {
            return Ok(());
        }
        let now = Usage::now()?;
        let seconds = now.cpu_seconds - began.cpu_seconds;
        if let Some(allowed) = self.cpu_seconds.filter(|&allowed| seconds > allowed) {
            return Err(TrainError::CpuTime { allowed, used: seconds, step });
        }
        let used = now.memory_mebibytes;
        if let Some(allowed) = self.memory_mebibytes.filter(|&allowed| used > allowed) {
            return Err(TrainError::Memory { allowed, used, step });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_and_memory_are_counted() {
        let before = Usage::now().unwrap();
        let numbers: Vec<u64> = (0..16 << 20).map(|i| i ^ (i << 7)).collect();
        let sum = numbers.iter().fold(0_u64, |sum, &x| sum.wrapping_mul(31).wrapping_add(x));
        let after = Usage::now().unwrap();
        assert!(after.cpu_seconds > before.cpu_seconds, "{sum}: {before:?} {after:?}");
        assert!((128..1 << 20).contains(&after.memory_mebibytes), "{after:?}");
    }
}
