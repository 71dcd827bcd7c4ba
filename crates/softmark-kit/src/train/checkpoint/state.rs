//! State of a training between two steps.

use std::collections::BTreeMap;
use std::path::Path;

use candle_core::{DType, Device, Result, Tensor, Var};
use serde_json::{Value, json};

use crate::optim::Optimizer;
use crate::train::checkpoint::error::CheckpointError;
use crate::train::checkpoint::file::TensorFile;
use crate::train::history::History;
use crate::train::recipe::Recipe;
use crate::train::record::{EpochRecord, StepRecord};

/// Version of the checkpoint format; must be raised when the format changes.
pub const FORMAT_VERSION: u64 = 1;

/// Number of values in the record of a step, and of an epoch.
const OF_STEP: usize = 7;
const OF_EPOCH: usize = 6;

/// State of a training between two steps.
///
/// | tensors | shape |
/// |---|---|
/// | `weights/NAME` | the parameter's |
/// | `best/NAME` | the parameter's, at the best epoch; only with `patience` |
/// | `optimizer/moments/NAME`, `optimizer/steps/NAME` | see [`Optimizer::state`] |
/// | `history/steps` | `[steps, 7]`, `f64`: the fields of [`StepRecord`] in their order |
/// | `history/epochs` | `[epochs, 6]`, `f64`: those of [`EpochRecord`] |
///
/// Missing values of a record are `NaN`. The metadata's JSON object contains `format_version`, `step`,
/// `epoch`, `best_score`, `recipe` (the whole recipe except its limits, as JSON in a string, so that it is
/// compared as written), `data` (a fingerprint of the examples) and `without_gradient`.
#[derive(Debug)]
pub struct Checkpoint {
    file: TensorFile,
    /// Number of completed steps.
    pub step: u64,
    /// Records of the steps and epochs so far.
    pub history: History,
}

/// Identity of a training: its recipe and a fingerprint of its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) recipe: String,
    pub(crate) data: String,
}

impl Identity {
    pub(crate) fn new(recipe: &Recipe, data: u64) -> Self {
        // A recipe consists of numbers, words and `None`, so converting it to JSON cannot fail.
        let recipe = serde_json::to_string(recipe).unwrap_or_default();
        Self { recipe, data: format!("{data:016x}") }
    }
}

/// State of a training to be written.
#[derive(Debug)]
pub(crate) struct TrainingState<'a> {
    pub(crate) vars: &'a BTreeMap<String, Var>,
    pub(crate) best: &'a BTreeMap<String, Tensor>,
    pub(crate) optimizer: &'a Optimizer,
    pub(crate) history: &'a History,
    pub(crate) best_score: Option<f64>,
}

impl Checkpoint {
    /// Writes the state of a training.
    pub(crate) fn write(
        path: &Path,
        identity: &Identity,
        state: &TrainingState<'_>,
    ) -> std::result::Result<(), CheckpointError> {
        let history = state.history;
        let metadata = json!({
            "format_version": FORMAT_VERSION,
            "step": history.steps.len(),
            "epoch": history.epochs.len(),
            "best_score": state.best_score,
            "recipe": identity.recipe,
            "data": identity.data,
            "without_gradient": history.without_gradient,
        });
        let mut file = TensorFile { path: path.to_owned(), tensors: BTreeMap::new(), metadata };
        file.tensors = tensors(state).map_err(|error| file.of_tensor(error))?;
        file.write()
    }

    /// Reads the state of a training.
    ///
    /// # Errors
    ///
    /// Fails if the file is broken, cut off, not a checkpoint, or of a later version.
    pub fn read(path: &Path, device: &Device) -> std::result::Result<Self, CheckpointError> {
        let file = TensorFile::read(path, device)?;
        let other = |reason: String| CheckpointError::Other { path: path.to_owned(), reason };
        match file.metadata.get("format_version").and_then(Value::as_u64) {
            Some(FORMAT_VERSION) => {}
            Some(version) => {
                return Err(other(format!(
                    "this checkpoint has format version {version}; this program reads \
                     {FORMAT_VERSION}"
                )));
            }
            None => return Err(other("these are weights, but no checkpoint of a training".into())),
        }
        let step = file.metadata.get("step").and_then(Value::as_u64);
        let step = step.ok_or_else(|| other("the metadata lacks `step`".into()))?;
        let history = read_history(&file).map_err(&other)?;
        if history.steps.len() as u64 != step {
            let there = history.steps.len();
            return Err(other(format!("step {step}, but a history of {there} steps")));
        }
        Ok(Self { file, step, history })
    }

    /// Checks that this is a checkpoint of the given training.
    pub(crate) fn check(&self, here: &Identity) -> std::result::Result<(), CheckpointError> {
        let text = |key: &str| self.file.metadata.get(key).and_then(Value::as_str).unwrap_or("");
        if text("data") != here.data {
            return Err(self.differs("the training data", text("data"), &here.data));
        }
        if text("recipe") == here.recipe {
            return Ok(());
        }
        // Naming the differing field is more helpful than printing two long lines.
        let fields = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        let (there, new) = (fields(text("recipe")), fields(&here.recipe));
        let field =
            new.as_object().into_iter().flatten().find(|(key, it)| there.get(key) != Some(it));
        Err(match field {
            Some((key, value)) => {
                let there = there.get(key).map_or("nothing".to_owned(), Value::to_string);
                self.differs(&format!("the recipe's {key}"), &there, &value.to_string())
            }
            None => self.differs("the recipe", text("recipe"), &here.recipe),
        })
    }

    fn differs(&self, what: &str, there: &str, here: &str) -> CheckpointError {
        CheckpointError::OtherTraining {
            path: self.file.path.clone(),
            what: what.to_owned(),
            there: there.to_owned(),
            here: here.to_owned(),
        }
    }

    /// Restores the state of parameters and optimizer; returns the best weights.
    pub(crate) fn restore(
        &self,
        vars: &BTreeMap<String, Var>,
        optimizer: &mut Optimizer,
    ) -> std::result::Result<BTreeMap<String, Tensor>, CheckpointError> {
        let file = &self.file;
        let known = ["weights/", "best/", "optimizer/", "history/"];
        let alien = |name: &&String| !known.iter().any(|prefix| name.starts_with(prefix));
        if let Some(name) = file.tensors.keys().find(alien) {
            return Err(CheckpointError::Alien { path: file.path.clone(), name: name.clone() });
        }
        let best = file.below("best/");
        let wrong = best
            .iter()
            .find(|(name, tensor)| vars.get(*name).is_none_or(|var| var.shape() != tensor.shape()));
        if let Some((name, _)) = wrong {
            return Err(CheckpointError::Alien { path: file.path.clone(), name: name.clone() });
        }
        if !best.is_empty()
            && let Some(name) = vars.keys().find(|it| !best.contains_key(*it))
        {
            let (path, name) = (file.path.clone(), format!("best/{name}"));
            let there = file.tensors.keys().cloned().collect::<Vec<_>>().join(", ");
            return Err(CheckpointError::Missing { path, name, there });
        }
        let mut restored = optimizer.emptied();
        let state = file.below("optimizer/");
        restored.restore(vars, &state).map_err(|error| file.of_tensor(error))?;
        file.set(vars, &file.below("weights/"))?;
        *optimizer = restored;
        Ok(best)
    }
}

fn tensors(state: &TrainingState<'_>) -> Result<BTreeMap<String, Tensor>> {
    let mut tensors = BTreeMap::new();
    for (name, var) in state.vars {
        tensors.insert(format!("weights/{name}"), var.as_tensor().clone());
    }
    for (name, tensor) in state.best {
        tensors.insert(format!("best/{name}"), tensor.clone());
    }
    for (name, tensor) in state.optimizer.state()? {
        tensors.insert(format!("optimizer/{name}"), tensor);
    }
    let History { steps, epochs, .. } = state.history;
    let of_steps: Vec<f64> = steps.iter().flat_map(step_to_row).collect();
    let of_epochs: Vec<f64> = epochs.iter().flat_map(epoch_to_row).collect();
    let table = |rows, (n, width)| Tensor::from_vec(rows, (n, width), &Device::Cpu);
    tensors.insert("history/steps".into(), table(of_steps, (steps.len(), OF_STEP))?);
    tensors.insert("history/epochs".into(), table(of_epochs, (epochs.len(), OF_EPOCH))?);
    Ok(tensors)
}

fn step_to_row(of: &StepRecord) -> [f64; OF_STEP] {
    let norm = of.gradient_norm.unwrap_or(f64::NAN);
    let (right, examples) = (of.right as f64, of.examples as f64);
    [of.step as f64, of.epoch as f64, of.loss, right, examples, of.learning_rate, norm]
}

fn epoch_to_row(of: &EpochRecord) -> [f64; OF_EPOCH] {
    let loss = of.validation_loss.unwrap_or(f64::NAN);
    let accuracy = of.validation_accuracy.unwrap_or(f64::NAN);
    [of.epoch as f64, of.train_loss, of.train_accuracy, loss, accuracy, of.learning_rate]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "counts were written as they are; what is none becomes 0 and fits no history"
)]
fn read_history(file: &TensorFile) -> std::result::Result<History, String> {
    let there = |x: f64| (!x.is_nan()).then_some(x);
    let mut history = History::default();
    for row in rows::<OF_STEP>(file, "history/steps")? {
        let [step, epoch, loss, right, examples, learning_rate, norm] = row;
        history.steps.push(StepRecord {
            step: step as u64,
            epoch: epoch as usize,
            loss,
            right: right as usize,
            examples: examples as usize,
            learning_rate,
            gradient_norm: there(norm),
        });
    }
    for row in rows::<OF_EPOCH>(file, "history/epochs")? {
        let [epoch, train_loss, train_accuracy, loss, accuracy, learning_rate] = row;
        history.epochs.push(EpochRecord {
            epoch: epoch as usize,
            train_loss,
            train_accuracy,
            validation_loss: there(loss),
            validation_accuracy: there(accuracy),
            learning_rate,
        });
    }
    let names = file.metadata.get("without_gradient").and_then(Value::as_array);
    let name = |it: &Value| it.as_str().map(str::to_owned);
    history.without_gradient = names.into_iter().flatten().filter_map(name).collect();
    Ok(history)
}

fn rows<const N: usize>(
    file: &TensorFile,
    name: &str,
) -> std::result::Result<Vec<[f64; N]>, String> {
    let tensor = file.tensors.get(name).ok_or_else(|| format!("`{name}` is missing"))?;
    if tensor.dtype() != DType::F64 || tensor.dims().get(1) != Some(&N) {
        return Err(format!("`{name}` should be [n, {N}] in f64, and is {:?}", tensor.dims()));
    }
    let rows = tensor.to_vec2::<f64>().map_err(|error| format!("`{name}`: {error}"))?;
    Ok(rows.into_iter().filter_map(|row| row.try_into().ok()).collect())
}
