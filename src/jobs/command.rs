//! Engine that runs a command for each chunk, or one for all: any other engine, such as GNU parallel or Kubernetes.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use softmark_sandbox::{Access, ExitReason, Job, Limits, Sandbox};

use crate::jobs::engine::{Engine, JobState, Request};
use crate::jobs::error::EngineError;
use crate::pipeline::quote;

/// Place in a command of the path of a chunk's file.
pub const PLAN: &str = "{plan}";

/// Place in a command of the paths of the files of all chunks.
pub const PLANS: &str = "{plans}";

/// Shell that runs the command.
const SHELL: &str = "/bin/sh";

/// Longest time of a command: that of the longest queue that somebody waits for.
const LONGEST: Duration = Duration::from_hours(24 * 14);

/// Number of bytes of a command's output that are shown.
const SHOWN: usize = 400;

/// Engine that runs a command for each chunk.
#[derive(Debug)]
pub struct CommandEngine {
    shared: Arc<Shared>,
    jobs: NonZeroUsize,
    threads: usize,
}

/// State that the threads share.
#[derive(Debug)]
struct Shared {
    command: String,
    sandbox: Sandbox,
    env: BTreeMap<OsString, OsString>,
    folder: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    queue: VecDeque<Work>,
    states: BTreeMap<u32, JobState>,
    working: usize,
}

/// Command to run, and the chunks that it grades.
#[derive(Debug, Clone)]
struct Work {
    chunks: Vec<u32>,
    command: String,
}

impl CommandEngine {
    /// Returns the engine that runs `command` in `folder` with the environment `env`, at most `jobs` at the same time.
    pub fn new(
        command: &str,
        jobs: NonZeroUsize,
        (sandbox, env): (Sandbox, BTreeMap<OsString, OsString>),
        folder: &Path,
    ) -> Self {
        let (command, folder) = (command.to_owned(), folder.to_owned());
        let state = Mutex::new(State::default());
        let shared = Arc::new(Shared { command, sandbox, env, folder, state });
        Self { shared, jobs, threads: 0 }
    }

    /// True if a command names the file of the chunk, or those of all chunks.
    pub fn is_command(command: &str) -> bool {
        command.contains(PLAN) || command.contains(PLANS)
    }
}

impl Engine for CommandEngine {
    fn submit(&mut self, request: &Request<'_>) -> Result<(), EngineError> {
        let path = |number: &u32| quote(&request.folder.chunk(*number).display().to_string());
        let command = &self.shared.command;
        let works: Vec<Work> = if command.contains(PLANS) {
            let paths: Vec<String> = request.chunks.iter().map(path).collect();
            let command = command.replace(PLANS, &paths.join(" "));
            vec![Work { chunks: request.chunks.to_vec(), command }]
        } else {
            let work = |number: &u32| Work {
                chunks: vec![*number],
                command: command.replace(PLAN, &path(number)),
            };
            request.chunks.iter().map(work).collect()
        };
        let mut state = self.shared.state();
        for number in request.chunks {
            state.states.insert(*number, JobState::Waiting);
        }
        state.queue.extend(works);
        let wanted = self.jobs.get().min(state.working + state.queue.len());
        for _ in state.working..wanted {
            self.threads += 1;
            state.working += 1;
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name(format!("job {}", self.threads));
            thread.spawn(move || shared.serve()).map_err(|error| not_started(&error))?;
        }
        Ok(())
    }

    fn states(&mut self, chunks: &[u32]) -> Result<BTreeMap<u32, JobState>, EngineError> {
        let state = self.shared.state();
        // A chunk of an earlier process, whose commands ended with it.
        let gone = || JobState::Ended("the process that started it is gone".to_owned());
        let of = |number: &u32| state.states.get(number).cloned().unwrap_or_else(gone);
        Ok(chunks.iter().map(|number| (*number, of(number))).collect())
    }

    /// A command that has ended leaves nothing.
    fn abandon(&mut self, _: &[u32]) {}

    fn pause(&self) -> Duration {
        Duration::from_millis(100)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs commands until there are none left.
    fn serve(&self) {
        loop {
            let work = {
                let mut state = self.state();
                let Some(work) = state.queue.pop_front() else {
                    state.working -= 1;
                    return;
                };
                for chunk in &work.chunks {
                    state.states.insert(*chunk, JobState::Running);
                }
                work
            };
            let ended = self.run(&work.command);
            let mut state = self.state();
            for chunk in &work.chunks {
                state.states.insert(*chunk, JobState::Ended(ended.clone()));
            }
        }
    }

    /// Runs a command, and returns how it ended.
    fn run(&self, command: &str) -> String {
        let limits = Limits { wall: LONGEST, ..Limits::generous() };
        let job = Job {
            program: SHELL.into(),
            args: vec!["-c".into(), command.into()],
            env: self.env.clone(),
            dir: self.folder.clone(),
            limits,
            access: Access::Unrestricted,
        };
        match self.sandbox.run(&job) {
            Ok(finished) => {
                let output = String::from_utf8_lossy(&finished.log).into_owned();
                let output = last(output.trim_end());
                match finished.exit {
                    ExitReason::Exited(code) => format!("the command ended with {code}{output}"),
                    ExitReason::Signaled(signal) => {
                        format!("the command was ended by signal {signal}{output}")
                    }
                    ExitReason::Stopped
                    | ExitReason::CpuLimit
                    | ExitReason::WallLimit
                    | ExitReason::OutOfMemory
                    | ExitReason::OutputLimit
                    | ExitReason::ThreadLimit => format!("the command was ended{output}"),
                }
            }
            Err(error) => error.to_string(),
        }
    }
}

/// Returns the end of an output, behind a colon.
fn last(output: &str) -> String {
    let from = output.char_indices().rev().take(SHOWN).last().map_or(0, |(at, _)| at);
    let end = output.get(from..).unwrap_or_default();
    if end.is_empty() { String::new() } else { format!(": {end}") }
}

fn not_started(error: &io::Error) -> EngineError {
    EngineError::Refused { engine: "this machine", reason: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_an_output_is_shown() {
        assert_eq!(last(""), "");
        let long = format!("{}é", "x".repeat(SHOWN));
        assert_eq!(last(&long), format!(": {}é", "x".repeat(SHOWN - 1)));
    }
}
