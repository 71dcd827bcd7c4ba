//! The training loop.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use candle_core::backprop::GradStore;
use candle_core::{Device, Tensor, Var};
use softmark_common::examples::Examples;

use crate::nn::dropout;
use crate::nn::loss::{CrossEntropyOptions, cross_entropy_with};
use crate::optim::{Optimizer, clip_factor, global_norm};
use crate::train::batch::Batch;
use crate::train::checkpoint::Checkpoint;
use crate::train::checkpoint::state::{Identity, TrainingState};
use crate::train::error::TrainError;
use crate::train::evaluate::{check_logits, evaluate, hits, largest};
use crate::train::examples::{check, fingerprint, shuffled};
use crate::train::history::History;
use crate::train::limits::Usage;
use crate::train::model::Model;
use crate::train::observer::{Observer, Plan};
use crate::train::recipe::Recipe;
use crate::train::record::StepRecord;
use crate::train::stopping::exhausted;

/// Advice for a loss that is infinite or NaN.
const LOSS_HINT: &str = "look at the learning rate first (try a tenth of it, a warm-up, or clipping \
    the gradients), then at softmax over a row that is masked everywhere, at `log` and division of \
    what can be 0, and at norms without their epsilon";

/// Advice if only a gradient is infinite or NaN.
const GRADIENT_HINT: &str = "the loss is a number, so look at functions whose slope has no end: \
    `sqrt` and `log` at 0, and a division by what can be 0";

/// Trains a model's parameters with the settings of a recipe; see [`Trainer`] for checkpoints.
///
/// The parameters are changed in place. With patience they finally have their values after the best epoch,
/// otherwise those after the last one.
///
/// # Errors
///
/// Returns any [`TrainError`]: an error of the model, invalid settings or examples, a loss that is not
/// finite, or a violated limit. The parameters then have their values after the last completed step.
pub fn fit(
    model: &dyn Model,
    vars: &BTreeMap<String, Var>,
    train: &Examples,
    validation: Option<&Examples>,
    recipe: &Recipe,
    observer: &mut dyn Observer,
) -> Result<History, TrainError> {
    Trainer::new(model, vars, recipe).fit(train, validation, observer)
}

/// A trainer: [`fit`] with checkpoints from which training can be resumed.
///
/// A training that is interrupted and resumed ends with the same bits as an uninterrupted one: random numbers
/// are derived from the seed and the number of the epoch or step, and all other state is in the checkpoint.
#[derive(Clone)]
pub struct Trainer<'a> {
    model: &'a dyn Model,
    vars: &'a BTreeMap<String, Var>,
    recipe: &'a Recipe,
    checkpoint: Option<(PathBuf, u64)>,
    resume: bool,
}

impl std::fmt::Debug for Trainer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { recipe, checkpoint, resume, .. } = self;
        let mut debug = f.debug_struct("Trainer");
        debug.field("recipe", recipe).field("checkpoint", checkpoint).field("resume", resume);
        debug.finish_non_exhaustive()
    }
}

impl<'a> Trainer<'a> {
    /// Returns a trainer without checkpoints.
    pub fn new(model: &'a dyn Model, vars: &'a BTreeMap<String, Var>, recipe: &'a Recipe) -> Self {
        Self { model, vars, recipe, checkpoint: None, resume: false }
    }

    /// Writes a checkpoint to `path` every `steps` steps (0: never), after every epoch, and when a limit ends
    /// the training.
    #[must_use]
    pub fn checkpoints(mut self, path: &Path, steps: u64) -> Self {
        self.checkpoint = Some((path.to_owned(), steps));
        self
    }

    /// Resumes from the checkpoint, if there is one; otherwise training starts from the beginning.
    #[must_use]
    pub fn resume(mut self) -> Self {
        self.resume = true;
        self
    }

    /// Trains the model.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`fit`]; fails with [`TrainError::Checkpoint`] if a checkpoint cannot be written
    /// or read, or is of another recipe, other data or another model.
    pub fn fit(
        &self,
        train: &Examples,
        validation: Option<&Examples>,
        observer: &mut dyn Observer,
    ) -> Result<History, TrainError> {
        self.recipe.check()?;
        check(train, "training")?;
        validation.map_or(Ok(()), |it| check(it, "validation"))?;
        let first = self.vars.values().next().ok_or(TrainError::NoParameters)?;
        let parameters = self.vars.values().map(|var| var.elem_count()).sum();
        self.recipe.limits.check_parameters(parameters)?;
        let mut run = Run {
            on: self,
            device: first.device().clone(),
            identity: Identity::new(self.recipe, fingerprint(train)),
            optimizer: Optimizer::new(self.recipe.optimizer, self.recipe.weight_decay),
            history: History::default(),
            best: BTreeMap::new(),
            began: Usage::now()?,
        };
        run.go_on()?;
        observer.begins(&Plan {
            epochs: self.recipe.epochs,
            steps_an_epoch: self.recipe.steps_an_epoch(train.len()),
            done: run.history.steps.len() as u64,
            parameters,
        });
        run.train(train, validation, observer)?;
        observer.ends(&run.history);
        Ok(run.history)
    }
}

/// A training in progress.
struct Run<'a> {
    on: &'a Trainer<'a>,
    device: Device,
    identity: Identity,
    optimizer: Optimizer,
    history: History,
    /// Weights after the best epoch; empty without patience.
    best: BTreeMap<String, Tensor>,
    began: Usage,
}

impl Run<'_> {
    /// Restores the state of a checkpoint, if resuming is requested and a checkpoint exists.
    fn go_on(&mut self) -> Result<(), TrainError> {
        let Some((path, _)) = self.on.checkpoint.as_ref().filter(|_| self.on.resume) else {
            return Ok(());
        };
        if !path.exists() {
            return Ok(());
        }
        let checkpoint = Checkpoint::read(path, &self.device)?;
        checkpoint.check(&self.identity)?;
        self.best = checkpoint.restore(self.on.vars, &mut self.optimizer)?;
        self.history = checkpoint.history;
        Ok(())
    }

    /// Returns the number of completed steps.
    fn step_number(&self) -> u64 {
        self.history.steps.len() as u64
    }

    fn train(
        &mut self,
        train: &Examples,
        validation: Option<&Examples>,
        observer: &mut dyn Observer,
    ) -> Result<(), TrainError> {
        let recipe = self.on.recipe;
        for epoch in self.history.epochs.len()..recipe.epochs {
            if self.ends_early() {
                break;
            }
            let order = shuffled(train.len(), recipe.seed, epoch as u64);
            let done = self.history.steps.len() - epoch * recipe.steps_an_epoch(train.len());
            for numbers in order.chunks(recipe.batch_size).skip(done) {
                self.save_if_due()?;
                if let Err(limit) = recipe.limits.check_step(self.step_number(), self.began) {
                    self.save()?;
                    return Err(limit);
                }
                let batch = Batch::new(train, numbers, recipe.max_len, &self.device)?;
                let record = self.step(&batch, epoch, recipe.steps(train.len()))?;
                self.history.steps.push(record);
                observer.step(&record);
            }
            let mut record = self.history.summary(epoch);
            if let Some(validation) = validation {
                let found = evaluate(self.on.model, validation, recipe, &self.device)?;
                record.validation_loss = Some(found.loss);
                record.validation_accuracy = Some(found.accuracy);
            }
            self.history.epochs.push(record);
            self.keep_if_best()?;
            observer.epoch(&record);
            self.save()?;
        }
        self.history.stopped_early = self.ends_early() && self.history.epochs.len() < recipe.epochs;
        self.put_best_back()
    }

    /// Performs one step: forward, backward, clip, update.
    fn step(&mut self, batch: &Batch, epoch: usize, steps: u64) -> Result<StepRecord, TrainError> {
        let (on, recipe, step) = (self.on, self.on.recipe, self.step_number());
        let while_at = |what| move |source| TrainError::Step { what, step, source };
        start_of_step(on.model, recipe.seed, step);
        let learning_rate = recipe.learning_rate * recipe.schedule.factor(step, steps);
        let logits = on.model.logits(&batch.ids, &batch.mask, true);
        let logits = logits.map_err(while_at("the model's forward pass"))?;
        check_logits(&logits, batch)?;
        let options = CrossEntropyOptions {
            label_smoothing: recipe.label_smoothing,
            ..CrossEntropyOptions::default()
        };
        let mean = cross_entropy_with(&logits, &batch.labels, options);
        let mean = mean.map_err(while_at("the loss"))?;
        let loss = f64::from(mean.to_scalar::<f32>()?);
        let finite = |what, value: f64, hint| {
            let error = TrainError::NotFinite { what, value, step, epoch, learning_rate, hint };
            if value.is_finite() { Ok(()) } else { Err(error) }
        };
        finite("the loss", loss, LOSS_HINT)?;
        let gradients = mean.backward().map_err(while_at("the backward pass"))?;
        if step == 0 {
            self.note_cut_parameters(&gradients)?;
        }
        let gradient_norm = match recipe.clip_norm {
            Some(_) => Some(global_norm(on.vars, &gradients)?),
            None => None,
        };
        finite("the norm of the gradients", gradient_norm.unwrap_or(0.0), GRADIENT_HINT)?;
        let scale = match (gradient_norm, recipe.clip_norm) {
            (Some(norm), Some(max_norm)) => clip_factor(norm, max_norm),
            _ => 1.0,
        };
        let stepped = self.optimizer.step_scaled(on.vars, &gradients, learning_rate, scale);
        stepped.map_err(while_at("the optimizer"))?;
        let right = hits(&largest(&logits)?, &batch.classes);
        let examples = batch.classes.len();
        Ok(StepRecord { step, epoch, loss, right, examples, learning_rate, gradient_norm })
    }

    /// Records the parameters on which the loss does not depend; fails if these are all parameters.
    fn note_cut_parameters(&mut self, gradients: &GradStore) -> Result<(), TrainError> {
        let cut = self.on.vars.iter().filter(|(_, var)| gradients.get(var).is_none());
        self.history.without_gradient = cut.map(|(name, _)| name.clone()).collect();
        if self.history.without_gradient.len() == self.on.vars.len() {
            return Err(TrainError::NoGradient);
        }
        Ok(())
    }

    /// Returns true if patience has run out, or the last epoch's loss is below the threshold.
    fn ends_early(&self) -> bool {
        let Recipe { monitor, patience, stopping_threshold, .. } = *self.on.recipe;
        let last = self.history.epochs.last();
        let is_below = |least: f64| last.is_some_and(|epoch| epoch.train_loss < least);
        exhausted(monitor, patience, &self.history.epochs)
            || stopping_threshold.is_some_and(is_below)
    }

    /// Copies the weights if the last epoch is the best so far and patience is set.
    fn keep_if_best(&mut self) -> Result<(), TrainError> {
        let best = self.on.recipe.monitor.best(&self.history.epochs);
        if self.on.recipe.patience.is_some() && best == self.history.epochs.len().checked_sub(1) {
            for (name, var) in self.on.vars {
                self.best.insert(name.clone(), var.as_detached_tensor().copy()?);
            }
        }
        Ok(())
    }

    fn put_best_back(&mut self) -> Result<(), TrainError> {
        for (name, tensor) in &self.best {
            if let Some(var) = self.on.vars.get(name) {
                var.set(tensor)?;
            }
        }
        if !self.best.is_empty() {
            self.history.restored_epoch = self.on.recipe.monitor.best(&self.history.epochs);
        }
        Ok(())
    }

    fn save_if_due(&self) -> Result<(), TrainError> {
        let every = self.on.checkpoint.as_ref().map_or(0, |(_, every)| *every);
        let step = self.step_number();
        if every > 0 && step > 0 && step.is_multiple_of(every) { self.save() } else { Ok(()) }
    }

    fn save(&self) -> Result<(), TrainError> {
        let Some((path, _)) = &self.on.checkpoint else { return Ok(()) };
        let monitor = self.on.recipe.monitor;
        let best = self.history.best(monitor);
        let state = TrainingState {
            vars: self.on.vars,
            best: &self.best,
            optimizer: &self.optimizer,
            history: &self.history,
            best_score: best.and_then(|it| monitor.score(it)),
        };
        Ok(Checkpoint::write(path, &self.identity, &state)?)
    }
}

/// Announces the step to everything that draws random numbers.
fn start_of_step(model: &dyn Model, seed: u64, step: u64) {
    dropout::begin_step(seed, step);
    model.begin_step(seed, step);
}
