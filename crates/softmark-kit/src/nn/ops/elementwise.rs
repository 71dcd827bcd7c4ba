//! Activation functions, applied to each element.

use std::fmt::Debug;

use candle_core::{CpuStorage, CustomOp1, DType, Layout, Result, Shape, Tensor};

use crate::nn::kernel::{Host, Real, block_of, contiguous, each, fuses, kernel, of_shape, written};
use crate::nn::{Activation, composed};

/// Computes GELU approximated by a hyperbolic tangent, as in GPT-2.
///
/// ```text
/// y = ½ · x · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))
/// ```
///
/// From Hendrycks and Gimpel, *Gaussian Error Linear Units* (2016), section 2. The exact form is
/// [`gelu_erf`].
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn gelu(xs: &Tensor) -> Result<Tensor> {
    apply(xs, TanhGelu, composed::gelu)
}

/// Computes the exact GELU `y = x · Φ(x)`, with Φ the distribution function of the normal distribution, as
/// PyTorch and BERT use it.
///
/// From Hendrycks and Gimpel, *Gaussian Error Linear Units* (2016), section 2.
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn gelu_erf(xs: &Tensor) -> Result<Tensor> {
    apply(xs, ErfGelu, composed::gelu_erf)
}

/// Computes `y = max(x, 0)`; its gradient at 0 is 0.
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn relu(xs: &Tensor) -> Result<Tensor> {
    apply(xs, Relu, composed::relu)
}

/// Computes `y = 1 / (1 + e⁻ˣ)`.
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn sigmoid(xs: &Tensor) -> Result<Tensor> {
    apply(xs, Sigmoid, composed::sigmoid)
}

/// Computes `y = x / (1 + e⁻ˣ)`, also called swish.
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn silu(xs: &Tensor) -> Result<Tensor> {
    apply(xs, Silu, composed::silu)
}

fn apply<F: Curve>(
    xs: &Tensor,
    curve: F,
    otherwise: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    if fuses(xs) { xs.contiguous()?.apply_op1(Elementwise(curve)) } else { otherwise(xs) }
}

/// A function of one number, and its derivative.
trait Curve: Copy + Debug + Send + Sync + 'static {
    const NAME: &'static str;
    fn value<T: Real>(self, x: T) -> T;
    fn slope<T: Real>(self, x: T) -> T;
}

#[derive(Debug, Clone, Copy)]
struct Relu;

impl Curve for Relu {
    const NAME: &'static str = "relu";

    #[inline(always)]
    fn value<T: Real>(self, x: T) -> T {
        // NaN stays NaN.
        if x <= T::zero() { T::zero() } else { x }
    }

    #[inline(always)]
    fn slope<T: Real>(self, x: T) -> T {
        if x > T::zero() { T::one() } else { T::zero() }
    }
}

#[derive(Debug, Clone, Copy)]
struct Sigmoid;

impl Curve for Sigmoid {
    const NAME: &'static str = "sigmoid";

    #[inline(always)]
    fn value<T: Real>(self, x: T) -> T {
        T::one() / (T::one() + (-x).exp())
    }

    #[inline(always)]
    fn slope<T: Real>(self, x: T) -> T {
        let y = self.value(x);
        y * (T::one() - y)
    }
}

#[derive(Debug, Clone, Copy)]
struct Silu;

impl Curve for Silu {
    const NAME: &'static str = "silu";

    #[inline(always)]
    fn value<T: Real>(self, x: T) -> T {
        x * Sigmoid.value(x)
    }

    #[inline(always)]
    fn slope<T: Real>(self, x: T) -> T {
        let y = Sigmoid.value(x);
        y * (x * (T::one() - y) + T::one())
    }
}

#[derive(Debug, Clone, Copy)]
struct ErfGelu;

impl Curve for ErfGelu {
    const NAME: &'static str = "gelu-erf";

    #[inline(always)]
    fn value<T: Real>(self, x: T) -> T {
        x * x.normal().0
    }

    #[inline(always)]
    fn slope<T: Real>(self, x: T) -> T {
        let (below, density) = x.normal();
        x.mul_add(density, below)
    }
}

/// GELU with the hyperbolic tangent as a sigmoid: ½ · (1 + tanh u) = σ(2u).
#[derive(Debug, Clone, Copy)]
struct TanhGelu;

/// √(2/π) · 2, and the same number times 0.044715.
const TANH_GELU: [f64; 2] = [1.595_769_121_605_730_7, 0.071_354_816_272_600_24];

impl Curve for TanhGelu {
    const NAME: &'static str = "gelu";

    #[inline(always)]
    fn value<T: Real>(self, x: T) -> T {
        let [linear, cubic] = TANH_GELU.map(T::from_f64);
        x * Sigmoid.value(x * (x * x).mul_add(cubic, linear))
    }

    #[inline(always)]
    fn slope<T: Real>(self, x: T) -> T {
        let [linear, cubic] = TANH_GELU.map(T::from_f64);
        let square = x * x;
        let y = Sigmoid.value(x * square.mul_add(cubic, linear));
        let rise = x * square.mul_add(T::from_f64(3.0) * cubic, linear);
        y * rise.mul_add(T::one() - y, T::one())
    }
}

kernel! {
    fn forward<'a, T, F: Curve>(curve: F, x: &'a [T], y: &'a mut [T]) -> () {
        for (y, &x) in y.iter_mut().zip(x) {
            *y = curve.value(x);
        }
    }
}

kernel! {
    fn backward<'a, T, F: Curve>(curve: F, x: &'a [T], g: &'a [T], dx: &'a mut [T]) -> () {
        for ((dx, &x), &g) in dx.iter_mut().zip(x).zip(g) {
            *dx = g * curve.slope(x);
        }
    }
}

kernel! {
    fn scale_by_slope<'a, T, F: Curve>(curve: F, x: &'a [T], g: &'a mut [T]) -> () {
        for (g, &x) in g.iter_mut().zip(x) {
            *g *= curve.slope(x);
        }
    }
}

kernel! {
    fn shift_and_forward<'a, T, F: Curve>(
        curve: F, x: &'a mut [T], bias: &'a [T], y: &'a mut [T],
    ) -> () {
        let rows = x.chunks_exact_mut(bias.len()).zip(y.chunks_exact_mut(bias.len()));
        for (x, y) in rows {
            for ((x, y), &b) in x.iter_mut().zip(y).zip(bias) {
                *x += b;
                *y = curve.value(*x);
            }
        }
    }
}

/// Evaluates `$work` with the curve of an activation.
macro_rules! with_curve {
    ($activation:expr, $curve:ident => $work:expr) => {
        match $activation {
            Activation::Gelu => {
                let $curve = ErfGelu;
                $work
            }
            Activation::NewGelu | Activation::GeluPytorchTanh => {
                let $curve = TanhGelu;
                $work
            }
            Activation::Relu => {
                let $curve = Relu;
                $work
            }
            Activation::Silu => {
                let $curve = Silu;
                $work
            }
            Activation::Sigmoid => {
                let $curve = Sigmoid;
                $work
            }
        }
    };
}

/// Adds the bias to each row of `x`, and returns the activation of each element.
pub(in crate::nn) fn shift_and_activate<T: Real>(
    activation: Activation,
    x: &mut [T],
    bias: &[T],
) -> Vec<T> {
    let (len, block) = (x.len(), (block_of(bias.len()) * bias.len()).max(1));
    let parts = x.chunks_mut(block);
    with_curve!(activation, curve => {
        written(len, block, parts, |x, y| shift_and_forward(curve, x, bias, y)).0
    })
}

/// Replaces the gradients of an activation's result by those of its input `x`.
pub(in crate::nn) fn slope_back<T: Real>(activation: Activation, x: &[T], g: &mut [T]) {
    let block = block_of(1);
    let tasks = x.chunks(block).zip(g.chunks_mut(block)).collect();
    with_curve!(activation, curve => each(tasks, |(x, g)| scale_by_slope(curve, x, g)));
}

/// The fused operation.
#[derive(Debug, Clone, Copy)]
struct Elementwise<F>(F);

impl<F: Curve> Elementwise<F> {
    fn forward<T: Real>(self, x: &[T]) -> Vec<T> {
        let block = block_of(1);
        written(x.len(), block, x.chunks(block), |x, y| forward(self.0, x, y)).0
    }

    fn backward<T: Real>(self, arg: &Tensor, grad: &Tensor) -> Result<Tensor> {
        let grad = grad.contiguous()?;
        let (x, g) = (Host::of(arg), Host::of(&grad));
        let (x, g) = (x.slice::<T>()?, g.slice::<T>()?);
        let block = block_of(1);
        let inputs = x.chunks(block).zip(g.chunks(block));
        let (dx, _) = written(x.len(), block, inputs, |(x, g), dx| backward(self.0, x, g, dx));
        Tensor::from_vec(dx, arg.shape(), arg.device())
    }
}

impl<F: Curve> CustomOp1 for Elementwise<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        if let CpuStorage::F64(_) = storage {
            let y = self.forward::<f64>(contiguous(storage, layout)?);
            return Ok(of_shape(y, layout.shape()));
        }
        let y = self.forward::<f32>(contiguous(storage, layout)?);
        Ok(of_shape(y, layout.shape()))
    }

    fn bwd(&self, arg: &Tensor, _: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        if arg.dtype() == DType::F64 {
            self.backward::<f64>(arg, grad).map(Some)
        } else {
            self.backward::<f32>(arg, grad).map(Some)
        }
    }
}
