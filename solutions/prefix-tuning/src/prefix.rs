//! Task 1: tuning a prefix.
//!
//! The specification is the documentation of [`PrefixTuning`].

use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// A frozen encoder with a prefix before its tokens, and a linear head.
#[derive(Debug)]
pub struct PrefixClassifier {
    base: PretrainedEncoder,
    prefix: Option<Tensor>,
    head: Linear,
}

/// The mean over the tokens whose mask is 1, zeros where there are none.
fn pooled(h: &Tensor, mask: &Tensor) -> Result<Tensor> {
    let real = mask.to_dtype(DType::F32)?.unsqueeze(2)?; // [B, T, 1]
    let sum = h.broadcast_mul(&real)?.sum(1)?; // [B, D]
    let count = real.sum(1)?.clamp(1.0, f64::from(f32::MAX))?; // [B, 1]
    sum.broadcast_div(&count)
}

impl PrefixTuning for PrefixClassifier {
    fn new(config: PrefixConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let d = config.base.d_model;
        let prefix = config.prefix_length.map(|length| vb.get((length, d), "prefix"));
        Ok(Self {
            base: PretrainedEncoder::new(config.base, learning(vb.pp("base"), |_| false))?,
            prefix: prefix.transpose()?,
            head: linear(d, config.classes, vb.pp("classifier"))?,
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let x = self.base.embed(ids)?; // [B, T, D]
        let (b, t, d) = x.dims3()?;
        let h = match &self.prefix {
            None => self.base.encode(&x, mask, train)?,
            Some(prefix) => {
                let length = prefix.dim(0)?;
                let before = prefix.unsqueeze(0)?.broadcast_as((b, length, d))?;
                let seen = Tensor::ones((b, length), mask.dtype(), mask.device())?;
                let x = Tensor::cat(&[&before, &x], 1)?; // [B, P + T, D]
                let mask = Tensor::cat(&[&seen, mask], 1)?; // [B, P + T]
                self.base.encode(&x, &mask, train)?.narrow(1, length, t)?
            }
        };
        self.head.forward(&pooled(&h, mask)?)
    }
}
