//! Messages between the grader, the supervisor and `init`.

use std::time::Duration;

use crate::rusage::{Rusage, TerminationStatus};

/// First and last word of every message, so that a truncated message is not mistaken for a whole one.
const PREFIX: &str = "softmark-sandbox";
const SUFFIX: &str = "end";

/// Order from the grader to the supervisor: one byte on their socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Kill the process tree.
    Stop,
    /// Give the program, which has closed its channel, a moment to exit; then kill the process tree.
    AwaitExit,
    /// Kill the process tree because of too much output.
    OutputLimit,
}

impl Order {
    /// Encodes the order.
    pub(crate) fn to_byte(self) -> u8 {
        match self {
            Self::Stop => b's',
            Self::AwaitExit => b'w',
            Self::OutputLimit => b'o',
        }
    }

    /// Decodes an order; an unknown byte means [`Order::Stop`].
    pub(crate) fn from_byte(byte: u8) -> Self {
        match byte {
            b'w' => Self::AwaitExit,
            b'o' => Self::OutputLimit,
            _ => Self::Stop,
        }
    }
}

/// Event that ended the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The program exited, or a signal killed it that the supervisor did not send.
    #[default]
    Program,
    /// The supervisor's deadline passed.
    Deadline,
    /// The grader gave an order, or is gone.
    Order,
    /// The grader gave an order because of too much output.
    OutputLimit,
    /// The process tree used too much memory.
    MemoryLimit,
    /// The process tree had too many threads.
    ThreadLimit,
}

/// Causes and their names in messages.
const CAUSES: [(Cause, &str); 6] = [
    (Cause::Program, "program"),
    (Cause::Deadline, "deadline"),
    (Cause::Order, "order"),
    (Cause::OutputLimit, "output"),
    (Cause::MemoryLimit, "memory"),
    (Cause::ThreadLimit, "threads"),
];

/// Observations of the supervisor at the end of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Observations {
    /// Event that ended the program.
    pub(crate) cause: Cause,
    /// Exit status of the program; `None` if the supervisor killed it.
    pub(crate) status: Option<TerminationStatus>,
    /// Usage of the program and of the children that it waited for.
    pub(crate) program: Rusage,
    /// Usage of the whole process tree.
    pub(crate) total: Rusage,
}

/// Last message of the supervisor to the grader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SupervisorReport {
    /// The program ran and ended.
    Ended(Observations),
    /// The program never ran, for this reason.
    Failed(String),
}

/// Message of `init` to the supervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InitMessage {
    /// The program runs.
    Started,
    /// The program has ended.
    Ended(TerminationStatus, Rusage),
    /// The program never ran, for this reason.
    Failed(String),
}

fn encode_status(status: TerminationStatus) -> String {
    match status {
        TerminationStatus::Exited(code) => format!("exited {code}"),
        TerminationStatus::Signaled(signal) => format!("signaled {signal}"),
    }
}

fn decode_status(kind: &str, number: &str) -> Option<TerminationStatus> {
    let number = number.parse().ok()?;
    match kind {
        "exited" => Some(TerminationStatus::Exited(number)),
        "signaled" => Some(TerminationStatus::Signaled(number)),
        _ => None,
    }
}

fn encode_usage(usage: Rusage) -> String {
    format!("{} {}", usage.cpu.as_micros(), usage.peak_bytes)
}

fn decode_usage(micros: &str, bytes: &str) -> Option<Rusage> {
    let cpu = Duration::from_micros(micros.parse().ok()?);
    Some(Rusage { cpu, peak_bytes: bytes.parse().ok()? })
}

fn encode_failure(reason: &str) -> String {
    framed(&format!("failed {}", reason.replace('\n', " ")))
}

fn framed(text: &str) -> String {
    format!("{PREFIX} {text} {SUFFIX}\n")
}

/// Returns the text of a complete message.
fn unframed(line: &str) -> Option<&str> {
    Some(line.strip_prefix(PREFIX)?.strip_suffix('\n')?.strip_suffix(SUFFIX)?.trim())
}

impl InitMessage {
    /// Encodes the message as one line.
    pub(crate) fn encode(&self) -> String {
        match self {
            Self::Started => framed("started"),
            Self::Ended(status, usage) => {
                framed(&format!("ended {} {}", encode_status(*status), encode_usage(*usage)))
            }
            Self::Failed(reason) => encode_failure(reason),
        }
    }

    /// Decodes the result of [`InitMessage::encode`]; `None` for any other text.
    pub(crate) fn decode(line: &str) -> Option<Self> {
        let text = unframed(line)?;
        if let Some(reason) = text.strip_prefix("failed ") {
            return Some(Self::Failed(reason.to_owned()));
        }
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["started"] => Some(Self::Started),
            ["ended", kind, number, micros, bytes] => {
                Some(Self::Ended(decode_status(kind, number)?, decode_usage(micros, bytes)?))
            }
            _ => None,
        }
    }
}

impl SupervisorReport {
    /// Encodes the report as one line.
    pub(crate) fn encode(&self) -> String {
        match self {
            Self::Failed(reason) => encode_failure(reason),
            Self::Ended(Observations { cause, status, program, total }) => {
                let cause = CAUSES.iter().find(|(of, _)| of == cause).map_or("", |(_, name)| name);
                let status = status.map_or_else(|| "killed 0".to_owned(), encode_status);
                let (program, total) = (encode_usage(*program), encode_usage(*total));
                framed(&format!("ended {cause} {status} {program} {total}"))
            }
        }
    }

    /// Decodes the result of [`SupervisorReport::encode`]; `None` for any other text.
    pub(crate) fn decode(text: &str) -> Option<Self> {
        let text = unframed(text)?;
        if let Some(reason) = text.strip_prefix("failed ") {
            return Some(Self::Failed(reason.to_owned()));
        }
        let words: Vec<&str> = text.split(' ').collect();
        let ["ended", cause, kind, number, cpu, peak, total_cpu, total_peak] = words.as_slice()
        else {
            return None;
        };
        let status = match *kind {
            "killed" => None,
            kind => Some(decode_status(kind, number)?),
        };
        Some(Self::Ended(Observations {
            cause: CAUSES.iter().find(|(_, name)| name == cause)?.0,
            status,
            program: decode_usage(cpu, peak)?,
            total: decode_usage(total_cpu, total_peak)?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decoding_inverts_encoding() {
        let program = Rusage { cpu: Duration::from_micros(1_234_567), peak_bytes: 99 };
        let total = Rusage { cpu: Duration::from_secs(3), peak_bytes: 1 << 40 };
        let (abort, exit) = (TerminationStatus::Signaled(6), TerminationStatus::Exited(-1));
        for (cause, _) in CAUSES {
            for status in [None, Some(abort), Some(exit)] {
                let ended = Observations { cause, status, program, total };
                let report = SupervisorReport::Ended(ended);
                assert_eq!(SupervisorReport::decode(&report.encode()), Some(report));
            }
        }
        let report = SupervisorReport::Failed("no such\tprogram".to_owned());
        assert_eq!(SupervisorReport::decode(&report.encode()), Some(report));
        let ended = InitMessage::Ended(TerminationStatus::Exited(3), program);
        let failed = InitMessage::Failed("no  room".to_owned());
        for message in [InitMessage::Started, ended, failed] {
            assert_eq!(InitMessage::decode(&message.encode()), Some(message));
        }
        assert_eq!(InitMessage::decode("bwrap: no\n"), None);
        for order in [Order::Stop, Order::AwaitExit, Order::OutputLimit] {
            assert_eq!(Order::from_byte(order.to_byte()), order);
        }
    }

    #[test]
    fn rejects_truncated_reports() {
        let whole = SupervisorReport::Ended(Observations::default()).encode();
        for length in 0..whole.len() {
            let part = whole.get(..length).unwrap();
            assert_eq!(SupervisorReport::decode(part), None, "{length}");
        }
        assert_eq!(SupervisorReport::decode("thread 'main' panicked"), None);
    }
}
