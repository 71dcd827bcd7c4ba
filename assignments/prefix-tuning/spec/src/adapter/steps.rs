//! The loop that tunes, with a problem that answers and records its requests.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use candle_core::{DType, Device, Result, Tensor, Var};
use softmark_kit::component::{Component, Inputs, Outputs};

use crate::adapter::values::{NAMES, named, numbers};
use crate::tuning::{TuningLoop, TuningProblem, TuningRecipe};

/// Difference between the validation loss of the epoch `lowered_loss` and the given one, lost in `f32`.
const LOWERED_BY: f64 = 1e-9;

/// A problem with given gradients and validation losses; the loss of a batch is `Σ p · g`.
///
/// It answers every request and records it, so that a loop that asks for a batch that does not exist gets
/// feedback about that request and not about an error of the problem.
struct Given {
    parameters: BTreeMap<String, Var>,
    learns: Vec<String>,
    recipe: TuningRecipe,
    batches: usize,
    /// `[steps, parameters, width]`
    gradients: Tensor,
    validation_losses: Vec<f64>,
    /// Copy of the parameters at each request for the validation loss.
    looks: Vec<Tensor>,
    visited: Vec<f32>,
    /// Number of the loss that fails, counted from 1 over all epochs; 0 for none.
    failing_loss: usize,
    /// Number of the validation loss that fails, counted from 1; 0 for none.
    failing_validation: usize,
}

impl Given {
    /// Returns true if a loop made so many more requests than `due` that it would not end.
    fn runs_away(asked: usize, due: usize) -> bool {
        asked > 4 * due + 64
    }

    fn values(&self) -> Result<Tensor> {
        let values: Vec<Tensor> =
            self.parameters.values().map(|var| var.flatten_all()?.copy()).collect::<Result<_>>()?;
        Tensor::stack(&values, 0)
    }

    /// Returns the gradients of a batch; zeros if there is no such batch.
    fn gradients_of(&self, batch: usize) -> Result<Tensor> {
        let step = self.looks.len() * self.batches + batch;
        if batch < self.batches && step < self.gradients.dim(0)? {
            return self.gradients.get(step);
        }
        self.values()?.zeros_like()
    }
}

impl TuningProblem for Given {
    fn parameters(&self) -> &BTreeMap<String, Var> {
        &self.parameters
    }

    fn learns(&self, name: &str) -> bool {
        self.learns.iter().any(|of| of == name)
    }

    fn batches(&self) -> usize {
        self.batches
    }

    fn loss(&mut self, batch: usize) -> Result<Tensor> {
        self.visited.push(batch as f32);
        let (asked, epochs) = (self.visited.len(), self.recipe.epochs);
        if asked == self.failing_loss {
            candle_core::bail!("the loss of this batch cannot be computed")
        }
        if Self::runs_away(asked, epochs * self.batches) {
            candle_core::bail!(
                "the loop does not end: the loss of a batch was asked for {asked} times (epochs in the \
                 recipe: {epochs}, batches in the problem: {})",
                self.batches
            )
        }
        let gradients = self.gradients_of(batch)?;
        let terms = self.parameters.values().enumerate();
        terms
            .map(|(n, var)| (var.as_tensor() * gradients.get(n)?.reshape(var.shape())?)?.sum_all())
            .try_fold(Tensor::new(0_f32, &Device::Cpu)?, |sum, term| sum + term?)
    }

    fn validation_loss(&mut self) -> Result<f64> {
        let epoch = self.looks.len();
        self.looks.push(self.values()?);
        if epoch + 1 == self.failing_validation {
            candle_core::bail!("the validation loss cannot be computed")
        }
        if Self::runs_away(epoch, self.recipe.epochs) {
            candle_core::bail!(
                "the loop does not end: the validation loss was asked for {epoch} times (epochs in the \
                 recipe: {})",
                self.recipe.epochs
            )
        }
        Ok(self.validation_losses.get(epoch).copied().unwrap_or(f64::NAN))
    }
}

/// Returns the values of a parameter with as many axes as the parameter of that name has in a model.
fn shaped(name: &str, values: &Tensor) -> Result<Tensor> {
    let is_matrix = matches!(name, "classifier.weight" | "linear1.weight" | "prefix");
    if is_matrix { values.unsqueeze(0) } else { Ok(values.clone()) }
}

pub(super) struct Looping<L> {
    pub(super) epochs: usize,
    pub(super) batches: usize,
    pub(super) patience: usize,
    pub(super) failing_loss: usize,
    pub(super) failing_validation: usize,
    /// Number of the epoch whose validation loss is lower than given, counted from 1; 0 for none.
    pub(super) lowered_loss: usize,
    pub(super) of: PhantomData<fn() -> L>,
}

impl<L: TuningLoop> Component for Looping<L> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let start = inputs.get("start")?; // [parameters, width]
        let var = |(n, name): (usize, &&str)| {
            Ok(((*name).to_owned(), Var::from_tensor(&shaped(name, &start.get(n)?)?.copy()?)?))
        };
        let mut validation_losses: Vec<f64> =
            inputs.get("losses")?.to_dtype(DType::F64)?.to_vec1()?;
        if let Some(loss) =
            self.lowered_loss.checked_sub(1).and_then(|at| validation_losses.get_mut(at))
        {
            *loss -= LOWERED_BY;
        }
        let settings: Vec<f64> = inputs.get("settings")?.to_dtype(DType::F64)?.to_vec1()?;
        let [learning_rate, warm_up, weight_decay, clip_norm] = settings.as_slice() else {
            candle_core::bail!("the question does not say how to tune")
        };
        let recipe = TuningRecipe {
            epochs: self.epochs,
            learning_rate: *learning_rate,
            warm_up: *warm_up,
            weight_decay: *weight_decay,
            clip_norm: *clip_norm,
            patience: self.patience,
        };
        let mut problem = Given {
            parameters: NAMES.iter().enumerate().map(var).collect::<Result<_>>()?,
            learns: named(inputs.get("learns")?)?,
            recipe,
            batches: self.batches,
            gradients: inputs.get("gradients")?.clone(),
            validation_losses,
            looks: Vec::new(),
            visited: Vec::new(),
            failing_loss: self.failing_loss,
            failing_validation: self.failing_validation,
        };
        let report = L::tune(&mut problem, &recipe)?;
        let losses = report
            .validation_losses
            .iter()
            .map(|loss| Tensor::new(*loss, &Device::Cpu)?.to_dtype(DType::F32)?.to_scalar());
        let values = problem.values()?;
        let looks = match problem.looks.as_slice() {
            [] => Tensor::zeros((0, values.dim(0)?, values.dim(1)?), DType::F32, &Device::Cpu)?,
            looks => Tensor::stack(looks, 0)?,
        };
        Ok(vec![
            ("values", values),
            ("validated", numbers(vec![problem.looks.len() as f32])?),
            ("looks", looks),
            ("visited", numbers(problem.visited)?),
            ("validation_losses", numbers(losses.collect::<Result<_>>()?)?),
            ("best", numbers(vec![report.best.map_or(-1.0, |epoch| epoch as f32)])?),
        ])
    }
}
