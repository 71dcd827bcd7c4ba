//! Task 2: the gated feed-forward network.

use softmark_kit::nn::{Linear, linear_no_bias, ops};
use softmark_kit::prelude::*;

/// Two linear maps side by side, one of them the gate of the other, and a third one back.
#[derive(Debug)]
pub struct Gated {
    gate: Linear,
    up: Linear,
    down: Linear,
}

impl SwiGlu for Gated {
    fn new(d_model: usize, d_ff: usize, vb: VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            gate: linear_no_bias(d_model, d_ff, vb.pp("gate_proj"))?,
            up: linear_no_bias(d_model, d_ff, vb.pp("up_proj"))?,
            down: linear_no_bias(d_ff, d_model, vb.pp("down_proj"))?,
        })
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let gate = ops::silu(&self.gate.forward(x)?)?; // [B, T, F]
        self.down.forward(&(gate * self.up.forward(x)?)?) // [B, T, D]
    }
}
