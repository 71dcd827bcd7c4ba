//! What grader and guard say to each other.

use std::time::Duration;

/// Kill everything: it is no longer needed.
pub(crate) const STOP: u8 = b's';
/// The program has closed its channel: give it a moment to end by itself, then kill everything.
pub(crate) const AWAIT: u8 = b'w';
/// Kill everything: too much output.
pub(crate) const FLOOD: u8 = b'f';

/// Opens and closes a report, so that a part of one is not taken for a whole.
const OPENS: &str = "softmark-guard";
const CLOSES: &str = "end";

/// What ended the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Cause {
    /// Itself, or a signal that did not come from the guard.
    #[default]
    Program,
    /// The guard's deadline.
    Deadline,
    /// An order, or a grader that is gone.
    Order,
    /// An order because of too much output.
    Flood,
}

/// What the kernel says of a process that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It returned this code.
    Exited(i32),
    /// This signal ended it.
    Signaled(i32),
}

/// All that the guard knows at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// What ended the program.
    pub(crate) cause: Cause,
    /// How the program itself ended, unless the guard ended it.
    pub(crate) status: Option<Status>,
    /// Processor time of the program, and of what it waited for.
    pub(crate) cpu: Duration,
    /// Their largest resident size.
    pub(crate) peak_bytes: u64,
    /// Processor time of everything that was started.
    pub(crate) total_cpu: Duration,
    /// The largest resident size of anything that was started.
    pub(crate) total_peak_bytes: u64,
}

/// The guard's last word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// The program ran and ended.
    Ended(Facts),
    /// The program never ran.
    Failed(String),
}

impl Report {
    /// As it is sent: one line.
    pub(crate) fn encode(&self) -> String {
        match self {
            Self::Failed(reason) => {
                let reason = reason.replace('\n', " ");
                format!("{OPENS} failed {reason} {CLOSES}\n")
            }
            Self::Ended(facts) => {
                let cause = match facts.cause {
                    Cause::Program => "program",
                    Cause::Deadline => "deadline",
                    Cause::Order => "order",
                    Cause::Flood => "flood",
                };
                let (kind, number) = match facts.status {
                    Some(Status::Exited(code)) => ("exited", code),
                    Some(Status::Signaled(signal)) => ("signaled", signal),
                    None => ("killed", 0),
                };
                format!(
                    "{OPENS} ended {cause} {kind} {number} {} {} {} {} {CLOSES}\n",
                    facts.cpu.as_micros(),
                    facts.peak_bytes,
                    facts.total_cpu.as_micros(),
                    facts.total_peak_bytes,
                )
            }
        }
    }

    /// Reads what [`Report::encode`] wrote; `None` if it is anything else.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let text = text.strip_prefix(OPENS)?.strip_suffix('\n')?.strip_suffix(CLOSES)?.trim();
        let (kind, rest) = text.split_once(' ')?;
        if kind == "failed" {
            return Some(Self::Failed(rest.to_owned()));
        }
        let words: Vec<&str> = rest.split(' ').collect();
        let [cause, status, number, cpu, peak_bytes, total_cpu, total_peak_bytes] =
            words.as_slice()
        else {
            return None;
        };
        let micros = |word: &str| word.parse().ok().map(Duration::from_micros);
        let number = number.parse().ok()?;
        Some(Self::Ended(Facts {
            cause: match *cause {
                "program" => Cause::Program,
                "deadline" => Cause::Deadline,
                "order" => Cause::Order,
                "flood" => Cause::Flood,
                _ => return None,
            },
            status: match *status {
                "exited" => Some(Status::Exited(number)),
                "signaled" => Some(Status::Signaled(number)),
                "killed" => None,
                _ => return None,
            },
            cpu: micros(cpu)?,
            peak_bytes: peak_bytes.parse().ok()?,
            total_cpu: micros(total_cpu)?,
            total_peak_bytes: total_peak_bytes.parse().ok()?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_what_arrives() {
        let facts = Facts {
            cause: Cause::Program,
            status: Some(Status::Signaled(6)),
            cpu: Duration::from_micros(1_234_567),
            peak_bytes: 99,
            total_cpu: Duration::from_secs(3),
            total_peak_bytes: 1 << 40,
        };
        for report in [Report::Ended(facts), Report::Failed("no such\tprogram".to_owned())] {
            assert_eq!(Report::decode(&report.encode()), Some(report));
        }
    }

    #[test]
    fn a_part_of_a_report_is_none() {
        let whole = Report::Ended(Facts::default()).encode();
        for length in 0..whole.len() {
            assert_eq!(Report::decode(whole.get(..length).unwrap()), None, "{length}");
        }
        assert_eq!(Report::decode("thread 'main' panicked"), None);
    }
}
