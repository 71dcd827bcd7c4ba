//! Observation of a classifier through hooks: attention weights, their entropy, and how alike tokens are.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, ensure};
use candle_core::{DType, Device, Tensor};
use softmark_kit::hooks::{AttentionRecorder, Handle, Hooks, head_statistics};
use softmark_kit::train::{Model, pad};

use crate::buggy_layer::model::OUTPUT;
use crate::record::Measures;

/// Maximum size of recorded weights, in bytes.
const LIMIT: usize = 1 << 28;

/// Texts that a model is observed on.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    /// Texts over which entropies and similarities are averaged.
    pub(super) many: Vec<Vec<u32>>,
    /// Text whose attention weights are drawn.
    pub(super) one: Vec<u32>,
    /// Number of layers.
    pub(super) layers: usize,
    /// Maximum length of a text.
    pub(super) max_len: usize,
}

/// Names of the measures; entropies and similarities are taken before and after training.
pub(super) const ENTROPY: [&str; 2] = ["entropy before training", "entropy after training"];
pub(super) const SIMILARITY: [&str; 2] =
    ["similarity before training", "similarity after training"];
pub(super) const LARGEST: &str = "largest entropy";

/// Returns the name of the measure that contains the weights `[H, T, T]` of a layer on the one text.
pub(super) fn weights_of(layer: usize) -> String {
    format!("weights of layer {}", layer + 1)
}

/// Observations of one forward pass.
struct Seen {
    /// Mean entropy of each layer's heads.
    entropy: Vec<f64>,
    /// Mean cosine similarity of two real tokens of a text, at each layer's output.
    similarity: Vec<f64>,
    /// Attention weights of each layer, `[B, H, T, T]`.
    weights: Vec<Tensor>,
}

/// Measures entropy and similarity of each layer, under the given names.
///
/// # Errors
///
/// Fails if the model fails, or a text is empty.
pub(super) fn averages(
    model: &dyn Model,
    hooks: &Hooks,
    watched: &Watched,
    (entropy, similarity): (&str, &str),
    device: &Device,
) -> Result<Measures> {
    let seen = see(model, hooks, watched, &watched.many, device)?;
    let lengths = watched.many.iter().map(|ids| ids.len().min(watched.max_len) as f64);
    // Each query counts, so a text counts once for each token.
    let (sum, count) = lengths.fold((0.0, 0.0), |(sum, n), of| (sum + of * of.ln(), n + of));
    Ok(Measures::from([
        (entropy.to_owned(), seen.entropy),
        (similarity.to_owned(), seen.similarity),
        (LARGEST.to_owned(), vec![sum / count]),
    ]))
}

/// Records the attention weights of each layer on the one text.
///
/// # Errors
///
/// Fails if the model fails.
pub(super) fn heat_maps(
    model: &dyn Model,
    hooks: &Hooks,
    watched: &Watched,
    device: &Device,
) -> Result<Measures> {
    let seen = see(model, hooks, watched, std::slice::from_ref(&watched.one), device)?;
    let values = |(layer, weights): (usize, &Tensor)| -> Result<(String, Vec<f64>)> {
        let weights = weights.get(0)?.to_dtype(DType::F64)?;
        Ok((weights_of(layer), weights.flatten_all()?.to_vec1()?))
    };
    seen.weights.iter().enumerate().map(values).collect()
}

fn see(
    model: &dyn Model,
    hooks: &Hooks,
    watched: &Watched,
    texts: &[Vec<u32>],
    device: &Device,
) -> Result<Seen> {
    let names: Vec<String> = (0..watched.layers).map(|n| format!("layers.{n}")).collect();
    let mut recorder = AttentionRecorder::new(LIMIT);
    let outputs = Arc::new(Mutex::new(Vec::new()));
    let mut handles = Vec::new();
    for name in &names {
        recorder.watch(hooks, &format!("{name}.self_attn"))?;
        handles.push(keep_outputs(hooks, name, &outputs)?);
    }
    let texts: Vec<&[u32]> = texts.iter().map(Vec::as_slice).collect();
    let (ids, mask) = pad(&texts, watched.max_len, device)?;
    model.logits(&ids, &mask, false)?;
    drop(handles);
    let records = recorder.records();
    ensure!(records.len() == names.len(), "attention weights take more than {LIMIT} bytes");
    let outputs = outputs.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let mask = mask.to_device(&Device::Cpu)?;
    let mut seen = Seen { entropy: Vec::new(), similarity: Vec::new(), weights: Vec::new() };
    for (record, output) in records.into_iter().zip(&outputs) {
        let weights = record.weights.to_device(&Device::Cpu)?;
        let heads = head_statistics(&weights, Some(&mask))?;
        seen.entropy.push(mean(heads.iter().map(|head| head.entropy))?);
        seen.similarity.push(similarity(&output.to_device(&Device::Cpu)?, &mask)?);
        seen.weights.push(weights);
    }
    Ok(seen)
}

/// Keeps the outputs of a layer, in the order of the calls, until the handle is dropped.
fn keep_outputs(hooks: &Hooks, name: &str, kept: &Arc<Mutex<Vec<Tensor>>>) -> Result<Handle> {
    let kept = Arc::clone(kept);
    let handle = hooks.register(name, move |call| {
        let output = call.output(OUTPUT)?.detach();
        kept.lock().unwrap_or_else(PoisonError::into_inner).push(output);
        Ok(())
    })?;
    Ok(handle)
}

fn mean(of: impl ExactSizeIterator<Item = f64>) -> Result<f64> {
    let count = of.len();
    ensure!(count > 0, "a mean of nothing");
    Ok(of.sum::<f64>() / count as f64)
}

/// Returns the mean cosine similarity of two different real tokens of a text, over texts of two tokens and more.
///
/// - `x`: `[B, T, D]`
/// - `mask`: `[B, T]`, 1 for a real token
fn similarity(x: &Tensor, mask: &Tensor) -> Result<f64> {
    let x = x.to_dtype(DType::F64)?;
    let norms = x.sqr()?.sum_keepdim(2)?.sqrt()?.maximum(1e-12)?;
    let unit = x.broadcast_div(&norms)?;
    let unit = unit.broadcast_mul(&mask.to_dtype(DType::F64)?.unsqueeze(2)?)?;
    // The squared norm of a sum of unit vectors is their number plus twice the sum of the pairs' cosines.
    let sums: Vec<f64> = unit.sum(1)?.sqr()?.sum(1)?.to_vec1()?;
    let counts: Vec<f64> = mask.to_dtype(DType::F64)?.sum(1)?.to_vec1()?;
    let texts = sums.iter().zip(&counts).filter(|(_, count)| **count > 1.0);
    let cosines: Vec<f64> = texts.map(|(sum, n)| (sum - n) / (n * (n - 1.0))).collect();
    mean(cosines.into_iter()).context("no text has two tokens")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similarity_is_the_mean_cosine_of_pairs() {
        let x = Tensor::new(
            &[[[1_f32, 0.0], [0.0, 2.0], [9.0, 9.0]], [[3.0, 0.0], [1.0, 0.0], [-2.0, 0.0]]],
            &Device::Cpu,
        );
        let mask = Tensor::new(&[[1_u8, 1, 0], [1, 1, 1]], &Device::Cpu).unwrap();
        let x = x.unwrap();
        // The first text has one pair, with a cosine of 0; the second three, with 1, −1 and −1.
        let found = similarity(&x, &mask).unwrap();
        assert!((found - (0.0 - 1.0 / 3.0) / 2.0).abs() < 1e-12, "{found}");
    }
}
