//! Task 5: pooling that looks only at real tokens.

use softmark_kit::prelude::*;

/// Mean, maximum or first token.
#[derive(Debug)]
pub struct Pooled {
    kind: Pooling,
}

impl MaskedPooling for Pooled {
    fn new(kind: Pooling) -> Self {
        Self { kind }
    }

    fn pool(&self, x: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        let mask = match mask {
            Some(mask) => mask.clone(),
            None => Tensor::ones((b, t), DType::U8, x.device())?,
        };
        if mask.dims2()? != (b, t) {
            candle_core::bail!("a mask of shape {:?} for {b} sequences of {t}", mask.dims());
        }
        let zeros = x.zeros_like()?; // [B, T, D]
        let real = mask.unsqueeze(2)?.broadcast_as((b, t, d))?; // [B, T, D]
        let count = mask.to_dtype(DType::F32)?.sum_keepdim(1)?; // [B, 1]
        let any = count.gt(0_f64)?.broadcast_as((b, d))?; // [B, D]
        let nothing = Tensor::zeros((b, d), DType::F32, x.device())?;
        let pooled = match self.kind {
            Pooling::Mean => {
                let sum = real.where_cond(x, &zeros)?.sum(1)?; // [B, D]
                sum.broadcast_div(&count.maximum(1_f64)?)?
            }
            Pooling::Max => {
                let lowest = (x.ones_like()? * f64::from(f32::MIN))?;
                real.where_cond(x, &lowest)?.max(1)?
            }
            Pooling::First => {
                let first = mask.argmax_keepdim(1)?; // [B, 1]
                let index = first.unsqueeze(2)?.broadcast_as((b, 1, d))?.contiguous()?;
                x.contiguous()?.gather(&index, 1)?.squeeze(1)?
            }
        };
        any.where_cond(&pooled, &nothing)
    }
}
