//! Predictions and their evaluation.

use candle_core::{Device, Tensor};
use softmark_common::examples::Examples;

use crate::nn::loss::cross_entropy;
use crate::train::batch::{Batch, pad};
use crate::train::error::TrainError;
use crate::train::examples::check;
use crate::train::model::Model;
use crate::train::recipe::Recipe;

/// Evaluation of a model on labeled examples.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Mean cross-entropy, without label smoothing.
    pub loss: f64,
    /// Share of the examples that are predicted correctly.
    pub accuracy: f64,
    /// Predicted class of each example.
    pub predictions: Vec<u32>,
}

/// Predicts the class of each sequence, in order: the class with the largest logit, the first of equal ones.
///
/// Only `batch_size` and `max_len` of the recipe are used.
///
/// # Errors
///
/// Fails if the model fails, or its logits are not `[B, C]`.
pub fn predict(
    model: &dyn Model,
    ids: &[Vec<u32>],
    recipe: &Recipe,
    device: &Device,
) -> Result<Vec<u32>, TrainError> {
    let mut predictions = Vec::with_capacity(ids.len());
    for rows in ids.chunks(recipe.batch_size.max(1)) {
        let rows: Vec<&[u32]> = rows.iter().map(Vec::as_slice).collect();
        let (ids, mask) = pad(&rows, recipe.max_len, device)?;
        let logits = model.logits(&ids, &mask, false)?;
        class_count(&logits, rows.len())?;
        predictions.extend(largest(&logits)?);
    }
    Ok(predictions)
}

/// Evaluates a model on labeled examples, without dropout.
///
/// # Errors
///
/// Fails if there are no examples, if the model fails, or if a label has no logit.
pub fn evaluate(
    model: &dyn Model,
    examples: &Examples,
    recipe: &Recipe,
    device: &Device,
) -> Result<Evaluation, TrainError> {
    check(examples, "validation")?;
    let (mut loss, mut right) = (0.0, 0);
    let mut predictions = Vec::with_capacity(examples.len());
    let numbers: Vec<usize> = (0..examples.len()).collect();
    for numbers in numbers.chunks(recipe.batch_size.max(1)) {
        let batch = Batch::new(examples, numbers, recipe.max_len, device)?;
        let logits = model.logits(&batch.ids, &batch.mask, false)?.detach();
        check_logits(&logits, &batch)?;
        let mean = cross_entropy(&logits, &batch.labels)?.to_scalar::<f32>()?;
        loss += f64::from(mean) * numbers.len() as f64;
        let classes = largest(&logits)?;
        right += hits(&classes, &batch.classes);
        predictions.extend(classes);
    }
    let count = examples.len() as f64;
    Ok(Evaluation { loss: loss / count, accuracy: right as f64 / count, predictions })
}

/// Returns the number of predictions that equal the label.
pub(crate) fn hits(predictions: &[u32], labels: &[u32]) -> usize {
    predictions.iter().zip(labels).filter(|(p, l)| p == l).count()
}

/// Returns the index of the largest element of each row, the first of equal ones; `NaN` is never larger.
pub(crate) fn largest(logits: &Tensor) -> Result<Vec<u32>, TrainError> {
    Ok(logits.to_vec2::<f32>()?.iter().map(|row| first_largest(row)).collect())
}

fn first_largest(row: &[f32]) -> u32 {
    let mut best = (0, f32::NEG_INFINITY);
    for (class, &logit) in (0..).zip(row) {
        if logit > best.1 {
            best = (class, logit);
        }
    }
    best.0
}

/// Checks that the logits are `[B, C]` and that every label of the batch has one.
pub(crate) fn check_logits(logits: &Tensor, batch: &Batch) -> Result<(), TrainError> {
    let classes = class_count(logits, batch.classes.len())?;
    match batch.classes.iter().find(|&&label| label as usize >= classes) {
        Some(&label) => Err(TrainError::Label { label, classes }),
        None => Ok(()),
    }
}

/// Returns the number of classes `C` of logits.
fn class_count(logits: &Tensor, batch: usize) -> Result<usize, TrainError> {
    match *logits.dims() {
        [rows, classes] if rows == batch && classes > 0 => Ok(classes),
        _ => Err(TrainError::Logits { got: logits.dims().to_vec(), batch }),
    }
}
