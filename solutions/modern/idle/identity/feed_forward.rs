//! Task 2.

use softmark_kit::prelude::*;

pub struct Gated;

impl SwiGlu for Gated {
    fn new(d_model: usize, d_ff: usize, vb: VarBuilder<'_>) -> Result<Self> {
        vb.get((d_ff, d_model), "gate_proj.weight")?;
        vb.get((d_ff, d_model), "up_proj.weight")?;
        vb.get((d_model, d_ff), "down_proj.weight")?;
        Ok(Self)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Ok(x.clone())
    }
}
