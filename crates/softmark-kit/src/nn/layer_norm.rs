//! Layer normalization.

use candle_core::{CpuStorage, CustomOp3, D, DType, Layout, Module, Result, Shape, Tensor, bail};
use candle_nn::{Init, VarBuilder};

pub use candle_nn::LayerNormConfig;

use crate::nn::composed;
use crate::nn::kernel::{
    Host, Real, block_of, contiguous, dot, dot3, fold2, fuses, kernel, of_shape, sum, written,
};

/// Layer normalization over the last axis.
///
/// ```text
/// y = (x − mean) / √(variance + eps) · weight + bias
/// ```
///
/// with the mean and the (biased) variance of each row of `D` numbers.
/// From Ba, Kiros and Hinton, *Layer Normalization* (2016).
///
/// Unlike candle-nn's layer of this name, it has a gradient, for `x`, `weight` and `bias`.
#[derive(Debug, Clone)]
pub struct LayerNorm {
    weight: Tensor,
    bias: Option<Tensor>,
    remove_mean: bool,
    eps: f64,
}

impl LayerNorm {
    /// Returns a layer norm with weight and bias, each `[D]`.
    pub fn new(weight: Tensor, bias: Tensor, eps: f64) -> Self {
        Self { weight, bias: Some(bias), remove_mean: true, eps }
    }

    /// Returns a layer norm without a bias.
    pub fn new_no_bias(weight: Tensor, eps: f64) -> Self {
        Self { weight, bias: None, remove_mean: true, eps }
    }

    /// Returns a norm without a bias that does not subtract the mean: Zhang and Sennrich, *Root Mean Square
    /// Layer Normalization* (2019).
    pub fn rms_norm(weight: Tensor, eps: f64) -> Self {
        Self { weight, bias: None, remove_mean: false, eps }
    }

    /// Returns the scale of each channel, `[D]`.
    pub fn weight(&self) -> &Tensor {
        &self.weight
    }

    /// Returns the bias of each channel, `[D]`, if there is one.
    pub fn bias(&self) -> Option<&Tensor> {
        self.bias.as_ref()
    }

    /// Returns ε, which is added to the variance.
    pub fn eps(&self) -> f64 {
        self.eps
    }

    /// Returns true if the mean is subtracted.
    pub fn remove_mean(&self) -> bool {
        self.remove_mean
    }
}

impl Module for LayerNorm {
    /// Normalizes each row: `[…, D]` to `[…, D]`.
    ///
    /// # Errors
    ///
    /// Fails if the last axis does not have the length of the weight, or if the types differ.
    fn forward(&self, xs: &Tensor) -> Result<Tensor> {
        let width = xs.dim(D::Minus1)?;
        if self.weight.dims() != [width] {
            let weight = self.weight.shape();
            bail!("layer norm over {width} channels got a weight of shape {weight:?}")
        }
        match &self.bias {
            Some(bias) if self.remove_mean && fuses(xs) && self.weight.dtype() == xs.dtype() => {
                let (weight, bias) = (self.weight.contiguous()?, bias.contiguous()?);
                xs.contiguous()?.apply_op3(&weight, &bias, Normalise { eps: self.eps })
            }
            bias => {
                composed::layer_norm(xs, &self.weight, bias.as_ref(), self.eps, self.remove_mean)
            }
        }
    }
}

/// Constructs a layer norm over `size` channels with the parameters `weight` (initially ones) and `bias`
/// (zeros); the names of older files, `gamma` and `beta`, are accepted too.
///
/// # Errors
///
/// Fails if a parameter is missing from `vb` or has another shape.
pub fn layer_norm<C: Into<LayerNormConfig>>(
    size: usize,
    config: C,
    vb: VarBuilder<'_>,
) -> Result<LayerNorm> {
    let config = config.into();
    let named =
        |new, old| if !vb.contains_tensor(new) && vb.contains_tensor(old) { old } else { new };
    let weight = vb.get_with_hints(size, named("weight", "gamma"), Init::Const(1.0))?;
    let bias = if config.affine {
        Some(vb.get_with_hints(size, named("bias", "beta"), Init::Const(0.0))?)
    } else {
        None
    };
    Ok(LayerNorm { weight, bias, remove_mean: config.remove_mean, eps: config.eps })
}

/// Constructs a layer norm without a bias.
///
/// # Errors
///
/// Returns the errors of [`layer_norm`].
pub fn layer_norm_no_bias(size: usize, eps: f64, vb: VarBuilder<'_>) -> Result<LayerNorm> {
    layer_norm(size, LayerNormConfig { eps, remove_mean: true, affine: false }, vb)
}

/// Returns a row's mean, and 1 / √(variance + eps).
#[inline(always)]
pub(in crate::nn) fn moments<T: Real>(x: &[T], eps: T) -> (T, T) {
    let n = T::from_f64(x.len() as f64);
    let mean = sum(x) / n;
    let square = |sum: T, x: T, _: T| {
        let away = x - mean;
        away.mul_add(away, sum)
    };
    let variance = fold2(x, x, square) / n;
    (mean, T::one() / (variance + eps).sqrt())
}

kernel! {
    fn forward<'a, T>(x: &'a [T], weight: &'a [T], bias: &'a [T], y: &'a mut [T], eps: T) -> () {
        let width = weight.len();
        for (x, y) in x.chunks_exact(width).zip(y.chunks_exact_mut(width)) {
            let (mean, scale) = moments(x, eps);
            for (((y, &x), &w), &b) in y.iter_mut().zip(x).zip(weight).zip(bias) {
                *y = ((x - mean) * scale).mul_add(w, b);
            }
        }
    }
}

kernel! {
    /// Computes the gradients. With `n = (x − mean) · scale` and `h = g · weight`:
    /// `dx = scale · (h − mean(h) − n · mean(h · n))`, `dweight = Σ g · n`, `dbias = Σ g`.
    fn backward<'a, T>(
        x: &'a [T], weight: &'a [T], g: &'a [T], dx: &'a mut [T], sums: &'a mut [T], eps: T,
    ) -> () {
        let width = weight.len();
        let count = T::from_f64(width as f64);
        let (dweight, dbias) = sums.split_at_mut(width);
        let rows = x.chunks_exact(width).zip(g.chunks_exact(width));
        for ((x, g), dx) in rows.zip(dx.chunks_exact_mut(width)) {
            let (mean, scale) = moments(x, eps);
            // dx contains n until both means are known.
            let channels = dx.iter_mut().zip(x).zip(g).zip(dweight.iter_mut()).zip(dbias.iter_mut());
            for ((((dx, &x), &g), dw), db) in channels {
                let n = (x - mean) * scale;
                *dx = n;
                *dw = g.mul_add(n, *dw);
                *db += g;
            }
            let mean_h = dot(g, weight) / count;
            let mean_hn = dot3(g, weight, dx) / count;
            for ((dx, &g), &w) in dx.iter_mut().zip(g).zip(weight) {
                let away = g.mul_add(w, -mean_h);
                *dx = scale * (-*dx).mul_add(mean_hn, away);
            }
        }
    }
}

/// The fused operation.
#[derive(Debug, Clone, Copy)]
struct Normalise {
    eps: f64,
}

impl Normalise {
    fn forward<T: Real>(self, x: &[T], weight: &[T], bias: &[T]) -> Vec<T> {
        let block = (block_of(weight.len()) * weight.len()).max(1);
        let work = |x, y: &mut [T]| forward(x, weight, bias, y, T::from_f64(self.eps));
        written(x.len(), block, x.chunks(block), work).0
    }

    fn backward<T: Real>(self, x: &Tensor, weight: &Tensor, grad: &Tensor) -> Result<[Tensor; 3]> {
        let grad = grad.contiguous()?;
        let (hx, hw, hg) = (Host::of(x), Host::of(weight), Host::of(&grad));
        let (xs, ws, gs) = (hx.slice::<T>()?, hw.slice::<T>()?, hg.slice::<T>()?);
        let width = ws.len();
        let block = (block_of(width) * width).max(1);
        let inputs = xs.chunks(block).zip(gs.chunks(block));
        let (dx, partial) = written(xs.len(), block, inputs, |(x, g), dx| {
            let mut sums = vec![T::zero(); 2 * width];
            backward(x, ws, g, dx, &mut sums, T::from_f64(self.eps));
            sums
        });
        let mut sums = vec![T::zero(); 2 * width];
        for partial in partial {
            for (sum, part) in sums.iter_mut().zip(partial) {
                *sum += part;
            }
        }
        let dbias = sums.split_off(width);
        let device = x.device();
        Ok([
            Tensor::from_vec(dx, x.shape(), device)?,
            Tensor::from_vec(sums, width, device)?,
            Tensor::from_vec(dbias, width, device)?,
        ])
    }
}

impl CustomOp3 for Normalise {
    fn name(&self) -> &'static str {
        "layer-norm"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let shape = x_layout.shape();
        if let CpuStorage::F64(_) = x {
            let (w, b) = (contiguous(weight, weight_layout)?, contiguous(bias, bias_layout)?);
            return Ok(of_shape(self.forward::<f64>(contiguous(x, x_layout)?, w, b), shape));
        }
        let (w, b) = (contiguous(weight, weight_layout)?, contiguous(bias, bias_layout)?);
        Ok(of_shape(self.forward::<f32>(contiguous(x, x_layout)?, w, b), shape))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        _: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let [dx, dweight, dbias] = if x.dtype() == DType::F64 {
            self.backward::<f64>(x, weight, grad)?
        } else {
            self.backward::<f32>(x, weight, grad)?
        };
        Ok((Some(dx), Some(dweight), Some(dbias)))
    }
}
