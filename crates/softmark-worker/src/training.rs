//! Training of a component that is a classifier.

use std::collections::BTreeMap;

use candle_core::{Device, Error, Result, Tensor, Var};
use softmark_kit::component::{Component, Inputs};
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{self, Examples, fit};
use softmark_wire::Recipe;

/// Maximum length of a text; longer than any text that is sent.
const MAX_LEN: usize = 4096;

/// Returns the examples of a request: `ids` `[N, T]`, `mask` `[N, T]` and `labels` `[N]`.
pub(crate) fn examples(inputs: &Inputs) -> Result<Examples> {
    let ids = inputs.get("ids")?.to_vec2::<u32>()?;
    let mask = inputs.get("mask")?.to_vec2::<u8>()?;
    let labels = inputs.get("labels")?.to_vec1::<u32>()?;
    let real = |(row, seen): (&Vec<u32>, &Vec<u8>)| {
        row.iter().zip(seen).filter(|(_, seen)| **seen == 1).map(|(id, _)| *id).collect()
    };
    Ok(Examples { ids: ids.iter().zip(&mask).map(real).collect(), labels })
}

/// Trains `part` on `examples` and returns the mean loss of each epoch.
pub(crate) fn train(
    part: &dyn Component,
    vars: &BTreeMap<String, Var>,
    examples: &Examples,
    recipe: &Recipe,
) -> Result<Tensor> {
    let count = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let recipe = train::Recipe {
        epochs: count(recipe.epochs),
        batch_size: count(recipe.batch_size),
        max_len: MAX_LEN,
        optimizer: Rule::ADAM_W,
        learning_rate: recipe.learning_rate,
        weight_decay: recipe.weight_decay,
        schedule: Schedule::cosine(recipe.warm_up),
        clip_norm: Some(recipe.clip_norm),
        stopping_threshold: Some(recipe.stopping_threshold).filter(|&loss| loss > 0.0),
        seed: recipe.seed,
        ..train::Recipe::default()
    };
    let model = |ids: &Tensor, mask: &Tensor, train: bool| part.logits(ids, mask, train);
    // A panic of the student's code passes through the trainer and is caught by the dispatcher.
    let history = fit(&model, vars, examples, None, &recipe, &mut ())
        .map_err(|error| Error::Msg(error.to_string()))?;
    let losses: Vec<f32> = history.epochs.iter().map(|epoch| single(epoch.train_loss)).collect();
    let epochs = losses.len();
    Tensor::from_vec(losses, epochs, &Device::Cpu)
}

#[expect(clippy::cast_possible_truncation, reason = "a loss is shown, with four digits")]
fn single(loss: f64) -> f32 {
    loss as f32
}
