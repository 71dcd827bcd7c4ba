//! Pooling from candle's own operations.

use candle_core::{DType, Result, Tensor};

use crate::nn::options::Pooling;

/// Composed version of the functions of [`pooling`](crate::nn::pooling), selected by `kind`.
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn pooling(x: &Tensor, mask: &Tensor, kind: Pooling) -> Result<Tensor> {
    let (b, t, _) = x.dims3()?;
    let real = mask.ne(0_u8)?.to_dtype(x.dtype())?; // [B, T]
    let zeros = x.zeros_like()?;
    let seen = mask.ne(0_u8)?.unsqueeze(2)?.broadcast_as(x.shape())?;
    match kind {
        Pooling::Mean => {
            let count = real.sum_keepdim(1)?.maximum(1.0)?; // [B, 1]
            seen.where_cond(x, &zeros)?.sum(1)?.broadcast_div(&count)
        }
        Pooling::Max => {
            let low = zeros.affine(0.0, f64::from(f32::MIN))?;
            let first = first_largest(&seen.where_cond(&x.detach(), &low)?)?;
            let largest = first.where_cond(x, &zeros)?.sum(1)?; // [B, D]
            let any = real.max_keepdim(1)?.ne(0.0)?.broadcast_as(largest.shape())?;
            any.where_cond(&largest, &largest.zeros_like()?)
        }
        Pooling::First => {
            let rows = mask.to_dtype(DType::U8)?.to_vec2::<u8>()?;
            let first = |row: &Vec<u8>| row.iter().position(|&seen| seen != 0);
            let choice = rows.iter().flat_map(|row| {
                let first = first(row);
                (0..t).map(move |n| f64::from(u8::from(Some(n) == first)))
            });
            let choice = Tensor::from_vec(choice.collect::<Vec<_>>(), (b, t, 1), x.device())?;
            let choice = choice.to_dtype(x.dtype())?.ne(0.0)?.broadcast_as(x.shape())?;
            choice.where_cond(x, &zeros)?.sum(1)
        }
    }
}

/// Returns a mask, `[B, T, D]`, of the first position at which each channel of `x` is largest.
///
/// candle's own `max` passes the gradient to every number that equals the maximum, and not to one of them.
fn first_largest(x: &Tensor) -> Result<Tensor> {
    let t = x.dim(1)?;
    let from_the_end: Vec<f64> = (0..t).map(|n| (t - n) as f64).collect();
    let from_the_end =
        Tensor::from_vec(from_the_end, (1, t, 1), x.device())?.to_dtype(DType::F32)?;
    let largest = x.broadcast_eq(&x.max_keepdim(1)?)?.to_dtype(DType::F32)?;
    let rank = largest.broadcast_mul(&from_the_end)?;
    rank.broadcast_eq(&rank.max_keepdim(1)?)
}
