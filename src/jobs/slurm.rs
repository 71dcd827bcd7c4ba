//! Slurm: one job array for each batch of chunks.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use softmark_sandbox::ExitReason;

use crate::build::Tools;
use crate::course::SlurmSettings;
use crate::jobs::batch::Batch;
use crate::jobs::engine::{Engine, JobState, Request};
use crate::jobs::error::{EngineError, JobsError};
use crate::jobs::folder::{RunFolder, write_script};
use crate::pipeline::quote;

/// Name of the engine in messages.
const NAME: &str = "Slurm";

/// Engine that submits job arrays to Slurm.
#[derive(Debug)]
pub struct SlurmEngine {
    tools: Tools,
    settings: SlurmSettings,
    /// Arguments of `sbatch` after those of the settings.
    arguments: Vec<String>,
    /// Program that grades chunks.
    program: PathBuf,
    /// Folder of the run.
    folder: RunFolder,
    batches: Vec<Batch>,
    /// Number of questions to which nothing had changed.
    quiet: u32,
    last: BTreeMap<u32, JobState>,
}

/// Task of an array.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    job: String,
    /// Index in the array, from 1 on.
    index: usize,
}

impl SlurmEngine {
    /// Returns the engine for a run in `folder`, with the jobs that an earlier process has submitted for it. `program` grades
    /// chunks; `arguments` are added to those of `sbatch`.
    ///
    /// # Errors
    ///
    /// Fails if a file of the run cannot be read.
    pub fn new(
        (tools, program): (&Tools, &Path),
        settings: &SlurmSettings,
        arguments: &[String],
        folder: &RunFolder,
    ) -> Result<Self, JobsError> {
        Ok(Self {
            tools: tools.clone(),
            settings: settings.clone(),
            arguments: arguments.to_vec(),
            program: program.to_owned(),
            folder: folder.clone(),
            batches: Batch::read_all(folder)?,
            quiet: 0,
            last: BTreeMap::new(),
        })
    }

    /// Returns the ids of the jobs.
    pub fn jobs(&self) -> Vec<String> {
        self.batches.iter().map(|batch| batch.job.clone()).collect()
    }

    /// Runs one of Slurm's programs, and returns its output.
    fn run(&self, program: &'static str, args: Vec<OsString>) -> Result<String, EngineError> {
        run(&self.tools, program, args, self.folder.path())
    }

    /// Writes the script of a batch.
    fn script(&self, number: u32, chunks: &[u32]) -> Result<PathBuf, JobsError> {
        let path = self.folder.of_batch(number, "sh");
        let chunks: Vec<String> = chunks.iter().map(u32::to_string).collect();
        let text = format!(
            "#!/bin/sh\n# Grades one chunk of a run of `grade`; the index of the task says which.\nset -- {}\n\
             shift $((SLURM_ARRAY_TASK_ID - 1))\nexec {} chunk {}/\"$1.json\"\n",
            chunks.join(" "),
            quote(&self.program.display().to_string()),
            quote(&self.folder.path().join("chunks").display().to_string()),
        );
        write_script(&path, &text)?;
        Ok(path)
    }

    fn arguments(&self, request: &Request<'_>, script: &Path) -> Vec<OsString> {
        let count = request.chunks.len();
        let limit = self.settings.array_limit.map(|most| format!("%{most}")).unwrap_or_default();
        let resources = request.resources;
        let mut all = vec![
            "--parsable".to_owned(),
            format!("--array=1-{count}{limit}"),
            "--job-name=softmark".to_owned(),
            "--requeue".to_owned(),
            "--nodes=1".to_owned(),
            "--ntasks=1".to_owned(),
            format!("--cpus-per-task={}", resources.cpus),
            format!("--mem={}M", resources.memory_mebibytes),
            format!("--time={}", resources.minutes),
            format!("--chdir={}", self.folder.path().display()),
            format!("--output={}/%A-%a.txt", self.folder.logs().display()),
        ];
        all.extend(self.settings.arguments());
        // What a person says comes last, and wins.
        all.extend(self.arguments.iter().cloned());
        all.push(script.display().to_string());
        all.into_iter().map(OsString::from).collect()
    }

    /// Returns the task of a chunk: that of the last batch that has it.
    fn task(&self, chunk: u32) -> Option<Task> {
        self.batches.iter().rev().find_map(|Batch { job, chunks }| {
            let at = chunks.iter().position(|it| *it == chunk)?;
            Some(Task { job: job.clone(), index: at + 1 })
        })
    }

    /// Returns the states of all tasks that Slurm has in its queue.
    fn queued(&self) -> Result<BTreeMap<Task, JobState>, EngineError> {
        let args = ["--me", "--noheader", "--array", "--format=%F|%K|%T|%r"];
        let text = self.run("squeue", args.iter().map(OsString::from).collect())?;
        Ok(text.lines().filter_map(queued).collect())
    }

    /// Returns how a task ended that is not in the queue any more.
    fn ended(&self, task: &Task) -> JobState {
        let unknown = || JobState::Ended("Slurm does not know its job any more".to_owned());
        let args = ["--oneliner".to_owned(), "show".into(), "job".into(), task.job.clone()];
        let text = self.run("scontrol", args.into_iter().map(OsString::from).collect());
        let text = text.unwrap_or_default();
        let found = text.lines().find_map(|line| described(line, task));
        let of_array = || text.lines().find_map(|line| of_whole_array(line, task));
        found.or_else(of_array).unwrap_or_else(unknown)
    }
}

impl Engine for SlurmEngine {
    fn submit(&mut self, request: &Request<'_>) -> Result<(), EngineError> {
        let refused = |reason: String| EngineError::Refused { engine: NAME, reason };
        let number = u32::try_from(self.batches.len()).unwrap_or(u32::MAX).saturating_add(1);
        let script = self.script(number, request.chunks);
        let script = script.map_err(|error| refused(error.to_string()))?;
        let output = self.run("sbatch", self.arguments(request, &script));
        let output = output.map_err(|error| match error {
            EngineError::Unreachable { reason, .. } => refused(reason),
            other @ EngineError::Refused { .. } => other,
        })?;
        // With several clusters, the name of the cluster follows.
        let job = output.lines().last().and_then(|line| line.split(';').next());
        let job = job.filter(|job| !job.is_empty() && job.chars().all(|c| c.is_ascii_digit()));
        let job = job.ok_or_else(|| refused(format!("sbatch printed no id: {output}")))?;
        let batch = Batch { job: job.to_owned(), chunks: request.chunks.to_vec() };
        batch.write(&self.folder, number).map_err(|error| refused(error.to_string()))?;
        self.batches.push(batch);
        self.quiet = 0;
        Ok(())
    }

    fn states(&mut self, chunks: &[u32]) -> Result<BTreeMap<u32, JobState>, EngineError> {
        let queued = self.queued()?;
        let mut states = BTreeMap::new();
        for chunk in chunks {
            let never = || JobState::Ended("it was never submitted".to_owned());
            let state = match self.task(*chunk) {
                Some(task) => queued.get(&task).cloned().unwrap_or_else(|| self.ended(&task)),
                None => never(),
            };
            states.insert(*chunk, state);
        }
        self.quiet = if states == self.last { self.quiet.saturating_add(1) } else { 0 };
        self.last.clone_from(&states);
        Ok(states)
    }

    /// Jobs that are held because a controller or a node was lost would stay in the queue for ever.
    fn abandon(&mut self, chunks: &[u32]) {
        let tasks = chunks.iter().filter_map(|chunk| self.task(*chunk));
        let mut args = vec![OsString::from("--quiet")];
        args.extend(tasks.map(|Task { job, index }| format!("{job}_{index}").into()));
        if args.len() > 1 {
            drop(self.run("scancel", args));
        }
    }

    /// The controller serves all users, so it is asked less often while nothing changes.
    fn pause(&self) -> Duration {
        match self.quiet {
            0..10 => Duration::from_millis(500),
            10..60 => Duration::from_secs(2),
            _ => Duration::from_secs(10),
        }
    }
}

/// Returns the number of jobs of all users that wait in the queue of the settings' partition.
///
/// # Errors
///
/// Fails if Slurm cannot be asked.
pub fn waiting_jobs(
    tools: &Tools,
    settings: &SlurmSettings,
    folder: &Path,
) -> Result<usize, EngineError> {
    let partition = settings.partition.as_ref().map(|name| format!("--partition={name}"));
    let fixed = ["--noheader", "--array", "--states=PENDING", "--format=%i"].map(str::to_owned);
    let args = fixed.into_iter().chain(partition).map(OsString::from).collect();
    Ok(run(tools, "squeue", args, folder)?.lines().count())
}

/// Runs one of Slurm's programs in a folder, and returns its output.
fn run(
    tools: &Tools,
    program: &'static str,
    args: Vec<OsString>,
    folder: &Path,
) -> Result<String, EngineError> {
    let unreachable = |reason: String| EngineError::Unreachable { engine: NAME, reason };
    let path = tools.find(program).map_err(|_| EngineError::Refused {
        engine: NAME,
        reason: format!("there is no `{program}` on the PATH"),
    })?;
    let finished =
        tools.start(&path, args, folder, &[]).map_err(|error| unreachable(error.to_string()))?;
    let output = String::from_utf8_lossy(&finished.log).trim().to_owned();
    if finished.exit == ExitReason::Exited(0) {
        Ok(output)
    } else {
        // The program's messages begin with its name.
        Err(unreachable(if output.is_empty() { format!("{program} failed") } else { output }))
    }
}

/// Reads a line of `squeue`: job, index, state, reason.
fn queued(line: &str) -> Option<(Task, JobState)> {
    let mut fields = line.splitn(4, '|');
    let (job, index) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
    let (state, reason) = (fields.next()?, fields.next()?);
    // Held by Slurm itself after a controller or a node was lost; what a person holds is waited for.
    let is_held = reason.contains("requeued held");
    let state = match state {
        "RUNNING" | "COMPLETING" | "SUSPENDED" | "STOPPED" | "SIGNALING" | "STAGE_OUT" => {
            JobState::Running
        }
        "PENDING" | "CONFIGURING" | "REQUEUED" | "RESV_DEL_HOLD" | "RESIZING" if !is_held => {
            JobState::Waiting
        }
        "PENDING" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" => {
            JobState::Ended(format!("its job is held: {reason}"))
        }
        "CANCELLED" => JobState::Cancelled,
        other => JobState::Ended(format!("Slurm calls its job {other}")),
    };
    Some((Task { job, index }, state))
}

/// Returns the value of a field of a line of `scontrol show job`.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let words = line.split_whitespace();
    let mut values = words.filter_map(|word| word.strip_prefix(name)?.strip_prefix('='));
    values.next()
}

/// True if a line of `scontrol show job` is about the job of a task.
fn is_of_job(line: &str, task: &Task) -> bool {
    field(line, "ArrayJobId").or_else(|| field(line, "JobId")) == Some(task.job.as_str())
}

/// Reads a line of `scontrol show job` about the tasks of an array that have not begun: they have one line together, which names
/// their range, or 2³² − 2 once they are cancelled.
fn of_whole_array(line: &str, task: &Task) -> Option<JobState> {
    let is_of_several =
        field(line, "ArrayTaskId")?.parse().map_or(true, |id: u32| id == u32::MAX - 1);
    let is_cancelled = field(line, "JobState") == Some("CANCELLED");
    (is_of_job(line, task) && is_of_several && is_cancelled).then_some(JobState::Cancelled)
}

/// Reads a line of `scontrol show job` if it is about the task.
fn described(line: &str, task: &Task) -> Option<JobState> {
    if !is_of_job(line, task) || field(line, "ArrayTaskId")?.parse() != Ok(task.index) {
        return None;
    }
    let state = field(line, "JobState")?;
    let code = field(line, "ExitCode").unwrap_or_default();
    Some(match state {
        "CANCELLED" => JobState::Cancelled,
        "COMPLETED" => JobState::Ended("its job has ended".to_owned()),
        other => JobState::Ended(format!("Slurm calls its job {other}, with exit code {code}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(job: &str, index: usize) -> Task {
        Task { job: job.to_owned(), index }
    }

    #[test]
    fn states_of_the_queue_are_understood() {
        let state = |line: &str| queued(line).map(|(_, state)| state);
        assert_eq!(queued("12|3|RUNNING|None"), Some((task("12", 3), JobState::Running)));
        assert_eq!(state("12|3|PENDING|Resources"), Some(JobState::Waiting));
        assert_eq!(state("12|3|PENDING|BeginTime"), Some(JobState::Waiting));
        assert_eq!(state("12|3|PENDING|JobHeldUser"), Some(JobState::Waiting));
        let held = state("12|3|PENDING|launch failed requeued held");
        assert!(matches!(held, Some(JobState::Ended(_))), "{held:?}");
        assert_eq!(state("12|3|CANCELLED|None"), Some(JobState::Cancelled));
        assert!(matches!(state("12|3|NODE_FAIL|None"), Some(JobState::Ended(_))));
        assert_eq!(queued("12|N/A|RUNNING|None"), None, "another job of this user is no array");
        assert_eq!(queued(""), None);
    }

    #[test]
    fn the_end_of_a_task_is_found() {
        let line = |index: u32, state: &str| {
            format!(
                "JobId=20 ArrayJobId=12 ArrayTaskId={index} JobName=softmark JobState={state} \
                 Reason=None ExitCode=0:9"
            )
        };
        assert_eq!(described(&line(3, "COMPLETED"), &task("12", 2)), None);
        assert_eq!(described(&line(3, "COMPLETED"), &task("20", 3)), None);
        let ended = described(&line(3, "OUT_OF_MEMORY"), &task("12", 3)).unwrap();
        let JobState::Ended(reason) = ended else { panic!("{ended:?}") };
        assert_eq!(reason, "Slurm calls its job OUT_OF_MEMORY, with exit code 0:9");
        assert_eq!(described(&line(3, "CANCELLED"), &task("12", 3)), Some(JobState::Cancelled));
        let array = line(u32::MAX - 1, "CANCELLED");
        assert_eq!(described(&array, &task("12", 3)), None);
        assert_eq!(of_whole_array(&array, &task("12", 3)), Some(JobState::Cancelled));
        assert_eq!(of_whole_array(&array, &task("13", 3)), None);
        assert_eq!(of_whole_array(&line(2, "CANCELLED"), &task("12", 3)), None);
    }

    #[test]
    fn settings_are_arguments() {
        let text = "partition = 'grade'\ngres = 'gpu:1'\narray_limit = 4";
        let settings: SlurmSettings = toml::from_str(text).unwrap();
        assert_eq!(settings.arguments(), ["--partition=grade", "--gres=gpu:1"]);
        assert!(toml::from_str::<SlurmSettings>("partion = 'x'").is_err());
    }
}
