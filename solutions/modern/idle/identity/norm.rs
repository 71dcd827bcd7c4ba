//! Task 1.

use softmark_kit::prelude::*;

pub struct RootMeanSquare;

impl RmsNorm for RootMeanSquare {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        vb.get(d_model, "weight")?;
        Ok(Self)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
}
