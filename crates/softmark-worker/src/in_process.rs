//! A session with code in the same process, used by a student's `cargo test`.

use softmark_kit::component::Components;
use softmark_wire::{Asked, Attempt, Fault, Reply, Request, Session, SessionError};

use crate::dispatch::Dispatcher;

/// A session that calls the dispatcher directly, without another process or the wire.
#[derive(Debug)]
pub struct InProcess {
    dispatcher: Dispatcher,
}

impl InProcess {
    /// Returns a session with these components.
    pub fn new(components: Components) -> Self {
        Self { dispatcher: Dispatcher::new(components) }
    }
}

impl Session for InProcess {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        // Experiments are not answered here: only the grader runs detectors on suspects.
        let reply = self.dispatcher.answer(request, &mut |_| None);
        Ok(if let Reply::Failed(failure) = reply {
            Attempt::Fault(Fault::Code(failure))
        } else {
            Attempt::Success(reply)
        })
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.dispatcher.forget();
        Ok(())
    }
}
