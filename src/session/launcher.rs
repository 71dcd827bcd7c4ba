//! Start of a session's worker program, and attribution of its ends to the submission or the machine.

use std::path::PathBuf;

use softmark_sandbox::{ExitReason, Level, Limits, Sandbox, SandboxError};
use softmark_wire::SessionError;

use crate::build::Bundle;
use crate::digest;
use crate::session::starting::{self, NeedsControl, Started, Unstarted, WorkerProgram};
use crate::session::{ending, place};

/// Most tries of a question whose worker is ended by a signal from outside, so that a machine that
/// is out of memory for a moment costs no grade.
pub(crate) const MOST_TRIES: u32 = 3;

/// Most such endings in a session before the control is run to attribute them, so that code which
/// ends itself now and then does not keep the grader busy.
const MOST_ENDED: u32 = 6;

/// Worker program of a session, with what is needed to start it and to attribute its ends.
#[derive(Debug)]
pub(crate) struct Launcher {
    sandbox: Sandbox,
    program: WorkerProgram,
    /// SHA-256 of the program before any of the student's code ran; `None` if it cannot be read, or if workers are
    /// isolated and can write no file.
    digest: Option<String>,
    /// Worker program without any of the student's code.
    control: Option<WorkerProgram>,
    /// Number of workers that were ended by a signal from outside.
    ended: u32,
}

impl Launcher {
    /// Creates the launcher of a program without a control.
    pub(crate) fn new(sandbox: Sandbox, program: WorkerProgram) -> Self {
        let digest = digest_if_writable(&sandbox, &program);
        Self { sandbox, program, digest, control: None, ended: 0 }
    }

    /// Sets the control, if there is one.
    pub(crate) fn with_control(self, control: Option<PathBuf>) -> Self {
        Self { control: control.map(WorkerProgram::new), ..self }
    }

    /// Returns the level of isolation of the workers.
    pub(crate) fn level(&self) -> Level {
        self.sandbox.level()
    }

    /// True if the file of the program is not what it was when the session was created.
    pub(crate) fn is_program_changed(&self) -> bool {
        digest_if_writable(&self.sandbox, &self.program) != self.digest
    }

    /// Starts the program once.
    pub(crate) fn start(&self, limits: &Limits) -> Result<Started, SessionError> {
        starting::start(&self.sandbox, &self.program, limits)
    }

    /// Returns a place in the student's code in a form that is the same on every machine, and for every program.
    pub(crate) fn portable_place(&self, place: &str) -> String {
        let place = place::tidy(place);
        if self.program.entry.is_some() { Bundle::place_alone(&place) } else { place }
    }

    /// True if a worker with this exit was ended by a signal from outside.
    pub(crate) fn is_external(&self, exit: ExitReason) -> bool {
        ending::is_external(exit, self.level())
    }

    /// Counts a worker that was ended by a signal from outside.
    pub(crate) fn count_external(&mut self) {
        self.ended += 1;
    }

    /// True if a question whose worker was ended by a signal from outside for the `times`-th time is asked again
    /// before the control is run.
    pub(crate) fn may_retry(&self, times: u32) -> bool {
        times < MOST_TRIES && self.ended < MOST_ENDED
    }

    /// Checks that the machine did not cause the repeated endings of workers by a signal from outside: the control must
    /// survive every try.
    ///
    /// # Errors
    ///
    /// Fails if it does not, or if there is no control.
    pub(crate) fn require_living_control(
        &self,
        exit: ExitReason,
        limits: &Limits,
    ) -> Result<(), SessionError> {
        if self.control.is_none() {
            return Err(self.external_error(exit, Some(NeedsControl)));
        }
        for _ in 0..MOST_TRIES {
            if !self.control_lives(limits)? {
                return Err(self.external_error(exit, None));
            }
        }
        Ok(())
    }

    /// True if the control starts under these limits, answers, and is not ended by a signal from
    /// outside.
    pub(crate) fn control_lives(&self, limits: &Limits) -> Result<bool, SessionError> {
        let Some(control) = &self.control else { return Ok(false) };
        let started = starting::start(&self.sandbox, control, limits)?;
        let Started::Running(process) = started else { return Ok(false) };
        let finished = process.end().map_err(|error| self.sandbox_failed(error))?;
        Ok(!self.is_external(finished.exit))
    }

    /// Returns the error for workers that are ended by signals from outside again and again.
    pub(crate) fn external_error(
        &self,
        exit: ExitReason,
        needs: Option<NeedsControl>,
    ) -> SessionError {
        let message = format!(
            "the worker {} was ended from outside, and so were those after it ({exit:?}): by the \
             kernel for want of memory (`dmesg` tells), or by somebody; grade again with fewer \
             `--jobs`",
            self.name()
        );
        SessionError { message, source: needs.map(Into::into) }
    }

    /// Returns the error for a failure of the sandbox.
    pub(crate) fn sandbox_failed(&self, error: SandboxError) -> SessionError {
        starting::sandbox_failed(&self.program.file, error)
    }

    /// Returns the error for a worker that does not start, unless the submission is at fault.
    pub(crate) fn not_started(&self, unstarted: &Unstarted) -> SessionError {
        unstarted.error(&self.program.file)
    }

    /// Returns the path of the program, for messages.
    pub(crate) fn name(&self) -> std::path::Display<'_> {
        self.program.file.display()
    }
}

/// Returns the SHA-256 of a program if a worker could replace its file: only one that is not
/// isolated can.
fn digest_if_writable(sandbox: &Sandbox, program: &WorkerProgram) -> Option<String> {
    match sandbox.level() {
        Level::None => digest::of_file(&program.file).ok(),
        Level::Strict | Level::Landlock | Level::Bwrap | Level::Full => None,
    }
}
