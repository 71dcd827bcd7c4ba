//! Process of a component, and the rule by which it is kept while another component is asked.

use softmark_sandbox::{CompletedProcess, Level, Limits, Process, Sandbox, SandboxError};

/// Private memory up to which a worker is kept while another component is asked: ten times what the
/// solution of any assignment holds (3 MiB).
const MAX_KEPT_BYTES: u64 = 32 << 20;

/// Process of a component, with the limits that it was started with.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) process: Process,
    pub(crate) limits: Limits,
    /// Name of the component that it serves; empty before the first one is constructed.
    pub(crate) part: String,
    /// Threads before any of the student's code ran.
    threads: u64,
}

impl Worker {
    /// Creates the worker of a component from a process that runs none of the student's code yet.
    pub(crate) fn new(mut process: Process, limits: Limits, part: &str) -> Self {
        let threads = process.threads();
        Self { process, limits, part: part.to_owned(), threads }
    }

    /// True if the worker may be kept while another component is asked: it has no threads of the
    /// student's, so that it computes nothing and changes nothing in the meantime, and little memory.
    ///
    /// Without isolation its code might have started other programs, which are not counted.
    pub(crate) fn is_at_rest(&mut self, sandbox: &Sandbox) -> bool {
        sandbox.level() > Level::None
            && self.process.threads() == self.threads
            && self.process.private_bytes() <= MAX_KEPT_BYTES
    }

    /// Ends the process.
    pub(crate) fn end(self) -> Result<CompletedProcess, SandboxError> {
        self.process.end()
    }
}
