//! Grading that is started from a page: `grade run` as a process of its own, which goes on where an earlier one was stopped.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use nix::sys::signal::Signal;
use softmark_sandbox::OwnProgram;
use softmark_untrusted::Untrusted;

use super::config::Config;
use super::problem::Problem;
use crate::clock;
use crate::course;
use crate::store::Input;

/// Most lines of output that are kept: what a person reads on one page. The grader's own summary is in the last of them.
const MOST_LINES: usize = 200;

/// Number of the signal that stops grading, as Ctrl-C does.
const INTERRUPT: i32 = Signal::SIGTERM as i32;

/// Submissions that are graded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GradingJob<'a> {
    /// The submissions at the paths of an earlier run.
    Run {
        /// Paths, which were given in one command.
        inputs: &'a [Input],
        /// True if no earlier result is used.
        is_fresh: bool,
    },
    /// All submissions whose results can have changed.
    Regrade,
}

/// State of grading.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// Number that changes with the state.
    pub(super) version: u64,
    /// Time of the start, in RFC 3339; empty if nothing was started.
    pub(super) started_at: String,
    /// Name of the user who started it.
    pub(super) by: String,
    /// Last lines of the output.
    pub(super) lines: VecDeque<Untrusted>,
    /// Sentence about the end of the program; `None` while it runs.
    pub(super) ended: Option<String>,
    /// Number of the last run before the start.
    pub(super) after_run: i64,
}

/// Grading that runs, or has run.
#[derive(Debug, Default)]
pub(super) struct Grading {
    progress: Arc<Mutex<Progress>>,
    program: Mutex<Option<OwnProgram>>,
}

impl Grading {
    fn program(&self) -> MutexGuard<'_, Option<OwnProgram>> {
        self.program.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts to grade.
    ///
    /// # Errors
    ///
    /// Fails if grading runs, or the program cannot be started.
    pub(super) fn start(
        &self,
        config: &Config,
        job: GradingJob<'_>,
        by: &str,
        after_run: i64,
    ) -> Result<(), Problem> {
        let mut program = self.program();
        if program.as_mut().is_some_and(|it| matches!(it.ended(), Ok(None))) {
            return Err(Problem::Conflict("grading is running already".to_owned()));
        }
        let mut env = config.env.clone();
        env.insert(course::HOME.into(), config.home.clone().into());
        let started = {
            let mut progress = locked(&self.progress);
            let version = progress.version + 1;
            *progress = Progress {
                version,
                started_at: clock::now(),
                by: by.to_owned(),
                after_run,
                ..Progress::default()
            };
            Arc::clone(&self.progress)
        };
        let on_line = move |line: String| add_line(&started, &line);
        let args = args(config, job);
        let new = OwnProgram::start(&config.program, &args, &env, &config.home, on_line);
        let new = new.map_err(|error| {
            let why = format!("grading cannot be started: {error}");
            locked(&self.progress).ended = Some(why.clone());
            Problem::Broken(why)
        })?;
        *program = Some(new);
        Ok(())
    }

    /// Stops grading, as Ctrl-C does. What is graded stays graded.
    ///
    /// # Errors
    ///
    /// Fails if nothing runs.
    pub(super) fn stop(&self) -> Result<(), Problem> {
        let mut program = self.program();
        let runs = program.as_mut().is_some_and(|it| matches!(it.ended(), Ok(None)));
        match program.as_mut().filter(|_| runs) {
            Some(program) => program.interrupt().map_err(|error| Problem::broken(&error)),
            None => Err(Problem::Conflict("nothing is being graded".to_owned())),
        }
    }

    /// Returns the state.
    pub(super) fn progress(&self) -> Progress {
        self.current().clone()
    }

    /// Returns the number of the state.
    pub(super) fn version(&self) -> u64 {
        self.current().version
    }

    /// Returns the state, in which the end is noted if there is one.
    fn current(&self) -> MutexGuard<'_, Progress> {
        let ended = self.program().as_mut().and_then(|program| program.ended().ok().flatten());
        let mut progress = locked(&self.progress);
        if let (Some(status), None) = (ended, &progress.ended) {
            progress.version += 1;
            progress.ended = Some(how_it_ended(status));
        }
        progress
    }
}

/// Returns how the program ended, for a person.
fn how_it_ended(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "every submission has a grade".to_owned(),
        (Some(2), _) => "some submission has no grade".to_owned(),
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, Some(INTERRUPT)) => "it was stopped".to_owned(),
        (None, Some(signal)) => {
            format!(
                "signal {signal} ended it before it was done: start it again, and it goes on where it was"
            )
        }
        (None, None) => "it ended before it was done".to_owned(),
    }
}

fn locked(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add_line(progress: &Mutex<Progress>, line: &str) {
    let mut progress = locked(progress);
    progress.version += 1;
    progress.lines.push_back(line.into());
    if progress.lines.len() > MOST_LINES {
        progress.lines.pop_front();
    }
}

/// Returns the arguments of the program.
fn args(config: &Config, job: GradingJob<'_>) -> Vec<OsString> {
    let mut args: Vec<OsString> = Vec::new();
    match job {
        GradingJob::Regrade => args.push("regrade".into()),
        GradingJob::Run { inputs, is_fresh } => {
            args.push("run".into());
            if let Some(first) = inputs.first() {
                for (option, value) in
                    [("--assignment", &first.assignment), ("--names", &first.names)]
                {
                    if let Some(value) = value {
                        args.extend([option.into(), value.into()]);
                    }
                }
            }
            args.extend(is_fresh.then(|| OsString::from("--fresh")));
        }
    }
    args.extend(["--out".into(), config.out.clone().into()]);
    if let GradingJob::Run { inputs, .. } = job {
        // Absolute paths, which are no options. What follows `--` would go to Slurm.
        args.extend(inputs.iter().map(|input| input.path.clone().into()));
    }
    args
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::config::AccessConfig;
    use crate::suite::Catalog;

    fn config() -> Config {
        let access =
            AccessConfig { token: None, owner: "okafor".to_owned(), users: None, proxy: None };
        Config {
            out: "/results".into(),
            home: "/".into(),
            catalog: Catalog::new(&[]),
            read_roster: |_| Ok(None),
            program: "/nonexistent/grade".into(),
            env: std::collections::BTreeMap::new(),
            secret: String::new(),
            listen: "127.0.0.1:0".parse().unwrap(),
            hosts: Vec::new(),
            access,
            is_anonymous: false,
            is_https: false,
        }
    }

    #[test]
    fn a_run_is_given_the_paths_and_options_of_the_earlier_one() {
        let input = |path: &str| Input {
            path: path.into(),
            assignment: Some("attention".to_owned()),
            names: Some("canvas".to_owned()),
        };
        let inputs = [input("/class"), input("/late class")];
        let args = args(&config(), GradingJob::Run { inputs: &inputs, is_fresh: true });
        let expected =
            "run,--assignment,attention,--names,canvas,--fresh,--out,/results,/class,/late class";
        assert_eq!(args, expected.split(',').collect::<Vec<_>>());
        assert_eq!(super::args(&config(), GradingJob::Regrade), ["regrade", "--out", "/results"]);
    }

    #[test]
    fn a_stop_is_told_apart_from_other_ends() {
        let told = |raw: i32| how_it_ended(ExitStatus::from_raw(raw));
        assert_eq!(told(Signal::SIGTERM as i32), "it was stopped");
        assert!(told(Signal::SIGKILL as i32).starts_with("signal 9 ended it before it was done"));
        assert_eq!(told(2 << 8), "some submission has no grade");
        assert_eq!(told(64 << 8), "it ended with exit code 64");
    }

    #[test]
    fn a_program_that_does_not_start_is_told_and_nothing_can_be_stopped() {
        let grading = Grading::default();
        assert!(matches!(grading.stop(), Err(Problem::Conflict(_))));
        assert!(matches!(
            grading.start(&config(), GradingJob::Regrade, "okafor", 0),
            Err(Problem::Broken(_))
        ));
        assert!(grading.progress().ended.unwrap().starts_with("grading cannot be started: "));
    }
}
