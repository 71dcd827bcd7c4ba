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
    /// Its processes used too much memory together.
    Memory,
    /// It had too many threads.
    Crowd,
}

/// Causes and their names.
const CAUSES: [(Cause, &str); 6] = [
    (Cause::Program, "program"),
    (Cause::Deadline, "deadline"),
    (Cause::Order, "order"),
    (Cause::Flood, "flood"),
    (Cause::Memory, "memory"),
    (Cause::Crowd, "crowd"),
];

/// What the kernel says of a process that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It returned this code.
    Exited(i32),
    /// This signal ended it.
    Signaled(i32),
}

/// What was used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Used {
    /// Processor time, with that of what was waited for.
    pub(crate) cpu: Duration,
    /// The largest resident size of any.
    pub(crate) peak_bytes: u64,
}

/// All that the guard knows at the end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// What ended the program.
    pub(crate) cause: Cause,
    /// How the program itself ended, unless the guard ended it.
    pub(crate) status: Option<Status>,
    /// By the program, and by what it waited for.
    pub(crate) alone: Used,
    /// By everything that was started.
    pub(crate) total: Used,
}

/// The guard's last word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Report {
    /// The program ran and ended.
    Ended(Facts),
    /// The program never ran.
    Failed(String),
}

/// What the first process in a name space says to the guard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Word {
    /// The program runs.
    Started,
    /// The program has ended.
    Ended(Status, Used),
    /// The program never ran.
    Failed(String),
}

impl Status {
    fn encode(self) -> String {
        match self {
            Self::Exited(code) => format!("exited {code}"),
            Self::Signaled(signal) => format!("signaled {signal}"),
        }
    }

    fn decode(kind: &str, number: &str) -> Option<Self> {
        let number = number.parse().ok()?;
        match kind {
            "exited" => Some(Self::Exited(number)),
            "signaled" => Some(Self::Signaled(number)),
            _ => None,
        }
    }
}

impl Used {
    fn encode(self) -> String {
        format!("{} {}", self.cpu.as_micros(), self.peak_bytes)
    }

    fn decode(micros: &str, bytes: &str) -> Option<Self> {
        let cpu = Duration::from_micros(micros.parse().ok()?);
        Some(Self { cpu, peak_bytes: bytes.parse().ok()? })
    }
}

impl Word {
    /// As it is sent: one line.
    pub(crate) fn encode(&self) -> String {
        let said = match self {
            Self::Started => "started".to_owned(),
            Self::Ended(status, used) => format!("ended {} {}", status.encode(), used.encode()),
            Self::Failed(reason) => format!("failed {}", reason.replace('\n', " ")),
        };
        format!("{OPENS} {said} {CLOSES}\n")
    }

    /// Reads what [`Word::encode`] wrote; `None` if it is anything else.
    pub(crate) fn decode(line: &str) -> Option<Self> {
        let said = inside(line)?;
        if let Some(reason) = said.strip_prefix("failed ") {
            return Some(Self::Failed(reason.to_owned()));
        }
        match said.split(' ').collect::<Vec<_>>().as_slice() {
            ["started"] => Some(Self::Started),
            ["ended", kind, number, micros, bytes] => {
                Some(Self::Ended(Status::decode(kind, number)?, Used::decode(micros, bytes)?))
            }
            _ => None,
        }
    }
}

/// What stands between the opening and the closing of a whole line.
fn inside(line: &str) -> Option<&str> {
    Some(line.strip_prefix(OPENS)?.strip_suffix('\n')?.strip_suffix(CLOSES)?.trim())
}

impl Report {
    /// As it is sent: one line.
    pub(crate) fn encode(&self) -> String {
        match self {
            Self::Failed(reason) => Word::Failed(reason.clone()).encode(),
            Self::Ended(Facts { cause, status, alone, total }) => {
                let cause = CAUSES.iter().find(|(of, _)| of == cause).map_or("", |(_, name)| name);
                let status = status.map_or_else(|| "killed 0".to_owned(), Status::encode);
                let (alone, total) = (alone.encode(), total.encode());
                format!("{OPENS} ended {cause} {status} {alone} {total} {CLOSES}\n")
            }
        }
    }

    /// Reads what [`Report::encode`] wrote; `None` if it is anything else.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let said = inside(text)?;
        if let Some(reason) = said.strip_prefix("failed ") {
            return Some(Self::Failed(reason.to_owned()));
        }
        let words: Vec<&str> = said.split(' ').collect();
        let ["ended", cause, kind, number, cpu, peak, total_cpu, total_peak] = words.as_slice()
        else {
            return None;
        };
        let status = match *kind {
            "killed" => None,
            kind => Some(Status::decode(kind, number)?),
        };
        Some(Self::Ended(Facts {
            cause: CAUSES.iter().find(|(_, name)| name == cause)?.0,
            status,
            alone: Used::decode(cpu, peak)?,
            total: Used::decode(total_cpu, total_peak)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_what_arrives() {
        let alone = Used { cpu: Duration::from_micros(1_234_567), peak_bytes: 99 };
        let total = Used { cpu: Duration::from_secs(3), peak_bytes: 1 << 40 };
        for (cause, _) in CAUSES {
            for status in [None, Some(Status::Signaled(6)), Some(Status::Exited(-1))] {
                let report = Report::Ended(Facts { cause, status, alone, total });
                assert_eq!(Report::decode(&report.encode()), Some(report));
            }
        }
        let report = Report::Failed("no such\tprogram".to_owned());
        assert_eq!(Report::decode(&report.encode()), Some(report));
        let ended = Word::Ended(Status::Exited(3), alone);
        for word in [Word::Started, ended, Word::Failed("no  room".to_owned())] {
            assert_eq!(Word::decode(&word.encode()), Some(word));
        }
        assert_eq!(Word::decode("bwrap: no\n"), None);
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
