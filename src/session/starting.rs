//! Starting a worker, up to its first answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_sandbox::{
    Access, CompletedProcess, ExitReason, Job, Level, Limits, Process, Sandbox, SandboxError,
};
use softmark_wire::{PROTOCOL_VERSION, Reply, Request, SessionError};
use thiserror::Error;

use crate::session::budget::Budget;
use crate::session::exchange::exchange;
use crate::session::patience::Patience;

/// Longer than any grading: how long a worker is waited for is up to the session, which knows when
/// it waits, and not up to the supervisor.
const SUPERVISOR_WALL: Duration = Duration::from_hours(24);

/// Factor by which a process may exceed its limit of threads between two answers. The threads after an
/// answer are counted exactly, at the same moment each time; those in between may go unnoticed, and are
/// bounded only to protect the machine.
const THREADS_BETWEEN_ANSWERS: u64 = 8;

/// All that a worker is told by its environment: one thread, so that the order of sums does not
/// depend on the machine; and few arenas, each of which takes 64 MiB of address space, so that what
/// fits into the memory limit does not depend on how many threads happen to allocate at once.
const ENVIRONMENT: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "2")];

/// The argument that makes an isolated worker start no other program (`softmark_worker::SEALED`).
const SEALED: &str = "sealed";

/// A worker program.
#[derive(Debug, Clone)]
pub(crate) struct WorkerProgram {
    /// File of the program.
    pub(crate) file: PathBuf,
    /// Name of the program in a file that holds several, passed as the last argument.
    pub(crate) entry: Option<String>,
}

impl WorkerProgram {
    /// The only program of a file.
    pub(crate) fn new(file: PathBuf) -> Self {
        Self { file, entry: None }
    }
}

/// A worker that did not come to its first answer.
#[derive(Debug)]
pub(crate) struct Unstarted {
    /// The process after its end; `None` if the kernel did not start it at all.
    pub(crate) finished: Option<CompletedProcess>,
    /// Description of the failure, for a person.
    detail: String,
}

impl Unstarted {
    /// Returns the exit reason of the process, if it was started.
    pub(crate) fn exit_reason(&self) -> Option<ExitReason> {
        self.finished.as_ref().map(|finished| finished.exit)
    }

    /// The error that it is, as long as nothing says that it is the submission's fault.
    pub(crate) fn error(&self, program: &Path) -> SessionError {
        let program = program.display();
        let detail = &self.detail;
        SessionError {
            message: format!("the worker {program} never said hello ({detail})"),
            source: Some(Box::new(NeedsControl)),
        }
    }
}

/// Source of an error that needs a control, to tell if the submission or the machine is to blame: a worker
/// program without any of the student's code, under the same limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("are its limits too tight for this machine?")]
pub struct NeedsControl;

impl NeedsControl {
    /// True if it is among the sources of `error`.
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

/// Starts a worker and hears which version it speaks.
///
/// None of the student's code runs before it has said that. But what a submission declares may be what
/// keeps its program from starting, such as statics that are larger than its memory.
///
/// # Errors
///
/// Only when the grader's side is broken, whatever the program is.
pub(crate) fn start(
    sandbox: &Sandbox,
    program: &WorkerProgram,
    limits: &Limits,
) -> Result<Result<Process, Unstarted>, SessionError> {
    let WorkerProgram { file: program, entry } = program;
    let failed = |error: SandboxError| SessionError {
        message: format!("the worker {} cannot be run or ended", program.display()),
        source: Some(Box::new(error)),
    };
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
    let mut patience = Patience::new(limits.wall, Budget::unlimited());
    let hello = Request::Hello { version: PROTOCOL_VERSION };
    let said = exchange(&mut worker, &mut patience, &hello);
    let broken = match said {
        Ok(Reply::Hello { version: PROTOCOL_VERSION }) => return Ok(Ok(worker)),
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
            Ok(Err(Unstarted { finished: Some(finished), detail }))
        }
        // The kernel refused the program: there is no room for it within the limits, say.
        Err(SandboxError::Launch { reason, .. }) if is_refusal(program) => {
            Ok(Err(Unstarted { finished: None, detail: reason }))
        }
        Err(error) => Err(failed(error)),
    }
}

/// True if the file of a program that could not be started exists, so that the program itself was refused.
fn is_refusal(program: &Path) -> bool {
    program.is_file()
}
