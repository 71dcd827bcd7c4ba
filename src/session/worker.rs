//! Process of a component: the results of asking it, and the rule by which it is kept while another component is asked.

use softmark_sandbox::{ExitReason, Level, Limits, Process};
use softmark_wire::{Fault, Reply};

/// Private memory up to which a worker is kept while another component is asked: ten times what the
/// solution of any assignment holds (3 MiB).
const MAX_KEPT_BYTES: u64 = 32 << 20;

/// Process of a component, with the limits that it was started with.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) process: Process,
    pub(crate) limits: Limits,
    /// Threads before any of the student's code ran.
    threads: u64,
}

/// Result of a request to a worker.
pub(crate) enum Exchanged {
    /// The reply, or a fault of the student's code that the worker reports; the process lives on.
    Answer(Result<Reply, Fault>),
    /// There is no answer.
    Lost(Lost),
}

/// Reason for a missing answer; the process is gone.
pub(crate) enum Lost {
    /// A fault that broke the process.
    Fault(Fault),
    /// A fault that broke the process and that another try could not change.
    Final(Fault),
    /// A signal from outside ended the process.
    External(ExitReason),
}

impl Worker {
    /// Creates a worker from a process that has not run any of the student's code yet.
    pub(crate) fn new(mut process: Process, limits: Limits) -> Self {
        let threads = process.threads();
        Self { process, limits, threads }
    }

    /// True if the worker, isolated at `level`, may be kept while another component is asked: it has no
    /// threads of the student's, so that it computes nothing and changes nothing in the meantime, and
    /// little memory.
    ///
    /// Without isolation its code might have started other programs, which are not counted.
    pub(crate) fn is_at_rest(&mut self, level: Level) -> bool {
        level > Level::None
            && self.process.threads() == self.threads
            && self.process.private_bytes().is_some_and(|bytes| bytes <= MAX_KEPT_BYTES)
    }
}
