//! A session whose worker is replaced whenever it breaks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use softmark_sandbox::{
    CompletedProcess, ExitReason, Level, Limits, Process, Sandbox, SandboxError,
};
use softmark_wire::{Asked, Failure, Fault, Reply, Request, Session, SessionError};

use crate::digest;
use crate::model::Usage;
use crate::session::budget::{Budget, Spent};
use crate::session::made::{Made, Step};
use crate::session::reply::Broken;
use crate::session::standing::{AGAIN, Standing};
use crate::session::starting::{self, NeedsControl, WorkerProgram};
use crate::session::{ending, exchange, log, place};

/// Most tries of a question whose worker is ended by a signal that somebody sent: a machine that is out
/// of memory for a moment costs no grade.
const MOST_TRIES: u32 = 3;

/// Most such endings in a session before a control has to tell whose fault they are, so that code which
/// ends itself now and then does not keep the grader busy.
const MOST_ENDED: u32 = 6;

/// A session with a worker program, started when it is first asked.
#[derive(Debug)]
pub struct Remote {
    sandbox: Sandbox,
    program: WorkerProgram,
    /// SHA-256 of the program before any of the student's code ran; `None` if it cannot be read, or if workers are
    /// isolated and can write no file.
    seal: Option<String>,
    /// A worker program without any of the student's code.
    control: Option<WorkerProgram>,
    limits: Limits,
    budget: Budget,
    worker: Option<Worker>,
    /// The part that the worker is asked about; empty before the first one is made.
    part: String,
    standings: BTreeMap<String, Standing>,
    /// The requests that restore the worker's state.
    made: Made,
    /// The answer to everything, where the program does not start.
    unstarted: Option<Fault>,
    /// True if a worker that is started now gets higher limits.
    is_again: bool,
    /// Number of workers that were ended by a signal that somebody sent.
    ended: u32,
    usage: Usage,
    log: Vec<u8>,
}

/// A process, and the limits that it was started with.
#[derive(Debug)]
struct Worker {
    process: Process,
    limits: Limits,
}

/// Reason for a missing answer.
enum Lost {
    /// This broke the process, which is gone.
    Fault(Fault),
    /// The same, and there is nothing that another try could show.
    Final(Fault),
    /// A signal that somebody sent ended the process.
    Sent(ExitReason),
}

impl Remote {
    /// A session with the worker at `program`.
    ///
    /// To be made before any of the submission's programs is run: from here on the program has to
    /// stay as it is.
    pub fn new(sandbox: Sandbox, program: PathBuf, limits: Limits) -> Self {
        Self {
            seal: seal(&sandbox, &program),
            sandbox,
            program: WorkerProgram::new(program),
            control: None,
            limits,
            budget: Budget::unlimited(),
            worker: None,
            part: String::new(),
            standings: BTreeMap::new(),
            made: Made::default(),
            unstarted: None,
            is_again: false,
            ended: 0,
            usage: Usage::default(),
            log: Vec::new(),
        }
    }

    /// The same, with the program of the name `entry` in a file that holds several.
    #[must_use]
    pub fn entry(self, entry: String) -> Self {
        let program = WorkerProgram { entry: Some(entry), ..self.program };
        Self { program, ..self }
    }

    /// The same, at the cost of `budget`.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// The same, with a worker program without any of the student's code at `control`, where there is
    /// one. Where the worker does not start or is ended again and again, and that one is not, it is the
    /// submission's fault; without it, it is an error above [`NeedsControl`].
    #[must_use]
    pub fn with_control(self, control: Option<PathBuf>) -> Self {
        Self { control: control.map(WorkerProgram::new), ..self }
    }

    /// Ends the worker; tells what all of this session's workers used and printed.
    ///
    /// # Errors
    ///
    /// When the grader's side is broken.
    pub fn end(mut self) -> Result<(Usage, Vec<u8>), SessionError> {
        self.stop()?;
        Ok((self.usage, log::capped(self.log, self.limits.output_bytes)))
    }

    fn stop(&mut self) -> Result<(), SessionError> {
        if let Some(worker) = self.worker.take() {
            self.finish(worker)?;
        }
        Ok(())
    }

    fn finish(&mut self, worker: Worker) -> Result<CompletedProcess, SessionError> {
        let mut finished = worker.process.end().map_err(|error| self.sandbox_failed(error))?;
        self.standing().patience.ended(finished.usage.cpu);
        self.log.append(&mut finished.log);
        self.count(&finished);
        Ok(finished)
    }

    fn count(&mut self, finished: &CompletedProcess) {
        self.budget.computed(finished.usage.cpu);
        self.usage.cpu += finished.usage.cpu;
        self.usage.wall += finished.usage.wall;
        self.usage.peak_bytes = self.usage.peak_bytes.max(finished.usage.peak_bytes);
    }

    fn sandbox_failed(&self, error: SandboxError) -> SessionError {
        let message = format!("the worker {} cannot be run or ended", self.program.file.display());
        SessionError { message, source: Some(Box::new(error)) }
    }

    fn standing(&mut self) -> &mut Standing {
        let (limits, budget) = (&self.limits, &self.budget);
        self.standings.entry(self.part.clone()).or_insert_with(|| Standing::new(limits, budget))
    }

    /// The limits of what is started now.
    fn limits_now(&self) -> Limits {
        let cpu_seconds = self.limits.cpu_seconds;
        let more = cpu_seconds.saturating_mul(u64::from(AGAIN));
        let cpu_seconds = if self.is_again { more } else { cpu_seconds };
        Limits { cpu_seconds, ..self.limits.clone() }
    }

    /// Starts a worker.
    ///
    /// One that does not start is the submission's fault where the control starts, each time that
    /// both are tried; where the control does not start either, it is the machine's. One that a signal
    /// ended from outside is simply started again, before the control has to tell.
    fn start(&mut self) -> Asked<Worker> {
        let limits = self.limits_now();
        let mut sent = None;
        for _ in 0..MOST_TRIES {
            let unstarted = match starting::start(&self.sandbox, &self.program, &limits)? {
                Ok(process) => {
                    self.standing().patience.new_process();
                    return Ok(Ok(Worker { process, limits }));
                }
                Err(unstarted) => unstarted,
            };
            if let Some(finished) = &unstarted.finished {
                self.count(finished);
            }
            sent = unstarted.exit_reason().filter(|it| ending::is_sent(*it, self.sandbox.level()));
            if sent.is_some() {
                self.ended += 1;
            } else if !self.control_lives(&limits)? {
                return Err(unstarted.error(&self.program.file));
            }
        }
        if let Some(ending) = sent {
            self.blame(ending, &limits)?;
        }
        let fault = Fault::NotStarted { mebibytes: limits.memory_mebibytes };
        self.unstarted = Some(fault.clone());
        Ok(Err(fault))
    }

    /// Ensures that it is the submission's doing that its workers were ended by a signal again and
    /// again: the control is not, however often it is tried. Otherwise it is the machine's.
    fn blame(&self, ending: ExitReason, limits: &Limits) -> Result<(), SessionError> {
        if self.control.is_none() {
            return Err(self.sent_again(ending, Some(NeedsControl)));
        }
        for _ in 0..MOST_TRIES {
            if !self.control_lives(limits)? {
                return Err(self.sent_again(ending, None));
            }
        }
        Ok(())
    }

    /// True if the control starts under these limits, answers, and is not ended by anybody.
    fn control_lives(&self, limits: &Limits) -> Result<bool, SessionError> {
        let Some(control) = &self.control else { return Ok(false) };
        let Ok(process) = starting::start(&self.sandbox, control, limits)? else {
            return Ok(false);
        };
        let finished = process.end().map_err(|error| self.sandbox_failed(error))?;
        Ok(!ending::is_sent(finished.exit, self.sandbox.level()))
    }

    /// The worker broke: what it was is the answer.
    fn lose(&mut self, worker: Worker, broken: Broken) -> Result<Lost, SessionError> {
        let (printed, limits) = (self.log.len(), worker.limits.clone());
        let finished = self.finish(worker)?;
        if ending::is_sent(finished.exit, self.sandbox.level()) {
            // It is going to be printed again.
            self.log.truncate(printed);
            return Ok(Lost::Sent(finished.exit));
        }
        ending::fault(&broken, finished.exit, &limits).map(Lost::Fault).ok_or_else(|| {
            let program = self.program.file.display();
            let ending = finished.exit;
            let message = format!("cannot talk to the worker {program}, which ended as {ending:?}");
            let source = if let Broken::Io(error) = broken { Some(error.into()) } else { None };
            SessionError { message, source }
        })
    }

    /// Handles a worker that was ended by a signal that somebody sent, the `times`-th one at this question:
    /// returns `None` to try again, and a fault after too many endings if the control is never ended so.
    fn sent(&mut self, ending: ExitReason, times: u32) -> Result<Option<Fault>, SessionError> {
        self.ended += 1;
        if times < MOST_TRIES && self.ended < MOST_ENDED {
            return Ok(None);
        }
        let limits = self.limits_now();
        self.blame(ending, &limits)?;
        let ExitReason::Signaled(signal) = ending else {
            return Err(self.sent_again(ending, None));
        };
        let fault = Fault::Killed { signal };
        self.standing().condemn(&fault);
        Ok(Some(fault))
    }

    fn sent_again(&self, ending: ExitReason, needs: Option<NeedsControl>) -> SessionError {
        let message = format!(
            "the worker {} was ended from outside, and so were those after it ({ending:?}): by the \
             kernel for want of memory (`dmesg` tells), or by somebody; grade again with fewer \
             `--jobs`",
            self.program.file.display()
        );
        SessionError { message, source: needs.map(Into::into) }
    }

    /// Puts a question to the worker.
    fn put(
        &mut self,
        mut worker: Worker,
        request: &Request,
    ) -> Result<Result<Result<Reply, Fault>, Lost>, SessionError> {
        let patience = &mut self.standing().patience;
        match exchange::exchange(&mut worker.process, patience, request) {
            Ok(_) if worker.process.threads() > self.limits.threads => {
                self.finish(worker)?;
                let fault = Fault::Crowded { threads: self.limits.threads };
                Ok(Err(Lost::Final(fault)))
            }
            Ok(reply) => {
                self.worker = Some(worker);
                Ok(Ok(answer(reply)))
            }
            Err(broken) => self.lose(worker, broken).map(Err),
        }
    }

    /// Makes what a worker had made that is gone, in a fresh one, so that a question about it can be put
    /// once more: trains it as it was trained, and answers a detector as it was answered. The fault,
    /// where it does not get so far again; `lost` where it goes another way than before.
    fn make_again(&mut self, lost: &Fault) -> Result<Option<Fault>, SessionError> {
        let steps = self.made.steps().to_vec();
        let (mut next, mut times) = (0, 0);
        while let Some(step) = steps.get(next) {
            let worker = match self.worker.take() {
                Some(worker) => worker,
                // Without what came before it, a step makes no sense.
                None if next > 0 => {
                    next = 0;
                    continue;
                }
                None => match self.start()? {
                    Ok(worker) => worker,
                    Err(fault) => return Ok(Some(fault)),
                },
            };
            match self.put(worker, &step.request)? {
                Ok(Ok(reply)) if step.fits(&reply) => next += 1,
                Ok(Ok(_)) => {
                    self.stop()?;
                    return Ok(Some(lost.clone()));
                }
                Ok(Err(fault)) | Err(Lost::Fault(fault) | Lost::Final(fault)) => {
                    return Ok(Some(fault));
                }
                Err(Lost::Sent(ending)) => {
                    times += 1;
                    if let Some(fault) = self.sent(ending, times)? {
                        return Ok(Some(fault));
                    }
                    next = 0;
                }
            }
        }
        Ok(None)
    }

    /// Gets ready for a part: another one than before gets a worker of its own.
    fn turn_to(&mut self, part: &str) -> Result<(), SessionError> {
        if self.part != part {
            self.stop()?;
            part.clone_into(&mut self.part);
        }
        Ok(())
    }

    /// The worker to ask, or the answer where there is none.
    fn ready(&mut self, request: &Request) -> Asked<Worker> {
        match request {
            Request::Construct { part, .. } => self.turn_to(part)?,
            Request::Hello { .. } => {}
            Request::Forward { .. }
            | Request::Gradients { .. }
            | Request::Parameters
            | Request::ReadParameters
            | Request::SetParameters { .. }
            | Request::Train { .. }
            | Request::Detectors
            | Request::Detect { .. }
            | Request::Observed(_) => {
                // What was made is gone with the process that it was made in.
                if self.worker.is_none() {
                    let never = || Fault::Garbled("nothing has been made yet".to_owned());
                    return Ok(Err(self.standing().last().cloned().unwrap_or_else(never)));
                }
            }
        }
        if let Some(spent) = self.budget.spent() {
            self.stop()?;
            return Ok(Err(out_of_time(spent)));
        }
        if let Some(fault) = &self.unstarted {
            return Ok(Err(fault.clone()));
        }
        if let Some(fault) = self.standing().given_up() {
            return Ok(Err(fault.clone()));
        }
        if let Some(worker) = self.worker.take() {
            return Ok(Ok(worker));
        }
        if seal(&self.sandbox, &self.program.file) != self.seal {
            let told = "the program that it runs in was changed while it ran".to_owned();
            return Ok(Err(Fault::Garbled(told)));
        }
        self.start()
    }
}

/// SHA-256 of a program that a worker could replace with another one: only one that is not isolated can.
fn seal(sandbox: &Sandbox, program: &Path) -> Option<String> {
    match sandbox.level() {
        Level::None => digest::of_file(program).ok(),
        Level::Strict | Level::Landlock | Level::Bwrap | Level::Full => None,
    }
}

impl Session for Remote {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let mut times = 0;
        self.is_again = false;
        loop {
            let worker = match self.ready(request)? {
                Ok(worker) => worker,
                Err(fault) => return Ok(Err(fault)),
            };
            let lost = match self.put(worker, request)? {
                Ok(said) => {
                    self.made.note(request, said.as_ref().ok());
                    return Ok(said);
                }
                Err(lost) => lost,
            };
            let fault = match lost {
                Lost::Sent(ending) => {
                    times += 1;
                    if let Some(fault) = self.sent(ending, times)? {
                        return Ok(Err(fault));
                    }
                    let ExitReason::Signaled(signal) = ending else { continue };
                    Fault::Killed { signal }
                }
                Lost::Fault(fault) => {
                    let limits = self.limits.clone();
                    let again = !self.is_again && self.budget.spent().is_none();
                    if !again || !self.standing().deserves_another_try(&fault, &limits) {
                        self.standing().lost(&fault, &limits);
                        return Ok(Err(fault));
                    }
                    self.is_again = true;
                    fault
                }
                Lost::Final(fault) => {
                    let limits = self.limits.clone();
                    self.standing().lost(&fault, &limits);
                    return Ok(Err(fault));
                }
            };
            if Step::is_alone(request) {
                continue;
            }
            if let Some(fault) = self.make_again(&fault)? {
                let limits = self.limits.clone();
                self.standing().lost(&fault, &limits);
                return Ok(Err(fault));
            }
        }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.made = Made::default();
        self.stop()
    }
}

fn out_of_time(spent: Spent) -> Fault {
    match spent {
        Spent::Computing { seconds } => Fault::CpuTime { seconds },
        Spent::Waiting { seconds } => Fault::WallTime { seconds },
    }
}

/// A failure is a fault, not a reply.
fn answer(reply: Reply) -> Result<Reply, Fault> {
    if let Reply::Failed(failure) = reply {
        let place = place::tidy(&failure.place);
        Err(Fault::Code(Failure { place, ..failure }))
    } else {
        Ok(reply)
    }
}
