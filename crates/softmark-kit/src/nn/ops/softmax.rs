//! Softmax and its logarithm along an axis.

use candle_core::shape::Dim;
use candle_core::{CpuStorage, CustomOp1, D, DType, Layout, Result, Shape, Tensor};

use crate::nn::composed;
use crate::nn::kernel::{
    Host, Real, block_of, contiguous, dot, fold, fuses, kernel, max, of_shape, sum, written,
};

/// Computes the softmax along an axis.
///
/// ```text
/// y[i] = exp(x[i]) / Σⱼ exp(x[j])
/// ```
///
/// # Shapes
///
/// - `xs`: any shape; `f32`, or any other floating point type
/// - returns the same shape and type
///
/// A score of −∞, or one more than 87 below the largest, gets a weight of exactly 0. If all scores are −∞ the
/// result is `NaN`, as in the formula.
///
/// # Errors
///
/// Fails if there is no such axis.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use softmark_kit::nn::ops::softmax;
///
/// let x = Tensor::new(&[[0_f32, 0.0, f32::NEG_INFINITY]], &Device::Cpu)?;
/// assert_eq!(softmax(&x, 1)?.to_vec2::<f32>()?, [[0.5, 0.5, 0.0]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn softmax<A: Dim>(xs: &Tensor, dim: A) -> Result<Tensor> {
    along(xs, dim.to_index(xs.shape(), "softmax")?, softmax_last_dim)
}

/// Computes the softmax along the last axis; unlike candle-nn's function of this name, it has a gradient.
///
/// # Errors
///
/// Fails if `xs` is a scalar.
pub fn softmax_last_dim(xs: &Tensor) -> Result<Tensor> {
    if !fuses(xs) {
        return composed::softmax(xs, D::Minus1);
    }
    D::Minus1.to_index(xs.shape(), "softmax")?;
    xs.contiguous()?.apply_op1(Softmax { logarithm: false })
}

/// Computes the logarithm of [`softmax`]: `y[i] = x[i] − ln Σⱼ exp(x[j])`.
///
/// # Errors
///
/// Fails if there is no such axis.
pub fn log_softmax<A: Dim>(xs: &Tensor, dim: A) -> Result<Tensor> {
    along(xs, dim.to_index(xs.shape(), "log-softmax")?, log_softmax_of_rows)
}

fn log_softmax_of_rows(xs: &Tensor) -> Result<Tensor> {
    if fuses(xs) {
        xs.contiguous()?.apply_op1(Softmax { logarithm: true })
    } else {
        composed::log_softmax(xs, D::Minus1)
    }
}

/// Applies `f` along an axis: moves the axis to the end, as the kernels require, and back. The result is contiguous, as
/// candle-nn's is: matrix products and other operations require that.
fn along(xs: &Tensor, dim: usize, f: impl Fn(&Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let last = xs.rank() - 1;
    if dim == last {
        return f(xs);
    }
    f(&xs.transpose(dim, last)?)?.transpose(dim, last)?.contiguous()
}

kernel! {
    /// Converts rows of `width` scores to weights, or to their logarithms.
    fn forward<'a, T>(x: &'a [T], y: &'a mut [T], width: usize, logarithm: bool) -> () {
        for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
            let largest = max(x);
            if logarithm {
                let total = fold(x, T::zero(), |sum, x| sum + (x - largest).exp(), |a, b| a + b);
                let shift = total.ln();
                for (y, &x) in y.iter_mut().zip(x) {
                    // The order matters: largest + shift would lose small numbers to rounding.
                    *y = x - largest - shift;
                }
            } else {
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = (x - largest).exp();
                }
                let scale = T::one() / sum(y);
                for y in y {
                    *y *= scale;
                }
            }
        }
    }
}

kernel! {
    /// Computes ∂/∂x of rows: `y · (g − Σ g·y)` for the softmax, and `g − exp(y) · Σ g` for its logarithm.
    fn backward<'a, T>(
        y: &'a [T], g: &'a [T], dx: &'a mut [T], width: usize, logarithm: bool,
    ) -> () {
        let rows = y.chunks_exact(width).zip(g.chunks_exact(width));
        for ((y, g), dx) in rows.zip(dx.chunks_exact_mut(width)) {
            if logarithm {
                let total = sum(g);
                for ((dx, &y), &g) in dx.iter_mut().zip(y).zip(g) {
                    *dx = (-total).mul_add(y.exp(), g);
                }
            } else {
                let mean = dot(g, y);
                for ((dx, &y), &g) in dx.iter_mut().zip(y).zip(g) {
                    *dx = y * (g - mean);
                }
            }
        }
    }
}

/// The fused operation.
#[derive(Debug, Clone, Copy)]
struct Softmax {
    logarithm: bool,
}

impl Softmax {
    fn forward<T: Real>(self, x: &[T], shape: &Shape) -> Vec<T> {
        let width = shape.dims().last().copied().unwrap_or(1).max(1);
        let block = block_of(width) * width;
        let work = |x, y: &mut [T]| forward(x, y, width, self.logarithm);
        written(x.len(), block, x.chunks(block), work).0
    }

    fn backward<T: Real>(self, res: &Tensor, grad: &Tensor) -> Result<Tensor> {
        let (res, grad) = (res.contiguous()?, grad.contiguous()?);
        let (y, g) = (Host::of(&res), Host::of(&grad));
        let (y, g) = (y.slice::<T>()?, g.slice::<T>()?);
        let width = res.dims().last().copied().unwrap_or(1).max(1);
        let block = block_of(width) * width;
        let inputs = y.chunks(block).zip(g.chunks(block));
        let work = |(y, g), dx: &mut [T]| backward(y, g, dx, width, self.logarithm);
        let (dx, _) = written(y.len(), block, inputs, work);
        Tensor::from_vec(dx, res.shape(), res.device())
    }
}

impl CustomOp1 for Softmax {
    fn name(&self) -> &'static str {
        if self.logarithm { "log-softmax" } else { "softmax" }
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let shape = layout.shape();
        if let CpuStorage::F64(_) = storage {
            let y = self.forward::<f64>(contiguous(storage, layout)?, shape);
            return Ok(of_shape(y, shape));
        }
        let y = self.forward::<f32>(contiguous(storage, layout)?, shape);
        Ok(of_shape(y, shape))
    }

    fn bwd(&self, _: &Tensor, res: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if res.dtype() == DType::F64 {
            self.backward::<f64>(res, grad).map(Some)
        } else {
            self.backward::<f32>(res, grad).map(Some)
        }
    }
}
