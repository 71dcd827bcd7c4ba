//! A conversation with a student's code, wherever it runs.

use std::fmt;

use thiserror::Error;

use crate::message::{Failure, Reply, Request};

/// How a student's code failed to answer.
///
/// A fault is the student's: it is a value, it is reported, and it costs points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The code itself says what happened.
    Code(Failure),
    /// It used up its processor time.
    CpuTime {
        /// Seconds allowed.
        seconds: u64,
    },
    /// It did not answer in time, without using its processor time up.
    WallTime {
        /// Seconds allowed.
        seconds: u64,
    },
    /// It ran into its memory limit.
    OutOfMemory {
        /// Mebibytes allowed.
        mebibytes: u64,
    },
    /// Its program could not be started within its limits, though another one was.
    NotStarted {
        /// Mebibytes allowed.
        mebibytes: u64,
    },
    /// It had too many threads at once.
    Crowded {
        /// Threads allowed.
        threads: u64,
    },
    /// Its process was ended by a signal.
    Killed {
        /// The signal's number.
        signal: i32,
    },
    /// Its process ended instead of answering.
    Exited {
        /// The exit code.
        code: i32,
    },
    /// Its answer was no answer to the question.
    Garbled(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(failure) if failure.place.is_empty() => {
                write!(f, "{}: {}", failure.kind, failure.message)
            }
            Self::Code(failure) => {
                write!(f, "{} at {}: {}", failure.kind, failure.place, failure.message)
            }
            Self::CpuTime { seconds } => {
                write!(f, "used up its {seconds} s of processor time without answering")
            }
            Self::WallTime { seconds } => {
                write!(f, "gave no answer within {seconds} s, though it was not computing")
            }
            Self::OutOfMemory { mebibytes } => {
                write!(f, "ran into its memory limit of {mebibytes} MiB")
            }
            Self::NotStarted { mebibytes } => write!(
                f,
                "could not be started within its memory limit of {mebibytes} MiB, though another \
                 program was, under the same limits"
            ),
            Self::Crowded { threads } => {
                write!(f, "had more than the {threads} threads allowed at once")
            }
            Self::Killed { signal: 6 } => f.write_str(
                "aborted (signal 6), as a Rust program does when a single allocation is too \
                 large, when its stack overflows, or when it calls abort",
            ),
            Self::Killed { signal } => write!(f, "was ended by signal {signal}"),
            Self::Exited { code } => {
                write!(f, "ended its process (exit code {code}) instead of answering")
            }
            Self::Garbled(detail) => write!(f, "sent something that is no answer: {detail}"),
        }
    }
}

/// The grader's side of the conversation failed: no grade can come of it.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct SessionError {
    /// What failed, where, and what to do next.
    pub message: String,
    /// What lies below it.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What comes of a question: an answer or the student's fault, or else the grader's own error.
pub type Asked<T> = Result<Result<T, Fault>, SessionError>;

/// Asks a student's code questions, in this process or in another.
pub trait Session {
    /// Asks one question and waits for its answer.
    ///
    /// [`Reply::Failed`] never comes back: it is turned into [`Fault::Code`].
    ///
    /// # Errors
    ///
    /// Only when the grader's side is broken; whatever the student's code does is a [`Fault`].
    fn ask(&mut self, request: &Request) -> Asked<Reply>;

    /// Ends what runs the student's code: the part that is made next is made in a new process, which
    /// has nothing of this one's but what it is handed.
    ///
    /// A session without a process of its own forgets the part that was made.
    ///
    /// # Errors
    ///
    /// When the process cannot be ended.
    fn renew(&mut self) -> Result<(), SessionError>;
}
