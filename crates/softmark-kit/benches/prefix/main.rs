//! Benchmark of whole steps of prefix tuning: a frozen pretrained encoder with a trainable prefix and head.
//!
//! ```text
//! cargo bench -p softmark-kit --bench prefix -- FOLDER LENGTHS [STEPS]
//! ```
//!
//! `FOLDER` contains a published `config.json` and `model.safetensors`. Batches have 32 texts of 36 tokens;
//! with `LENGTHS` `full` there is no padding, with `trec` texts have the lengths of TREC questions.
//! `RAYON_NUM_THREADS` sets the number of threads. `benches/peer/prefix` alternates this program with PyTorch.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a benchmark reads the clock, prints, and stops where something is wrong"
)]

#[path = "../support/mod.rs"]
mod support;

use std::path::Path;

use candle_core::{DType, Device, Module, Result, Tensor};
use candle_nn::Init;
use softmark_kit::init::Parameters;
use softmark_kit::nn::linear;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::optim::{Optimizer, Rule};
use softmark_kit::pretrained::{PretrainedConfig, PretrainedEncoder, Weights};

use support::{ids, time};

const BATCH: usize = 32;
const LENGTH: usize = 36;
const PREFIX: usize = 5;
const CLASSES: usize = 6;

fn main() -> Result<()> {
    softmark_kit::in_pool(run)
}

/// Returns the mask of a batch. TREC questions have 6 to 37 tokens including the two special tokens, 13 on
/// average; these texts have 7 to 19.
fn mask(lengths: &str) -> Result<Tensor> {
    let real = |text: usize| if lengths == "full" { LENGTH } else { 7 + text * 5 % 13 };
    let bits = (0..BATCH).flat_map(|text| (0..LENGTH).map(move |at| u8::from(at < real(text))));
    Tensor::from_vec(bits.collect(), (BATCH, LENGTH), &Device::Cpu)
}

fn run() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let [folder, lengths, ..] = args.as_slice() else {
        println!("give FOLDER and LENGTHS (full, trec)");
        return Ok(());
    };
    let steps: usize = args.get(2).map_or(10, |n| n.parse().unwrap());
    let cpu = &Device::Cpu;
    let config = std::fs::read_to_string(Path::new(folder).join("config.json")).unwrap();
    let config = PretrainedConfig::from_json(&config).unwrap();
    let weights = Weights::read(&Path::new(folder).join("model.safetensors"), &config, cpu);
    let base = PretrainedEncoder::new(config, weights.unwrap().builder())?;
    let parameters = Parameters::new(1, cpu);
    let vb = parameters.builder();
    let init = Init::Randn { mean: 0.0, stdev: 0.02 };
    let prefix = vb.get_with_hints((PREFIX, config.d_model), "prefix", init)?;
    let head = linear(config.d_model, CLASSES, vb.pp("classifier"))?;
    let mut adam = Optimizer::new(Rule::ADAM_W, 0.0);
    let x = Tensor::from_vec(ids(BATCH * LENGTH, 30_000, "ids"), (BATCH, LENGTH), cpu)?;
    let y = Tensor::from_vec(ids(BATCH, CLASSES, "labels"), BATCH, cpu)?;
    let mask = mask(lengths)?;
    let all = Tensor::cat(&[&Tensor::ones((BATCH, PREFIX), DType::U8, cpu)?, &mask], 1)?;
    let vars = parameters.vars();
    time(steps, |_| {
        let prefix = prefix.unsqueeze(0)?.repeat((BATCH, 1, 1))?;
        let embedded = Tensor::cat(&[&prefix, &base.embed(&x)?], 1)?;
        let encoded = base.encode(&embedded, &all, false)?;
        let tokens = encoded.narrow(1, PREFIX, LENGTH)?;
        let logits = head.forward(&masked_mean(&tokens, &mask)?)?;
        let loss = cross_entropy(&logits, &y)?;
        adam.step(&vars, &loss.backward()?, 1e-3)?;
        loss.to_scalar()
    })
}
