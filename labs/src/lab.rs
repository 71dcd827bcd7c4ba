//! The harness of a lab: trains its runs, saves each, and resumes where an earlier start stopped.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use candle_core::Device;
use softmark_kit::init::Parameters;
use softmark_kit::train::{Examples, Model, Recipe, Trainer, evaluate};

use crate::arguments::Arguments;
use crate::digest::Digest;
use crate::files;
use crate::progress::Progress;
use crate::record::{Measures, RunRecord, Scores, Setting};

/// Version of the saved records; raised when their meaning changes.
const FORMAT: &str = "labs 1";

/// Number of digits of the key in the name of a checkpoint.
const PREFIX: usize = 12;

/// Number of steps between two checkpoints of a training.
const CHECKPOINT: u64 = 200;

/// The parts of a data set as token ids.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Examples to train on.
    pub train: Examples,
    /// Examples by which settings and epochs are chosen.
    pub validation: Examples,
    /// Examples of the figures that are compared with the published ones.
    pub test: Examples,
    /// Names of the classes, in the order of the labels.
    pub classes: Vec<String>,
}

/// A model with its trainable parameters.
#[expect(missing_debug_implementations, reason = "models have none")]
pub struct Network {
    /// The model.
    pub model: Box<dyn Model>,
    /// The trainable parameters.
    pub parameters: Parameters,
    /// Takes further measurements of the trained model.
    pub measure: Option<Box<dyn Fn() -> Result<Measures>>>,
}

impl Network {
    /// Returns a network without further measurements.
    pub fn new(model: impl Model + 'static, parameters: Parameters) -> Self {
        Self { model: Box::new(model), parameters, measure: None }
    }
}

/// A training to be done.
#[derive(Debug, Clone)]
pub struct Training<'a> {
    /// Name of the run, unique in the lab: letters, digits, `-`, `.` and `_`.
    pub name: String,
    /// The settings in which runs of the lab differ, shown on the page.
    pub settings: Vec<Setting>,
    /// Settings of the trainer.
    pub recipe: Recipe,
    /// The data.
    pub parts: &'a Parts,
    /// Whatever else determines the result and is not a trainable parameter, such as a digest of frozen weights.
    pub context: String,
}

/// A lab in progress.
#[derive(Debug)]
pub struct Lab {
    name: &'static str,
    out: PathBuf,
    device: Device,
    device_kind: &'static str,
    progress: Progress,
}

impl Lab {
    /// Opens the lab called `name`, which will train `runs` runs.
    ///
    /// # Errors
    ///
    /// Fails if the device does not exist, or the folder for results cannot be created.
    pub fn open(name: &'static str, arguments: &Arguments, runs: usize) -> Result<Self> {
        let device = softmark_kit::device(&arguments.device)?;
        let device_kind = if device.is_cpu() { "cpu" } else { "cuda" };
        let out = arguments.out(name);
        let folder = out.join("runs");
        fs::create_dir_all(&folder).with_context(|| format!("{}", folder.display()))?;
        Ok(Self { name, out, device, device_kind, progress: Progress::new(runs) })
    }

    /// Returns the name of the lab.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the device on which the lab trains.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Returns `cpu` or `cuda`.
    pub fn device_kind(&self) -> &'static str {
        self.device_kind
    }

    /// Returns the folder for results.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Sets the number of runs, if it is not known when the lab is opened.
    pub fn set_runs(&mut self, runs: usize) {
        self.progress.set_runs(runs);
    }

    /// Writes a line to stderr.
    pub fn say(&mut self, line: &str) {
        self.progress.say(line);
    }

    /// Trains a network and evaluates it on the validation and test parts, unless an earlier start did.
    ///
    /// The record is saved as `runs/NAME.json` with its key: a digest of lab, settings, recipe, data, initial
    /// parameters and kind of device. A record with another key is replaced by a new training. A training that
    /// was interrupted is resumed from its checkpoint. The code of a model is not part of the key: after a change of it,
    /// the folder has to be removed.
    ///
    /// # Errors
    ///
    /// Fails if `build` or the training fails, or a file cannot be read or written.
    pub fn train(
        &mut self,
        training: &Training<'_>,
        build: impl FnOnce(&Device) -> Result<Network>,
    ) -> Result<RunRecord> {
        let network = build(&self.device).with_context(|| format!("run {}", training.name))?;
        let key = self.key(training, &network)?;
        let path = self.out.join("runs").join(format!("{}.json", training.name));
        if path.exists() {
            let record: RunRecord = read(&path)?;
            if record.key == key {
                self.progress.skip(&training.name);
                return Ok(record);
            }
            self.say(&format!(
                "{}: saved with other settings or data, trained anew",
                training.name
            ));
        }
        let record = self.fit(training, &network, key)?;
        files::write(&path, &(serde_json::to_vec_pretty(&record)?))?;
        // Read back, so that a first and a later start continue with the same numbers.
        read(&path)
    }

    /// Computes the key of a run.
    fn key(&self, training: &Training<'_>, network: &Network) -> Result<String> {
        let Training { name, settings, recipe, parts, context } = training;
        let vars = network.parameters.vars();
        let digest = Digest::new()
            .text(FORMAT)
            .text(self.name)
            .text(name)
            .text(self.device_kind)
            .text(&serde_json::to_string(settings)?)
            .text(&serde_json::to_string(recipe)?)
            .text(&serde_json::to_string(&parts.classes)?)
            .text(context)
            .examples(&parts.train)
            .examples(&parts.validation)
            .examples(&parts.test)
            .tensors(vars.iter().map(|(name, var)| (name.as_str(), var.as_tensor())))?;
        Ok(digest.finish())
    }

    /// Trains and evaluates a network; the checkpoint is removed at the end.
    fn fit(
        &mut self,
        training: &Training<'_>,
        network: &Network,
        key: String,
    ) -> Result<RunRecord> {
        let Training { name, settings, recipe, parts, .. } = training;
        let failed = || format!("run {name}");
        let (prefix, _) = key.split_at(PREFIX);
        let checkpoint = self.out.join("runs").join(format!("{name}.{prefix}.checkpoint"));
        let vars = network.parameters.vars();
        let model = network.model.as_ref();
        let trainer = Trainer::new(model, &vars, recipe).checkpoints(&checkpoint, CHECKPOINT);
        let mut observer = self.progress.observe(name);
        let history = trainer.resume().fit(&parts.train, Some(&parts.validation), &mut observer);
        let history = history.with_context(failed)?;
        let scores = |part: &Examples| -> Result<Scores> {
            let found = evaluate(model, part, recipe, &self.device).with_context(failed)?;
            Ok(Scores::new(&found, &part.labels, parts.classes.len())?)
        };
        let record = RunRecord {
            name: name.clone(),
            settings: settings.clone(),
            parameters: network.parameters.count(),
            epochs: history.epochs.iter().map(Into::into).collect(),
            stopped_early: history.stopped_early,
            restored_epoch: history.restored_epoch,
            validation: scores(&parts.validation)?,
            test: scores(&parts.test)?,
            measures: match &network.measure {
                Some(measure) => measure().with_context(failed)?,
                None => Measures::new(),
            },
            key,
        };
        self.progress.finish();
        self.remove_checkpoints(name)?;
        Ok(record)
    }

    /// Removes the checkpoints of a run, also those of other settings.
    fn remove_checkpoints(&self, name: &str) -> Result<()> {
        let folder = self.out.join("runs");
        let shown = || format!("{} cannot be read", folder.display());
        for entry in fs::read_dir(&folder).with_context(shown)? {
            let file = entry.with_context(shown)?.file_name();
            let key =
                file.to_str().and_then(|it| it.strip_prefix(name)?.strip_suffix(".checkpoint"));
            if key.is_some_and(|it| it.starts_with('.') && it.len() == PREFIX + 1) {
                files::remove(&folder.join(&file))?;
            }
        }
        Ok(())
    }
}

/// Reads a saved record.
fn read(path: &Path) -> Result<RunRecord> {
    let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("{} is not the record of a run; remove it", path.display()))
}

/// Runs a lab's `work` on the pool of tensor operations, and prints its error.
pub fn main(work: impl FnOnce() -> Result<()> + Send) -> ExitCode {
    match softmark_kit::in_pool(work) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A failure to print it changes nothing: the exit code tells it as well.
            writeln!(io::stderr(), "error: {}", message(&error)).ok();
            ExitCode::FAILURE
        }
    }
}

/// Returns an error and its causes, without those that the text before them contains.
fn message(error: &anyhow::Error) -> String {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn a_cause_is_printed_once() {
        let error = anyhow!("no such file").context("f.txt: no such file").context("run a");
        assert_eq!(message(&error), "run a: f.txt: no such file");
    }
}
