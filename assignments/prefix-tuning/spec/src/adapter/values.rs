//! Numbers and names of parameters in questions and answers.

use candle_core::{Device, Result, Tensor};

/// Names of the parameters with which loops and checkpoints are tested.
pub(super) const NAMES: [&str; 7] = [
    "base.layers.0.norm1.weight",
    "base.layers.1.norm1.weight",
    "classifier.bias",
    "classifier.weight",
    "linear1.weight",
    "norm.bias",
    "prefix",
];

pub(super) fn numbers(values: Vec<f32>) -> Result<Tensor> {
    let n = values.len();
    Tensor::from_vec(values, n, &Device::Cpu)
}

/// Returns the names at which `mask` is 1.
pub(super) fn named(mask: &Tensor) -> Result<Vec<String>> {
    let mask = mask.flatten_all()?.to_vec1::<u8>()?;
    let chosen = NAMES.iter().zip(mask).filter(|(_, bit)| *bit == 1);
    Ok(chosen.map(|(name, _)| (*name).to_owned()).collect())
}
