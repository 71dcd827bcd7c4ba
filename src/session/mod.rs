//! A conversation with a worker in a process of its own.
//!
//! Invariant: nothing that the worker says is believed: a reply is an answer or a fault, and a
//! broken worker is replaced by a fresh one.

use std::path::PathBuf;

use softmark_wire::{Asked, Reply, Request, Session, SessionError};

use crate::model::Usage;
use crate::sandbox::{Limits, Sandbox};

/// A session with a worker program, started when it is first asked.
#[derive(Debug)]
pub struct Remote {
    sandbox: Sandbox,
    program: PathBuf,
    limits: Limits,
    usage: Usage,
    log: Vec<u8>,
}

impl Remote {
    /// A session with the worker at `program`.
    pub fn new(sandbox: Sandbox, program: PathBuf, limits: Limits) -> Self {
        Self { sandbox, program, limits, usage: Usage::default(), log: Vec::new() }
    }

    /// Ends the worker; tells what all of this session's workers used and printed.
    ///
    /// # Errors
    ///
    /// When the grader's side is broken.
    pub fn end(self) -> Result<(Usage, Vec<u8>), SessionError> {
        let _ = (self.sandbox, self.program, self.limits);
        Ok((self.usage, self.log))
    }
}

impl Session for Remote {
    fn ask(&mut self, _: &Request) -> Asked<Reply> {
        Err(SessionError { message: "not written".to_owned(), source: None })
    }
}
