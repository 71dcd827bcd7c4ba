//! Session whose worker is replaced whenever it breaks.

mod recovery;

use std::collections::BTreeMap;
use std::path::PathBuf;

use softmark_sandbox::{CompletedProcess, ExitReason, Limits, Sandbox};
use softmark_wire::{
    Asked, Attempt, Construction, Failure, Fault, Reply, Request, Session, SessionError,
};

use crate::clock::Clock;
use crate::model::Usage;
use crate::session::budget::Budget;
use crate::session::history::{AGAIN, History};
use crate::session::launcher::{Launcher, MOST_TRIES};
use crate::session::made::{Made, Step};
use crate::session::starting::{Started, WorkerProgram};
use crate::session::worker::{Exchanged, Lost, Worker};
use crate::session::{exchange, log};

/// Session with a worker program, which is started at the first question.
#[derive(Debug)]
pub struct Remote {
    launcher: Launcher,
    limits: Limits,
    budget: Budget,
    /// Worker of the component `part`.
    worker: Option<Worker>,
    /// Workers of other components, by their names.
    kept: BTreeMap<String, Worker>,
    /// Name of the component that is asked; empty before the first one is constructed.
    part: String,
    /// Number of the detector of that component that is asked; `None` for its other questions.
    detector: Option<u32>,
    histories: BTreeMap<String, History>,
    /// Requests that restore the worker's state.
    made: Made,
    /// Fault that answers every question if the program does not start.
    unstarted: Option<Fault>,
    /// True if a worker that is started now gets higher limits.
    is_again: bool,
    usage: Usage,
    log: Vec<u8>,
}

impl Remote {
    /// Creates a session with the worker at `program`.
    ///
    /// It must be created before any of the submission's programs runs: from then on the file of
    /// the program must not change.
    pub fn new(sandbox: Sandbox, program: PathBuf, limits: Limits) -> Self {
        Self::of(sandbox, WorkerProgram::new(program), limits)
    }

    /// Creates a session with a worker, whose file may hold other programs as well.
    pub(crate) fn of(sandbox: Sandbox, program: WorkerProgram, limits: Limits) -> Self {
        Self {
            launcher: Launcher::new(sandbox, program),
            limits,
            budget: Budget::unlimited(),
            worker: None,
            kept: BTreeMap::new(),
            part: String::new(),
            detector: None,
            histories: BTreeMap::new(),
            made: Made::default(),
            unstarted: None,
            is_again: false,
            usage: Usage::default(),
            log: Vec::new(),
        }
    }

    /// Charges the session to `budget`.
    #[must_use]
    pub fn within(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Sets the worker program without any of the student's code, if there is one. If the worker
    /// does not start, or is ended again and again, and the control is not, the submission is at
    /// fault. Without a control, that is an error with the source [`NeedsControl`](crate::session::NeedsControl).
    #[must_use]
    pub fn with_control(self, control: Option<PathBuf>) -> Self {
        Self { launcher: self.launcher.with_control(control), ..self }
    }

    /// Ends all workers; returns the resource usage and the output of all workers of this session.
    ///
    /// # Errors
    ///
    /// Fails if the grader's side is broken.
    pub fn end(mut self) -> Result<(Usage, Vec<u8>), SessionError> {
        self.stop_all()?;
        Ok((self.usage, log::capped(self.log, self.limits.output_bytes)))
    }

    fn stop(&mut self) -> Result<(), SessionError> {
        if let Some(worker) = self.worker.take() {
            self.finish(worker)?;
        }
        Ok(())
    }

    /// Ends the worker of the current component, and those of the others.
    fn stop_all(&mut self) -> Result<(), SessionError> {
        self.stop()?;
        let current = self.part.clone();
        while let Some((part, worker)) = self.kept.pop_first() {
            self.part = part;
            self.finish(worker)?;
        }
        self.part = current;
        Ok(())
    }

    /// Ends the worker of the current component.
    fn finish(&mut self, worker: Worker) -> Result<CompletedProcess, SessionError> {
        let ended = worker.process.end();
        let mut finished = ended.map_err(|error| self.launcher.sandbox_failed(error))?;
        self.history().waiting.ended(finished.usage.cpu);
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

    fn history(&mut self) -> &mut History {
        let (limits, budget) = (&self.limits, &self.budget);
        self.histories.entry(self.part.clone()).or_insert_with(|| History::new(limits, budget))
    }

    /// Records a fault that cost the process of what is asked, and is not tried again.
    fn lost(&mut self, fault: &Fault) {
        let (limits, detector) = (self.limits.clone(), self.detector);
        self.history().lost(fault, &limits, detector);
    }

    /// Returns the limits for a worker that is started now.
    fn limits_now(&self) -> Limits {
        let cpu_seconds = self.limits.cpu_seconds;
        let more = cpu_seconds.saturating_mul(u64::from(AGAIN));
        let cpu_seconds = if self.is_again { more } else { cpu_seconds };
        Limits { cpu_seconds, ..self.limits.clone() }
    }

    /// Starts a worker.
    ///
    /// A worker that does not start is the submission's fault if the control starts, each time that
    /// both are tried; if the control does not start either, it is the machine's. A worker that was
    /// ended by a signal from outside is simply started again before the control is tried.
    fn start(&mut self) -> Asked<Worker> {
        let limits = self.limits_now();
        let mut sent = None;
        for _ in 0..MOST_TRIES {
            let clock = Clock::start();
            let started = self.launcher.start(&limits)?;
            self.budget.started(clock.elapsed());
            let unstarted = match started {
                Started::Running(process) => {
                    self.history().waiting.new_process();
                    return Ok(Attempt::Success(Worker::new(process, limits)));
                }
                Started::Ended(unstarted) => unstarted,
            };
            if let Some(finished) = &unstarted.finished {
                self.count(finished);
            }
            sent = unstarted.exit_reason().filter(|exit| self.launcher.is_external(*exit));
            if sent.is_some() {
                self.launcher.count_external();
            } else if !self.launcher.control_lives(&limits)? {
                return Err(self.launcher.not_started(&unstarted));
            }
        }
        if let Some(ending) = sent {
            self.launcher.require_living_control(ending, &limits)?;
        }
        let fault = Fault::NotStarted { mebibytes: limits.memory_mebibytes };
        self.unstarted = Some(fault.clone());
        Ok(Attempt::Fault(fault))
    }

    /// Sends a request to the worker.
    fn put(&mut self, mut worker: Worker, request: &Request) -> Result<Exchanged, SessionError> {
        let waiting = &mut self.history().waiting;
        match exchange::exchange(&mut worker.process, waiting, request) {
            Ok(_) if worker.process.threads() > self.limits.threads => {
                self.finish(worker)?;
                let fault = Fault::Crowded { threads: self.limits.threads };
                Ok(Exchanged::Lost(Lost::Final(fault)))
            }
            Ok(reply) => {
                self.worker = Some(worker);
                Ok(Exchanged::Answer(self.answer(reply)))
            }
            Err(broken) => self.lose(worker, broken).map(Exchanged::Lost),
        }
    }

    /// Turns a reported failure into a fault.
    fn answer(&self, reply: Reply) -> Result<Reply, Fault> {
        let Reply::Failed(failure) = reply else { return Ok(reply) };
        Err(Fault::Code(Failure { place: self.launcher.portable_place(&failure.place), ..failure }))
    }

    /// Prepares for questions about `part`: keeps the worker of the current component if it is at rest,
    /// and returns to the worker of `part` that was kept, if there is one.
    fn turn_to(&mut self, part: &str) -> Result<(), SessionError> {
        if self.part == part {
            return Ok(());
        }
        if let Some(mut worker) = self.worker.take() {
            if worker.is_at_rest(self.launcher.level()) {
                self.history().waiting.read(worker.process.progress());
                self.kept.insert(self.part.clone(), worker);
            } else {
                self.finish(worker)?;
            }
        }
        part.clone_into(&mut self.part);
        self.detector = None;
        self.worker = self.kept.remove(part);
        self.history().waiting.resume();
        Ok(())
    }

    /// Returns the worker to ask, or the fault that answers the request if there is none.
    fn ready(&mut self, request: &Request) -> Asked<Worker> {
        match request {
            Request::Construct(component) => self.turn_to(&component.part)?,
            Request::ConstructAndAsk { component, request } => {
                self.turn_to(&component.part)?;
                self.detector = detector_of(request);
            }
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
                // The state of the component was lost with its process.
                if self.worker.is_none() {
                    let never = || Fault::Garbled("nothing has been made yet".to_owned());
                    let last = self.history().last().cloned();
                    return Ok(Attempt::Fault(last.unwrap_or_else(never)));
                }
            }
        }
        if let Some(spent) = self.budget.spent() {
            self.stop_all()?;
            return Ok(Attempt::Fault(spent.fault()));
        }
        if let Some(fault) = &self.unstarted {
            return Ok(Attempt::Fault(fault.clone()));
        }
        let detector = self.detector;
        if let Some(fault) = self.history().given_up(detector) {
            return Ok(Attempt::Fault(fault));
        }
        if let Some(worker) = self.worker.take() {
            return Ok(Attempt::Success(worker));
        }
        if self.launcher.is_program_changed() {
            let told = "the program that it runs in was changed while it ran".to_owned();
            return Ok(Attempt::Fault(Fault::Garbled(told)));
        }
        self.start()
    }
}

/// Returns the number of the detector that a request starts.
fn detector_of(request: &Request) -> Option<u32> {
    if let Request::Detect { detector, .. } = request { Some(*detector) } else { None }
}

impl Session for Remote {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        let mut times = 0;
        self.is_again = false;
        loop {
            let worker = match self.ready(request)? {
                Attempt::Success(worker) => worker,
                Attempt::Fault(fault) => return Ok(Attempt::Fault(fault)),
            };
            let lost = match self.put(worker, request)? {
                Exchanged::Answer(answer) => {
                    self.made.note(request, answer.as_ref().ok());
                    return Ok(answer.into());
                }
                Exchanged::Lost(lost) => lost,
            };
            let fault = match lost {
                Lost::External(ending) => {
                    times += 1;
                    if let Some(fault) = self.ended_externally(ending, times)? {
                        return Ok(Attempt::Fault(fault));
                    }
                    let ExitReason::Signaled(signal) = ending else { continue };
                    Fault::Killed { signal }
                }
                Lost::Fault(fault) => {
                    let limits = self.limits.clone();
                    let again = !self.is_again && self.budget.spent().is_none();
                    if !again || !self.history().deserves_another_try(&fault, &limits) {
                        self.lost(&fault);
                        return Ok(Attempt::Fault(fault));
                    }
                    self.is_again = true;
                    fault
                }
                Lost::Final(fault) => {
                    self.lost(&fault);
                    return Ok(Attempt::Fault(fault));
                }
            };
            if Step::is_alone(request) {
                continue;
            }
            if let Some(fault) = self.make_again(&fault)? {
                self.lost(&fault);
                return Ok(Attempt::Fault(fault));
            }
        }
    }

    fn construct_and_ask(&mut self, component: Construction, request: Request) -> Asked<Reply> {
        self.ask(&Request::ConstructAndAsk { component, request: Box::new(request) })
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.made = Made::default();
        self.stop_all()
    }
}
