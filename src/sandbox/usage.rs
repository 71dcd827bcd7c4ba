//! What processes used, as the kernel counted it.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

use crate::sandbox::report::{Status, Used};

/// What the children of this process used that it has waited for, with what those waited for.
pub(crate) fn of_children() -> io::Result<Used> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = [usage.user_time(), usage.system_time()]
        .iter()
        .map(|time| {
            let seconds = Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or_default());
            seconds + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or_default())
        })
        .sum();
    // Linux counts in KiB.
    let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or_default().saturating_mul(1024);
    Ok(Used { cpu, peak_bytes })
}

/// How a process ended.
pub(crate) fn ended(status: ExitStatus) -> Status {
    match (status.code(), status.signal()) {
        (Some(code), _) => Status::Exited(code),
        (None, signal) => Status::Signaled(signal.unwrap_or_default()),
    }
}
