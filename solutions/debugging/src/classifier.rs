//! The classifier. Provided; leave it as it is.

use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// An encoder, the mean over the real tokens, and a linear head.
#[expect(missing_debug_implementations, reason = "the encoder inside has none")]
pub struct Classifier {
    encoder: Box<dyn Encoder>,
    head: Linear,
}

impl TextClassifier for Classifier {
    fn new(
        config: EncoderConfig,
        classes: usize,
        below: &dyn ClassifierParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        Ok(Self {
            encoder: below.encoder(vb.clone())?,
            head: linear(config.d_model, classes, vb.pp("classifier"))?,
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let x = self.encoder.forward(ids, mask, train)?; // [B, T, D]
        let real = mask.unsqueeze(2)?.broadcast_as(x.shape())?;
        let sum = real.where_cond(&x, &x.zeros_like()?)?.sum(1)?; // [B, D]
        let count = mask.to_dtype(DType::F32)?.sum_keepdim(1)?.maximum(1_f64)?; // [B, 1]
        self.head.forward(&sum.broadcast_div(&count)?)
    }
}
