//! Task 1: root mean square norm.

use candle_nn::Init;
use softmark_kit::EPSILON;
use softmark_kit::prelude::*;

/// Divides each position by its root mean square, and scales the channels.
#[derive(Debug)]
pub struct RootMeanSquare {
    weight: Tensor, // [D]
}

impl RmsNorm for RootMeanSquare {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self { weight: vb.get_with_hints(d_model, "weight", Init::Const(1.0))? })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (width, d) = (x.dim(D::Minus1)?, self.weight.dim(0)?);
        if width != d {
            candle_core::bail!("an input of width {width} for a norm over {d} channels");
        }
        let root = (x.sqr()?.mean_keepdim(D::Minus1)? + EPSILON)?.sqrt()?; // [B, T, 1]
        x.broadcast_div(&root)?.broadcast_mul(&self.weight)
    }
}
