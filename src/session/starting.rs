//! Start of a worker, up to its first answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_sandbox::{
    Access, CompletedProcess, ExitReason, Job, Level, Limits, Process, Sandbox, SandboxError,
};
use softmark_wire::{PROTOCOL_VERSION, Reply, Request, SessionError};
use thiserror::Error;

use crate::session::budget::Budget;
use crate::session::exchange::{exchange, prepare};
use crate::session::reply::Broken;
use crate::session::waiting::WaitingBudget;

/// Wall-clock limit of the supervisor, longer than any grading: the session limits the waiting time,
/// because it knows when it waits.
const SUPERVISOR_WALL: Duration = Duration::from_hours(24);

/// Factor by which a process may exceed its limit of threads between two answers. The threads after an
/// answer are counted exactly, at the same moment each time; those in between may go unnoticed, and are
/// bounded only to protect the machine.
const THREADS_BETWEEN_ANSWERS: u64 = 8;

/// Environment of a worker. One thread, so that the order of sums does not depend on the machine.
/// Few arenas, each of which takes 64 MiB of address space, so that the memory in use does not
/// depend on how many threads happen to allocate at once.
const ENVIRONMENT: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "2")];

/// Argument that makes an isolated worker start no other program (`softmark_worker::SEALED`).
const SEALED: &str = "sealed";

/// Worker program.
#[derive(Debug, Clone)]
pub(crate) struct WorkerProgram {
    /// File of the program.
    pub(crate) file: PathBuf,
    /// Name of the program in a file that holds several, passed as the last argument.
    pub(crate) entry: Option<String>,
}

impl WorkerProgram {
    /// Returns the only program of a file.
    pub(crate) fn new(file: PathBuf) -> Self {
        Self { file, entry: None }
    }
}

/// Result of starting a worker.
#[derive(Debug)]
pub(crate) enum Started {
    /// The worker runs and has answered.
    Running(Process),
    /// The worker ended before its first answer.
    Ended(Unstarted),
}

/// Worker that ended before its first answer.
#[derive(Debug)]
pub(crate) struct Unstarted {
    /// Process after its end; `None` if the kernel did not start it at all.
    pub(crate) finished: Option<CompletedProcess>,
    /// Description of the failure, for a person.
    detail: String,
}

impl Unstarted {
    /// Returns the exit reason of the process, if it was started.
    pub(crate) fn exit_reason(&self) -> Option<ExitReason> {
        self.finished.as_ref().map(|finished| finished.exit)
    }

    /// Returns this failure as an error that needs a control, to be used unless the submission is
    /// at fault.
    pub(crate) fn error(&self, program: &Path) -> SessionError {
        let program = program.display();
        let detail = &self.detail;
        SessionError {
            message: format!("the worker {program} never said hello ({detail})"),
            source: Some(Box::new(NeedsControl)),
        }
    }
}

/// Source of an error that only a control can attribute to the submission or the machine. A control
/// is a worker program without any of the student's code, under the same limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("are its limits too tight for this machine?")]
pub struct NeedsControl;

impl NeedsControl {
    /// True if this error is among the sources of `error`.
    pub fn is_below(error: &(dyn std::error::Error + 'static)) -> bool {
        let mut next = Some(error);
        while let Some(error) = next {
            if error.is::<Self>() {
                return true;
            }
            next = error.source();
        }
        false
    }
}

/// Starts a worker and reads its protocol version.
///
/// None of the student's code runs before that. But declarations of a submission may keep its
/// program from starting, such as statics that are larger than its memory.
///
/// # Errors
///
/// Fails only if the grader's side is broken, whatever the program is.
pub(crate) fn start(
    sandbox: &Sandbox,
    program: &WorkerProgram,
    limits: &Limits,
) -> Result<Started, SessionError> {
    let WorkerProgram { file: program, entry } = program;
    let failed = |error| sandbox_failed(program, error);
    let is_isolated = sandbox.level() > Level::None;
    let job = Job {
        program: program.to_owned(),
        args: is_isolated
            .then_some(SEALED)
            .into_iter()
            .chain(entry.as_deref())
            .map(Into::into)
            .collect(),
        env: ENVIRONMENT.map(|(name, value)| (name.into(), value.into())).into(),
        dir: program.parent().unwrap_or(program).to_owned(),
        limits: Limits {
            wall: SUPERVISOR_WALL,
            threads: limits.threads.saturating_mul(THREADS_BETWEEN_ANSWERS),
            ..limits.clone()
        },
        access: Access::ComputeOnly,
    };
    let mut worker = sandbox.start(&job).map_err(failed)?;
    let mut waiting = WaitingBudget::new(limits.wall, Budget::unlimited());
    let hello = Request::Hello { version: PROTOCOL_VERSION };
    let prepared = prepare(&mut worker).map_err(Broken::from);
    let said = prepared.and_then(|()| exchange(&mut worker, &mut waiting, &hello));
    let broken = match said {
        Ok(Reply::Hello { version: PROTOCOL_VERSION }) => return Ok(Started::Running(worker)),
        Ok(reply) => {
            let message = format!(
                "the worker {} says {reply:?}, this grader speaks version {PROTOCOL_VERSION}; make \
                 the pack again",
                program.display()
            );
            return Err(SessionError { message, source: None });
        }
        Err(broken) => broken,
    };
    match worker.end() {
        Ok(finished) => {
            let detail = format!("{broken:?}, {:?}", finished.exit);
            Ok(Started::Ended(Unstarted { finished: Some(finished), detail }))
        }
        // The kernel refused the program, for example because it does not fit within the limits.
        Err(SandboxError::Launch { reason, .. }) if is_refusal(program) => {
            Ok(Started::Ended(Unstarted { finished: None, detail: reason }))
        }
        Err(error) => Err(failed(error)),
    }
}

/// Returns the error for a failure of the sandbox.
pub(crate) fn sandbox_failed(program: &Path, error: SandboxError) -> SessionError {
    let message = format!("the worker {} cannot be run or ended", program.display());
    SessionError { message, source: Some(Box::new(error)) }
}

/// True if the file of a program that could not be started exists, so that the program itself was refused.
fn is_refusal(program: &Path) -> bool {
    program.is_file()
}
