//! Task 1.

use softmark_kit::prelude::*;

pub struct RootMeanSquare;

impl RmsNorm for RootMeanSquare {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        candle_core::bail!("not made")
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        candle_core::bail!("no {:?}", x.dims())
    }
}
