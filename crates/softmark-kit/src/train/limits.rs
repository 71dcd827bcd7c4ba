//! Resource limits of a training, and its resource usage.

#[cfg(unix)]
use nix::sys::resource::{UsageWho, getrusage};

use crate::train::error::TrainError;

/// Limits whose violation ends a training with an error that names the limit; there are none by default.
///
/// Limits on processor time and memory stop runaway code. They do not change results: a training either ends
/// as it would without limits, or with an error.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Maximum number of steps, including those before a resume.
    pub steps: Option<u64>,
    /// Maximum number of elements of the trainable parameters.
    pub parameters: Option<usize>,
    /// Maximum processor time of the process, over all threads, since the training began.
    pub cpu_seconds: Option<f64>,
    /// Maximum peak resident memory of the process.
    pub memory_mebibytes: Option<u64>,
}

/// Resource usage of the process so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Usage {
    /// Processor time over all threads, in user and system mode.
    pub cpu_seconds: f64,
    /// Peak resident memory.
    pub memory_mebibytes: u64,
}

impl Usage {
    /// Returns the usage reported by the kernel.
    ///
    /// # Errors
    ///
    /// Fails if the kernel does not report the usage.
    #[cfg(unix)]
    pub fn now() -> Result<Self, TrainError> {
        let usage = getrusage(UsageWho::RUSAGE_SELF).map_err(|it| TrainError::Usage(it.into()))?;
        let seconds = |of: nix::sys::time::TimeVal| of.tv_sec() as f64 + of.tv_usec() as f64 * 1e-6;
        // Both values are in kibibytes. The second includes the process before `exec`; it is the only source
        // in a sandbox without `/proc`.
        let kibibytes = peak().or_else(|| u64::try_from(usage.max_rss()).ok());
        Ok(Self {
            cpu_seconds: seconds(usage.user_time()) + seconds(usage.system_time()),
            memory_mebibytes: kibibytes.unwrap_or_default() / 1024,
        })
    }

    /// Returns the time since the first call in place of processor time, and no memory: on systems other than Unix,
    /// students train for themselves, and nothing is graded.
    ///
    /// # Errors
    ///
    /// Never fails.
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "no verdict depends on it")]
    pub fn now() -> Result<Self, TrainError> {
        static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
        let first = FIRST.get_or_init(std::time::Instant::now);
        Ok(Self { cpu_seconds: first.elapsed().as_secs_f64(), memory_mebibytes: 0 })
    }
}

/// Returns the peak resident memory since the program started, in kibibytes, if `/proc` is available.
#[cfg(unix)]
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

impl Limits {
    /// Checks the number of parameters, before the first step.
    pub(crate) fn check_parameters(&self, count: usize) -> Result<(), TrainError> {
        match self.parameters {
            Some(allowed) if count > allowed => Err(TrainError::Parameters { allowed, count }),
            _ => Ok(()),
        }
    }

    /// Checks the limits before step number `step`; `began` is the usage at the start of the training.
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
