//! Attribution of the end of a worker's process: a fault of the submission, or an error of the
//! grader.

use softmark_sandbox::{ExitReason, Level, Limits};
use softmark_wire::Fault;

use crate::session::reply::Broken;

/// Exit status of a worker whose channel broke.
const BROKEN_CHANNEL: i32 = 76;

/// True if a process was ended by a signal that no computation causes: one from a person, or from
/// the kernel when the machine is out of memory.
///
/// **This alone does not show whose fault it is.** The seccomp filter lets an isolated worker send
/// itself no signal but `SIGABRT`, and lower none of its own limits; compiling a submission with
/// `-F unsafe_code` adds nothing, because safe code can be made to write anywhere (rustc issue
/// 25860). But memory that a submission takes, within its limits, can make the kernel choose its
/// process. So the question is asked again. If the process ends like this every time, and a program
/// without any of the student's code does not, the submission is at fault
/// ([`Remote`](crate::session::Remote)). A worker that is not isolated may have called `kill`.
pub(crate) fn is_external(ending: ExitReason, level: Level) -> bool {
    level > Level::None && ending.is_external_signal()
}

/// Returns the fault of a student whose worker broke the exchange with `broken` and ended with
/// `ending`; `None` if the grader is at fault.
pub(crate) fn fault(broken: &Broken, ending: ExitReason, limits: &Limits) -> Option<Fault> {
    if let Broken::Garbled(detail) = broken {
        return Some(Fault::Garbled(detail.clone()));
    }
    let garbled = |detail: String| Some(Fault::Garbled(detail));
    match ending {
        // Only the grader stopped the process, so its reason for stopping it is the fault.
        ExitReason::Stopped => match broken {
            Broken::TimedOut => Some(Fault::WallTime { seconds: seconds(limits) }),
            Broken::Closed => garbled("it closed its channel".to_owned()),
            Broken::Garbled(_) | Broken::Io(_) => None,
        },
        ExitReason::Exited(BROKEN_CHANNEL) => garbled(format!(
            "its channel broke, and it exited with the code {BROKEN_CHANNEL} that says so"
        )),
        ExitReason::Exited(code) => Some(Fault::Exited { code }),
        ExitReason::Signaled(signal) => Some(Fault::Killed { signal }),
        ExitReason::CpuLimit => Some(Fault::CpuTime { seconds: limits.cpu_seconds }),
        ExitReason::OutOfMemory => Some(Fault::OutOfMemory { mebibytes: limits.memory_mebibytes }),
        ExitReason::ThreadLimit => Some(Fault::Crowded { threads: limits.threads }),
        ExitReason::OutputLimit => {
            garbled(format!("it printed more than {} MiB", limits.flood_bytes >> 20))
        }
        // The supervisor's deadline is so far away that only the grader itself can have used it up.
        ExitReason::WallLimit => None,
    }
}

/// Returns the wall-clock limit in whole seconds, rounded up.
fn seconds(limits: &Limits) -> u64 {
    let whole = limits.wall.as_secs();
    if limits.wall.subsec_nanos() == 0 { whole } else { whole + 1 }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_signal_is_external_where_the_worker_is_isolated() {
        for level in Level::ALL {
            for signal in 1..=31 {
                let sent = matches!(signal, 1 | 2 | 3 | 9 | 15) && level != Level::None;
                assert_eq!(is_external(ExitReason::Signaled(signal), level), sent, "{signal}");
            }
        }
        for own in [
            ExitReason::Exited(9),
            ExitReason::CpuLimit,
            ExitReason::OutOfMemory,
            ExitReason::Stopped,
        ] {
            assert!(!is_external(own, Level::Full), "{own:?}");
        }
    }

    #[test]
    fn each_ending_has_its_fault() {
        let limits = Limits {
            cpu_seconds: 4,
            wall: Duration::from_millis(59_500),
            memory_mebibytes: 512,
            ..Limits::generous()
        };
        let closed = |ending| fault(&Broken::Closed, ending, &limits).unwrap();
        assert_eq!(closed(ExitReason::Exited(0)), Fault::Exited { code: 0 });
        assert_eq!(closed(ExitReason::Signaled(6)), Fault::Killed { signal: 6 });
        assert_eq!(closed(ExitReason::CpuLimit), Fault::CpuTime { seconds: 4 });
        assert_eq!(closed(ExitReason::OutOfMemory), Fault::OutOfMemory { mebibytes: 512 });
        for garbled in [ExitReason::Exited(76), ExitReason::OutputLimit, ExitReason::Stopped] {
            assert!(matches!(closed(garbled), Fault::Garbled(_)), "{garbled:?}");
        }
        let timed_out = |ending| fault(&Broken::TimedOut, ending, &limits).unwrap();
        assert_eq!(timed_out(ExitReason::Stopped), Fault::WallTime { seconds: 60 });
        // The process ended by itself just before the grader would have stopped it.
        assert_eq!(timed_out(ExitReason::CpuLimit), Fault::CpuTime { seconds: 4 });
        let garbled = Broken::Garbled("x".to_owned());
        let told = fault(&garbled, ExitReason::Exited(0), &limits);
        assert_eq!(told, Some(Fault::Garbled("x".to_owned())));
        assert_eq!(fault(&Broken::Closed, ExitReason::WallLimit, &limits), None);
    }
}
