//! Sessions: requests to a student's code, in this process or another.

use std::fmt;

use thiserror::Error;

use crate::reply::{Failure, Reply};
use crate::request::{Construction, Request};

/// A failure of a student's code, as the grader sees it.
///
/// A fault is the student's: it is a value, it is reported, and it costs points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// A failure that the worker reported.
    Code(Failure),
    /// The code exceeded its processor time.
    CpuTime {
        /// Seconds allowed.
        seconds: u64,
    },
    /// The code did not answer in time, without exceeding its processor time.
    WallTime {
        /// Seconds allowed.
        seconds: u64,
    },
    /// The code exceeded its memory limit.
    OutOfMemory {
        /// Mebibytes allowed.
        mebibytes: u64,
    },
    /// The program could not be started within its limits, although a control program could.
    NotStarted {
        /// Mebibytes allowed.
        mebibytes: u64,
    },
    /// The code had too many threads at once.
    Crowded {
        /// Threads allowed.
        threads: u64,
    },
    /// The process was killed by a signal.
    Killed {
        /// Number of the signal.
        signal: i32,
    },
    /// The process exited without a reply.
    Exited {
        /// Exit status.
        code: i32,
    },
    /// It was not run, because detectors of its component ran out of time too often.
    NotRun,
    /// The reply did not match the request.
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
            Self::NotRun => f.write_str(
                "was not run, because the detectors before it ran out of time too often",
            ),
            Self::Garbled(detail) => write!(f, "sent something that is no answer: {detail}"),
        }
    }
}

/// An error on the grader's side of a session; no grade can be given.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct SessionError {
    /// Description of the failure, its place and the next step.
    pub message: String,
    /// Underlying error.
    #[source]
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// Result of running a student's code: it succeeds or has a fault. Both are values: an error is the grader's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt<T> {
    /// Value that the code returned.
    Success(T),
    /// A failure of the code.
    Fault(Fault),
}

impl<T> Attempt<T> {
    /// Applies `convert` to a success.
    pub fn map<U>(self, convert: impl FnOnce(T) -> U) -> Attempt<U> {
        self.into_result().map(convert).into()
    }

    /// Returns the success, and the fault as an error, for callers to whom a fault is one.
    ///
    /// # Errors
    ///
    /// Fails with the fault of the code.
    pub fn into_result(self) -> Result<T, Fault> {
        match self {
            Self::Success(value) => Ok(value),
            Self::Fault(fault) => Err(fault),
        }
    }
}

impl<T> From<Result<T, Fault>> for Attempt<T> {
    fn from(result: Result<T, Fault>) -> Self {
        match result {
            Ok(value) => Self::Success(value),
            Err(fault) => Self::Fault(fault),
        }
    }
}

/// Result of a request: a reply or the student's fault, or else an error of the grader.
pub type Asked<T> = Result<Attempt<T>, SessionError>;

/// A session with a student's code, in this process or another.
pub trait Session {
    /// Sends one request and waits for the reply.
    ///
    /// [`Reply::Failed`] is never returned; it becomes [`Fault::Code`].
    ///
    /// # Errors
    ///
    /// Fails only if the grader's side fails; every failure of the student's code is a [`Fault`].
    fn ask(&mut self, request: &Request) -> Asked<Reply>;

    /// Constructs a component and sends it a request; returns the reply to that request, or the fault of the
    /// construction.
    ///
    /// A session with another process sends both in one message, [`Request::ConstructAndAsk`].
    ///
    /// # Errors
    ///
    /// Fails only if the grader's side fails.
    fn construct_and_ask(&mut self, component: Construction, request: Request) -> Asked<Reply> {
        match self.ask(&Request::Construct(component))? {
            Attempt::Success(Reply::Constructed) => self.ask(&request),
            Attempt::Success(_) => {
                let told = "another kind of answer than `construct` asks for".to_owned();
                Ok(Attempt::Fault(Fault::Garbled(told)))
            }
            fault @ Attempt::Fault(_) => Ok(fault),
        }
    }

    /// Ends the process that runs the student's code. The next component is constructed in a new process,
    /// which gets nothing from this one except what requests hand to it.
    ///
    /// A session without a process of its own drops the component instead.
    ///
    /// # Errors
    ///
    /// Fails if the process cannot be ended.
    fn renew(&mut self) -> Result<(), SessionError>;
}
