//! Recovery of a session whose worker broke.

use softmark_sandbox::ExitReason;
use softmark_wire::{Attempt, Fault, SessionError};

use super::Remote;
use crate::session::ending;
use crate::session::reply::Broken;
use crate::session::worker::{Exchanged, Lost, Worker};

impl Remote {
    /// Handles a worker that broke: returns the fault or the signal that ended it.
    pub(super) fn lose(&mut self, worker: Worker, broken: Broken) -> Result<Lost, SessionError> {
        let (printed, limits) = (self.log.len(), worker.limits.clone());
        let finished = self.finish(worker)?;
        if self.launcher.is_external(finished.exit) {
            // The question is asked again, and the worker prints the same again.
            self.log.truncate(printed);
            return Ok(Lost::External(finished.exit));
        }
        ending::fault(&broken, finished.exit, &limits).map(Lost::Fault).ok_or_else(|| {
            let (program, ending) = (self.launcher.name(), finished.exit);
            let message = format!("cannot talk to the worker {program}, which ended as {ending:?}");
            let source = if let Broken::Io(error) = broken { Some(error.into()) } else { None };
            SessionError { message, source }
        })
    }

    /// Handles a worker that was ended by a signal from outside, the `times`-th one at this
    /// question: returns `None` to try again. After too many endings it returns a fault, if the
    /// control is never ended like that.
    pub(super) fn ended_externally(
        &mut self,
        ending: ExitReason,
        times: u32,
    ) -> Result<Option<Fault>, SessionError> {
        self.launcher.count_external();
        if self.launcher.may_retry(times) {
            return Ok(None);
        }
        self.launcher.require_living_control(ending, &self.limits_now())?;
        let ExitReason::Signaled(signal) = ending else {
            return Err(self.launcher.external_error(ending, None));
        };
        let fault = Fault::Killed { signal };
        self.history().condemn(&fault);
        Ok(Some(fault))
    }

    /// Restores the state of a lost worker in a fresh one, so that a question about it can be asked
    /// again: trains it in the same way and gives a detector the same answers. Returns the fault if
    /// the worker fails on the way, and `lost` if it answers differently than before.
    pub(super) fn make_again(&mut self, lost: &Fault) -> Result<Option<Fault>, SessionError> {
        let steps = self.made.steps().to_vec();
        let (mut next, mut times) = (0, 0);
        while let Some(step) = steps.get(next) {
            let worker = match self.worker.take() {
                Some(worker) => worker,
                // A step depends on all steps before it.
                None if next > 0 => {
                    next = 0;
                    continue;
                }
                None => match self.start()? {
                    Attempt::Success(worker) => worker,
                    Attempt::Fault(fault) => return Ok(Some(fault)),
                },
            };
            match self.put(worker, &step.request)? {
                Exchanged::Answer(Ok(reply)) if step.fits(&reply) => next += 1,
                Exchanged::Answer(Ok(_)) => {
                    self.stop()?;
                    return Ok(Some(lost.clone()));
                }
                Exchanged::Answer(Err(fault))
                | Exchanged::Lost(Lost::Fault(fault) | Lost::Final(fault)) => {
                    return Ok(Some(fault));
                }
                Exchanged::Lost(Lost::External(ending)) => {
                    times += 1;
                    if let Some(fault) = self.ended_externally(ending, times)? {
                        return Ok(Some(fault));
                    }
                    next = 0;
                }
            }
        }
        Ok(None)
    }
}
