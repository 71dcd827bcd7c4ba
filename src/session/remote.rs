//! A session whose worker is replaced whenever it breaks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use softmark_wire::{
    Asked, Failure, Fault, PROTOCOL_VERSION, Reply, Request, Session, SessionError,
};

use crate::digest;
use crate::model::Usage;
use crate::sandbox::{Ending, Finished, Job, Limits, Process, Reach, Sandbox, SandboxError};
use crate::session::reply::Broken;
use crate::session::standing::Standing;
use crate::session::{ending, exchange, log, patience, place};

/// Longer than any grading: how long a worker is waited for is up to the session, which knows when
/// it waits, and not up to the guard.
const GUARD_WALL: Duration = Duration::from_hours(24);

/// How often a session starts again because its worker was ended from outside: a machine that is out
/// of memory for a moment costs no grade, and one that stays so does not keep the grader busy.
const MAX_STARTED_AGAIN: u32 = 2;

/// All that a worker is told by its environment: one thread, so that the order of sums does not
/// depend on the machine; and few arenas, each of which takes 64 MiB of address space, so that what
/// fits into the memory limit does not depend on how many threads happen to allocate at once.
const ENVIRONMENT: [(&str, &str); 2] = [("RAYON_NUM_THREADS", "1"), ("MALLOC_ARENA_MAX", "2")];

/// A session with a worker program, started when it is first asked.
#[derive(Debug)]
pub struct Remote {
    sandbox: Sandbox,
    program: PathBuf,
    /// The program's hash before any of the student's code ran; `None` where it cannot be read.
    seal: Option<String>,
    limits: Limits,
    worker: Option<Process>,
    /// The part that the worker is asked about; empty before the first one is made.
    part: String,
    standings: BTreeMap<String, Standing>,
    /// What the worker has made, trained and changed, to be made again.
    made: Vec<Request>,
    started_again: u32,
    usage: Usage,
    log: Vec<u8>,
}

impl Remote {
    /// A session with the worker at `program`.
    ///
    /// To be made before any of the submission's programs is run: from here on the program has to
    /// stay as it is.
    pub fn new(sandbox: Sandbox, program: PathBuf, limits: Limits) -> Self {
        Self {
            sandbox,
            seal: digest::of_file(&program).ok(),
            program,
            limits,
            worker: None,
            part: String::new(),
            standings: BTreeMap::new(),
            made: Vec::new(),
            started_again: 0,
            usage: Usage::default(),
            log: Vec::new(),
        }
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

    fn finish(&mut self, worker: Process) -> Result<Finished, SessionError> {
        let mut finished = worker.end().map_err(|error| self.sandbox_failed(error))?;
        self.usage.cpu += finished.usage.cpu;
        self.usage.wall += finished.usage.wall;
        self.usage.peak_bytes = self.usage.peak_bytes.max(finished.usage.peak_bytes);
        self.log.append(&mut finished.log);
        Ok(finished)
    }

    fn sandbox_failed(&self, error: SandboxError) -> SessionError {
        let message = format!("the worker {} cannot be run or ended", self.program.display());
        SessionError { message, source: Some(Box::new(error)) }
    }

    fn standing(&mut self) -> &mut Standing {
        let limits = &self.limits;
        self.standings.entry(self.part.clone()).or_insert_with(|| Standing::new(limits))
    }

    /// Starts a worker and hears which version it speaks.
    ///
    /// None of the student's code runs before it has said that: whatever goes wrong until then is
    /// the grader's fault.
    fn start(&mut self) -> Result<Process, SessionError> {
        let dir = self.program.parent().unwrap_or(&self.program).to_owned();
        let job = Job {
            program: self.program.clone(),
            args: Vec::new(),
            env: ENVIRONMENT.map(|(name, value)| (name.into(), value.into())).into(),
            dir,
            limits: Limits { wall: GUARD_WALL, ..self.limits.clone() },
            reach: Reach::Nothing,
        };
        let mut worker = self.sandbox.start(&job).map_err(|error| self.sandbox_failed(error))?;
        let mut patience = patience::Patience::new(&self.limits);
        let hello = Request::Hello { version: PROTOCOL_VERSION };
        let said = exchange::exchange(&mut worker, &mut patience, &hello);
        let program = self.program.display().to_string();
        match said {
            Ok(Reply::Hello { version: PROTOCOL_VERSION }) => Ok(worker),
            Ok(reply) => {
                let message = format!(
                    "the worker {program} says {reply:?}, this grader speaks version \
                     {PROTOCOL_VERSION}; make the pack again"
                );
                Err(SessionError { message, source: None })
            }
            Err(broken) => {
                let finished = self.finish(worker)?;
                let ending = finished.ending;
                if ending::is_from_outside(ending, self.sandbox.level()) {
                    self.start_again(ending)?;
                    return self.start();
                }
                let message = format!(
                    "the worker {program} never said hello ({broken:?}, {ending:?}); are its \
                     limits too tight?"
                );
                Err(SessionError { message, source: None })
            }
        }
    }

    /// The worker broke: what it was is the answer. There is none, and the question is worth another
    /// try, when it was ended from outside.
    fn lose(&mut self, worker: Process, broken: Broken) -> Result<Option<Fault>, SessionError> {
        let printed = self.log.len();
        let finished = self.finish(worker)?;
        if ending::is_from_outside(finished.ending, self.sandbox.level()) {
            // It is going to be printed again.
            self.log.truncate(printed);
            return self.start_again(finished.ending).map(|()| None);
        }
        let limits = self.limits.clone();
        let Some(fault) = ending::fault(&broken, finished.ending, &limits) else {
            let program = self.program.display();
            let ending = finished.ending;
            let message = format!("cannot talk to the worker {program}, which ended as {ending:?}");
            let source = if let Broken::Io(error) = broken { Some(error.into()) } else { None };
            return Err(SessionError { message, source });
        };
        self.standing().lost(&fault, &limits);
        Ok(Some(fault))
    }

    /// Counts that a worker was ended from outside; an error when that was once too often.
    fn start_again(&mut self, ending: Ending) -> Result<(), SessionError> {
        if self.started_again < MAX_STARTED_AGAIN {
            self.started_again += 1;
            return Ok(());
        }
        let message = format!(
            "the worker {} was ended from outside, and so were those after it ({ending:?}): by the \
             kernel for want of memory (`dmesg` tells), or by somebody; grade again with fewer \
             `--jobs`",
            self.program.display()
        );
        Err(SessionError { message, source: None })
    }

    /// Puts a question to the worker; `None` if it was ended from outside meanwhile.
    fn put(
        &mut self,
        mut worker: Process,
        request: &Request,
    ) -> Result<Option<Result<Reply, Fault>>, SessionError> {
        match exchange::exchange(&mut worker, &mut self.standing().patience, request) {
            Ok(reply) => {
                self.worker = Some(worker);
                Ok(Some(answer(reply)))
            }
            Err(broken) => Ok(self.lose(worker, broken)?.map(Err)),
        }
    }

    /// Makes what the worker had made that was ended from outside, and trains it as it was trained,
    /// so that a question about it can be asked once more.
    fn make_again(&mut self, request: &Request) -> Result<(), SessionError> {
        if matches!(request, Request::Construct { .. } | Request::Hello { .. }) {
            return Ok(());
        }
        let made = self.made.clone();
        let mut next = 0;
        while let Some(step) = made.get(next) {
            let worker = match self.worker.take() {
                Some(worker) => worker,
                // Without what came before it, a step makes no sense.
                None if next > 0 => {
                    next = 0;
                    continue;
                }
                None => {
                    self.standing().patience.new_process();
                    self.start()?
                }
            };
            match self.put(worker, step)? {
                Some(Ok(_)) => next += 1,
                // It was made before; if it is not made now, its absence is what is told.
                Some(Err(_)) => break,
                None => next = 0,
            }
        }
        Ok(())
    }

    /// Remembers what the worker has become by a question.
    fn keep(&mut self, request: &Request) {
        match request {
            Request::Construct { .. } => self.made = vec![request.clone()],
            Request::Train { .. } | Request::SetParameters { .. } => {
                self.made.push(request.clone());
            }
            Request::Hello { .. }
            | Request::Forward { .. }
            | Request::Gradients { .. }
            | Request::Parameters
            | Request::ReadParameters
            | Request::Detectors
            | Request::Detect { .. }
            | Request::Observed(_) => {}
        }
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
    fn ready(&mut self, request: &Request) -> Asked<Process> {
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
        if let Some(fault) = self.standing().given_up() {
            return Ok(Err(fault.clone()));
        }
        if let Some(worker) = self.worker.take() {
            return Ok(Ok(worker));
        }
        // A worker that is not isolated could put another program in its place: one that was compiled
        // without `-F unsafe_code`, say.
        if digest::of_file(&self.program).ok() != self.seal {
            let told = "the program that it runs in was changed while it ran".to_owned();
            return Ok(Err(Fault::Garbled(told)));
        }
        self.standing().patience.new_process();
        self.start().map(Ok)
    }
}

impl Session for Remote {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        loop {
            let worker = match self.ready(request)? {
                Ok(worker) => worker,
                Err(fault) => return Ok(Err(fault)),
            };
            if let Some(said) = self.put(worker, request)? {
                if said.is_ok() {
                    self.keep(request);
                }
                return Ok(said);
            }
            if matches!(request, Request::Observed(_)) {
                // A detector cannot go on in another process, and the session does not know what it
                // was told before.
                let message = format!(
                    "the worker {} was ended from outside while a detector was at work; grade again",
                    self.program.display()
                );
                return Err(SessionError { message, source: None });
            }
            self.make_again(request)?;
        }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        self.made.clear();
        self.stop()
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
