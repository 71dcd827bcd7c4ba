//! Clock: the only module that reads the time; elapsed time is in `softmark_sandbox`.

use std::time::Duration;

use jiff::Timestamp;
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_gettime};
pub use softmark_sandbox::Clock;

/// Returns the processor time that the calling thread has used.
pub fn thread_cpu() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map(Duration::from).unwrap_or_default()
}

/// Returns the time of day, in RFC 3339 and UTC.
pub fn now() -> String {
    rfc3339(seconds())
}

/// Returns the time of day, in seconds since the beginning of 1970.
pub fn seconds() -> u64 {
    let now = clock_gettime(ClockId::CLOCK_REALTIME).unwrap_or(TimeSpec::new(0, 0));
    Duration::from(now).as_secs()
}

/// Returns the time `seconds` after the beginning of 1970, in RFC 3339 and UTC; any later than the end of 9999 is that.
pub(crate) fn rfc3339(seconds: u64) -> String {
    let at = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    format!("{:.0}", at.unwrap_or(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::rfc3339;

    #[test]
    fn dates_are_those_of_the_calendar() {
        // Expected dates are the output of `date -u -d @SECONDS +%FT%TZ`.
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (1_735_689_600, "2025-01-01T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (u64::MAX, "9999-12-30T22:00:00Z"),
        ] {
            assert_eq!(rfc3339(seconds), date);
        }
    }
}
