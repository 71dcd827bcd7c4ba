//! The position-wise feed-forward network. Provided; leave it as it is.

use softmark_kit::nn::{Dropout, Linear, linear, ops};
use softmark_kit::prelude::*;

/// Two linear maps with an activation between them.
#[derive(Debug)]
pub struct TwoLinear {
    linear1: Linear,
    linear2: Linear,
    activation: Activation,
    dropout: Dropout,
}

impl FeedForward for TwoLinear {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model, d_ff, activation, .. } = config;
        Ok(Self {
            linear1: linear(d_model, d_ff, vb.pp("linear1"))?,
            linear2: linear(d_ff, d_model, vb.pp("linear2"))?,
            activation,
            dropout: Dropout::new(config.dropout),
        })
    }

    fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor> {
        let hidden = self.linear1.forward(&x.contiguous()?)?; // [B, T, F]
        let hidden = match self.activation {
            Activation::Relu => hidden.relu()?,
            Activation::Gelu => ops::gelu_erf(&hidden)?,
        };
        let hidden = self.dropout.forward(&hidden, train)?;
        self.linear2.forward(&hidden) // [B, T, D]
    }
}
