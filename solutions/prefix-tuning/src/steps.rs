//! Task 3: the loop.
//!
//! The specification is the documentation of [`TuningLoop`].

use std::collections::BTreeMap;

use candle_core::Var;
use softmark_kit::optim::{Optimizer, Rule, clip_factor, global_norm};
use softmark_kit::prelude::*;

/// Warm-up and decay, clipping, early stopping; the best is put back.
#[derive(Debug)]
pub struct Steps;

/// The learning rate of a step, as a share of its highest.
fn share(step: usize, steps: usize, warm_up: f64) -> f64 {
    let (step, steps) = (step as f64, steps as f64);
    let rise = (warm_up * steps).ceil();
    if step < rise { (step + 1.0) / rise } else { (steps - step) / (steps - rise) }
}

/// Copies, which stay what they are when the parameters change.
fn copied(vars: &BTreeMap<String, Var>) -> Result<BTreeMap<String, Tensor>> {
    vars.iter().map(|(name, var)| Ok((name.clone(), var.copy()?))).collect()
}

impl TuningLoop for Steps {
    fn tune(problem: &mut dyn TuningProblem, recipe: &TuningRecipe) -> Result<TuningReport> {
        let all = problem.parameters().iter();
        let learned: BTreeMap<String, Var> = all
            .filter(|(name, _)| problem.learns(name))
            .map(|(name, var)| (name.clone(), var.clone()))
            .collect();
        let batches = problem.batches();
        let steps = recipe.epochs * batches;
        let mut optimizer = Optimizer::new(Rule::ADAM_W, recipe.weight_decay);
        let mut kept = copied(&learned)?;
        let mut validation_losses: Vec<f64> = Vec::new();
        let mut best: Option<(usize, f64)> = None;
        for epoch in 0..recipe.epochs {
            for batch in 0..batches {
                let gradients = problem.loss(batch)?.backward()?;
                let scale = clip_factor(global_norm(&learned, &gradients)?, recipe.clip_norm);
                let rate =
                    recipe.learning_rate * share(epoch * batches + batch, steps, recipe.warm_up);
                optimizer.step_scaled(&learned, &gradients, rate, scale)?;
            }
            let loss = problem.validation_loss()?;
            validation_losses.push(loss);
            if !loss.is_nan() && best.is_none_or(|(_, lowest)| loss < lowest) {
                best = Some((epoch, loss));
                kept = copied(&learned)?;
            }
            let since = best.map_or(epoch + 1, |(at, _)| epoch - at);
            if since >= recipe.patience {
                break;
            }
        }
        for (name, tensor) in &kept {
            if let Some(var) = learned.get(name) {
                var.set(tensor)?;
            }
        }
        Ok(TuningReport { validation_losses, best: best.map(|(epoch, _)| epoch) })
    }
}
