//! Replacing masked elements.

use candle_core::{Result, Tensor};

/// Replaces the elements of `x` whose mask is not 0 by `value`, whatever they are: `y = value where mask ≠ 0, else x`.
///
/// `mask` has dtype `u8`, and is broadcast to the shape of `x`. The result has the shape and dtype of `x`. The gradient of a
/// replaced element is 0.
///
/// Beware of the direction: in this course a mask has a 1 where an element takes part, which is where nothing is to be
/// replaced.
///
/// # Errors
///
/// Fails if `mask` cannot be broadcast to the shape of `x`, or has a floating-point dtype.
///
/// # Examples
///
/// ```
/// use candle_core::{Device, Tensor};
/// use softmark_kit::nn::ops::masked_fill;
///
/// let x = Tensor::new(&[[1_f32, f32::INFINITY], [3.0, 4.0]], &Device::Cpu)?;
/// let hidden = Tensor::new(&[0_u8, 1], &Device::Cpu)?;
/// let filled = masked_fill(&x, &hidden, -1.0)?;
/// assert_eq!(filled.to_vec2::<f32>()?, [[1.0, -1.0], [3.0, -1.0]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn masked_fill(x: &Tensor, mask: &Tensor, value: f64) -> Result<Tensor> {
    let mask = mask.broadcast_as(x.shape())?;
    let filling = Tensor::new(value, x.device())?.to_dtype(x.dtype())?.broadcast_as(x.shape())?;
    mask.where_cond(&filling, x)
}

#[cfg(test)]
mod tests {
    use candle_core::{DType, Device, Var};

    use super::*;

    #[test]
    fn what_is_replaced_has_no_gradient() {
        let x = Var::new(&[[1_f64, f64::NAN], [3.0, 4.0]], &Device::Cpu).unwrap();
        let mask = Tensor::new(&[[0_u8, 1], [0, 0]], &Device::Cpu).unwrap();
        let filled = masked_fill(&x, &mask, 0.5).unwrap();
        assert_eq!(filled.dtype(), DType::F64);
        assert_eq!(filled.to_vec2::<f64>().unwrap(), [[1.0, 0.5], [3.0, 4.0]]);
        let gradients = filled.sum_all().unwrap().backward().unwrap();
        let gradient = gradients.get(&x).unwrap().to_vec2::<f64>().unwrap();
        assert_eq!(gradient, [[1.0, 0.0], [1.0, 1.0]]);
    }

    #[test]
    fn a_mask_that_does_not_fit_is_an_error() {
        let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu).unwrap();
        let mask = Tensor::zeros((2, 2), DType::U8, &Device::Cpu).unwrap();
        assert!(masked_fill(&x, &mask, 0.0).is_err());
        assert!(masked_fill(&x, &mask.to_dtype(DType::F32).unwrap(), 0.0).is_err());
    }
}
