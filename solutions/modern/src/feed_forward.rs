//! Task 2: the gated feed-forward network.

use softmark_kit::nn::{Linear, linear_no_bias, ops};
use softmark_kit::prelude::*;

/// Two linear maps side by side, one of them the gate of the other, and a third one back.
#[derive(Debug)]
pub struct Gated {
    gate_proj: Linear,
    up_proj: Linear,
    down_proj: Linear,
}

impl SwiGlu for Gated {
    fn new(d_model: usize, d_ff: usize, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            gate_proj: linear_no_bias(d_model, d_ff, vb.pp("gate_proj"))?,
            up_proj: linear_no_bias(d_model, d_ff, vb.pp("up_proj"))?,
            down_proj: linear_no_bias(d_ff, d_model, vb.pp("down_proj"))?,
        })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let gate = ops::silu(&self.gate_proj.forward(x)?)?; // [B, T, F]
        self.down_proj.forward(&(gate * self.up_proj.forward(x)?)?) // [B, T, D]
    }
}
