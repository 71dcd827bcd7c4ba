//! Task 1: a residual connection with a scale.

use candle_nn::Init;
use softmark_kit::prelude::*;

/// Adds a branch to its input, with a scale for each channel.
#[derive(Debug)]
pub struct Scaled {
    scale: Tensor, // [D]
}

impl ScaledResidual for Scaled {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self { scale: vb.get_with_hints(d_model, "scale", Init::Const(1e-4))? })
    }

    fn forward(&self, x: &Tensor, branch: &Tensor) -> Result<Tensor> {
        if x.dim(D::Minus1)? != self.scale.dim(0)? || branch.shape() != x.shape() {
            candle_core::bail!("inputs of shapes {:?} and {:?}", x.shape(), branch.shape());
        }
        x + branch.broadcast_mul(&self.scale)?
    }
}
