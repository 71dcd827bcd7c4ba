//! A small classifier with attention and dropout, and data that it can learn.

#![allow(
    dead_code,
    clippy::allow_attributes,
    reason = "each test program uses a part of what is here"
)]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test's helpers")]

use std::cell::Cell;
use std::collections::BTreeMap;

use candle_core::{D, Device, Result, Tensor, Var};
use candle_nn::Init;
use softmark_kit::init::Parameters;
use softmark_kit::rng::Stream;
use softmark_kit::train::{Examples, Model};

/// Number of classes; the ids 1, 2 and 3 determine the class, and all others have no meaning.
pub(crate) const CLASSES: u32 = 3;

/// Returns sequences of 1 to 12 tokens, each with the one id that determines its class.
pub(crate) fn examples(count: usize, seed: u64) -> Examples {
    let mut stream = Stream::derive(seed, "examples", 0);
    let mut below = |n: u64| u32::try_from(stream.below(n)).unwrap();
    let mut examples = Examples::default();
    for _ in 0..count {
        let length = below(12) + 1;
        let label = below(u64::from(CLASSES));
        let mut ids: Vec<u32> = (0..length).map(|_| 4 + below(16)).collect();
        ids[below(u64::from(length)) as usize] = label + 1;
        examples.ids.push(ids);
        examples.labels.push(label);
    }
    examples
}

/// Classifier: embedding, attention of one head with dropout on its weights, residual, mean, linear.
pub(crate) struct Tiny {
    table: Tensor,
    projections: [Tensor; 3],
    weight: Tensor,
    bias: Tensor,
    dropout: f32,
    /// Seed and step of the next dropout mask.
    at: Cell<(u64, u64)>,
}

impl Tiny {
    /// Returns a model of width `d` with dropout probability `dropout`.
    pub(crate) fn new(parameters: &Parameters, d: usize, dropout: f32) -> Self {
        let vb = parameters.builder();
        let normal = |stdev| Init::Randn { mean: 0.0, stdev };
        let narrow = normal(1.0 / (d as f64).sqrt());
        let get = |name: &str| vb.get_with_hints((d, d), name, narrow).unwrap();
        let classes = CLASSES as usize;
        Self {
            table: vb.get_with_hints((20, d), "token_embedding.weight", normal(0.5)).unwrap(),
            projections: ["q_proj.weight", "k_proj.weight", "v_proj.weight"].map(get),
            weight: vb.get_with_hints((classes, d), "classifier.weight", narrow).unwrap(),
            bias: vb.get_with_hints(classes, "classifier.bias", Init::Const(0.0)).unwrap(),
            dropout,
            at: Cell::new((0, 0)),
        }
    }

    fn dropped(&self, x: &Tensor) -> Result<Tensor> {
        let (seed, step) = self.at.get();
        let mut stream = Stream::derive(seed, "tests/dropout", step);
        let keep = 1.0 - self.dropout;
        let mut one = |_| if stream.uniform() < keep { 1.0 / keep } else { 0.0 };
        let mask: Vec<f32> = (0..x.elem_count()).map(&mut one).collect();
        x.mul(&Tensor::from_vec(mask, x.shape(), x.device())?)
    }
}

impl Model for Tiny {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let x = self.table.embedding(&ids.flatten_all()?)?;
        let (b, t) = ids.dims2()?;
        let d = self.table.dim(1)?;
        let project = |weight: &Tensor| x.matmul(&weight.t()?)?.reshape((b, t, d));
        let [query, key, value] = &self.projections;
        let scores = (project(query)?.matmul(&project(key)?.t()?)? / (d as f64).sqrt())?;
        let mask = mask.to_dtype(scores.dtype())?;
        let hidden = ((mask.unsqueeze(1)? - 1.0)? * 1e9)?;
        let weights = candle_nn::ops::softmax(&scores.broadcast_add(&hidden)?, D::Minus1)?;
        let weights = if train { self.dropped(&weights)? } else { weights };
        let attended = weights.matmul(&project(value)?)?;
        let x = (x.reshape((b, t, d))? + attended)?.broadcast_mul(&mask.unsqueeze(2)?)?;
        let mean = x.sum(1)?.broadcast_div(&mask.sum_keepdim(1)?)?;
        mean.matmul(&self.weight.t()?)?.broadcast_add(&self.bias)
    }

    fn begin_step(&self, seed: u64, step: u64) {
        self.at.set((seed, step));
    }
}

/// Returns a model in host memory whose initial parameters depend on the seed alone.
pub(crate) fn tiny(seed: u64, d: usize, dropout: f32) -> (Parameters, Tiny) {
    tiny_on(&Device::Cpu, seed, d, dropout)
}

/// Returns a model on a device whose initial parameters depend on the seed alone.
pub(crate) fn tiny_on(device: &Device, seed: u64, d: usize, dropout: f32) -> (Parameters, Tiny) {
    let parameters = Parameters::new(seed, device);
    let model = Tiny::new(&parameters, d, dropout);
    (parameters, model)
}

/// Returns the bits of every parameter.
pub(crate) fn bits(vars: &BTreeMap<String, Var>) -> BTreeMap<String, Vec<u32>> {
    let of = |var: &Var| {
        let values = var.flatten_all().unwrap().to_vec1::<f32>().unwrap();
        values.into_iter().map(f32::to_bits).collect()
    };
    vars.iter().map(|(name, var)| (name.clone(), of(var))).collect()
}
