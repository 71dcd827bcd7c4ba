//! Layers with gradients; stands in until the fused ones are merged.

use candle_core::{D, Module, Result, Tensor};
use candle_nn::VarBuilder;

pub use candle_nn::{Linear, linear, linear_no_bias};

/// A layer norm with a gradient.
#[derive(Debug, Clone)]
pub struct LayerNorm {
    weight: Tensor,
    bias: Tensor,
    eps: f64,
}

/// Makes a layer norm.
pub fn layer_norm(size: usize, eps: f64, vb: VarBuilder<'_>) -> Result<LayerNorm> {
    let weight = vb.get_with_hints(size, "weight", candle_nn::Init::Const(1.0))?;
    let bias = vb.get_with_hints(size, "bias", candle_nn::Init::Const(0.0))?;
    Ok(LayerNorm { weight, bias, eps })
}

impl Module for LayerNorm {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let x = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let var = x.sqr()?.mean_keepdim(D::Minus1)?;
        let x = x.broadcast_div(&(var + self.eps)?.sqrt()?)?;
        x.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}

/// An embedding.
#[derive(Debug, Clone)]
pub struct Embedding {
    weight: Tensor,
    padding: Option<u32>,
}

/// An embedding whose row `padding` counts as zeros.
pub fn embedding_with_padding(
    rows: usize,
    width: usize,
    padding: u32,
    vb: VarBuilder<'_>,
) -> Result<Embedding> {
    Ok(Embedding { weight: vb.get((rows, width), "weight")?, padding: Some(padding) })
}

/// An embedding.
pub fn embedding(rows: usize, width: usize, vb: VarBuilder<'_>) -> Result<Embedding> {
    Ok(Embedding { weight: vb.get((rows, width), "weight")?, padding: None })
}

impl Module for Embedding {
    fn forward(&self, ids: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let rows = self.weight.index_select(&ids.flatten_all()?, 0)?;
        let rows = rows.reshape((b, t, self.weight.dim(1)?))?;
        let Some(padding) = self.padding else { return Ok(rows) };
        let real = ids.ne(padding)?.to_dtype(rows.dtype())?;
        rows.broadcast_mul(&real.unsqueeze(2)?)
    }
}

/// Dropout from a seeded stream.
#[derive(Debug, Clone, Copy)]
pub struct Dropout(f32);

impl Dropout {
    /// Dropout with probability `p`.
    pub fn new(p: f32) -> Self {
        Self(p)
    }

    /// Drops while training.
    ///
    /// # Errors
    ///
    /// None of its own.
    pub fn forward(&self, xs: &Tensor, train: bool) -> Result<Tensor> {
        if !train || self.0 == 0.0 {
            return Ok(xs.clone());
        }
        let mut stream = dropout::next();
        let scale = 1.0 / (1.0 - self.0);
        let n = xs.elem_count();
        let mask: Vec<f32> =
            (0..n).map(|_| if stream.uniform() < self.0 { 0.0 } else { scale }).collect();
        xs * Tensor::from_vec(mask, xs.shape(), xs.device())?
    }
}

/// Where dropout's numbers come from.
pub mod dropout {
    use std::cell::Cell;

    use crate::rng::Stream;

    thread_local! {
        static AT: Cell<(u64, u64, u64)> = const { Cell::new((0, 0, 0)) };
    }

    /// Begins a step.
    pub fn begin_step(seed: u64, step: u64) {
        AT.set((seed, step, 0));
    }

    pub(crate) fn next() -> Stream {
        let (seed, step, call) = AT.get();
        AT.set((seed, step, call + 1));
        Stream::derive(seed, "dropout", step << 32 | call)
    }
}

/// Functions.
pub mod ops {
    use candle_core::{Result, Tensor};
    pub use candle_nn::ops::softmax;

    /// The exact GELU.
    pub fn gelu_erf(xs: &Tensor) -> Result<Tensor> {
        xs.gelu_erf()
    }
}
