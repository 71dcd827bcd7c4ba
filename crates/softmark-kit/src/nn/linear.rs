//! The linear layer.

use candle_core::backend::BackendStorage;
use candle_core::{
    CpuStorage, CustomOp2, CustomOp3, D, DType, Layout, Module, Result, Shape, Tensor, bail,
};
use candle_nn::{Init, VarBuilder};

use crate::nn::composed;
use crate::nn::kernel::{Host, Real, block_of, each, fuses, kernel};

/// A linear layer: `y = x · Wᵀ + b`.
///
/// # Shapes
///
/// - `weight`: `[out, in]`, output first
/// - `bias`: `[out]`
/// - `forward` takes `[…, in]` and returns `[…, out]`
///
/// The input may be any view: candle-nn's layer of this name gives wrong numbers, and no error, for a batch
/// whose last two axes were swapped.
///
/// ```
/// use candle_core::{Device, Module, Tensor};
/// use softmark_kit::nn::Linear;
///
/// let weight = Tensor::new(&[[1_f32, 10.0]], &Device::Cpu)?; // [1, 2]
/// let layer = Linear::new(weight, None);
/// let x = Tensor::new(&[[[1_f32, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]], &Device::Cpu)?;
/// let y = layer.forward(&x.transpose(1, 2)?)?; // columns as rows
/// assert_eq!(y.flatten_all()?.to_vec1::<f32>()?, [31.0, 42.0, 75.0, 86.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Linear {
    weight: Tensor,
    bias: Option<Tensor>,
}

impl Linear {
    /// Returns a layer with a weight `[out, in]` and a bias `[out]`.
    pub fn new(weight: Tensor, bias: Option<Tensor>) -> Self {
        Self { weight, bias }
    }

    /// Returns the weight, `[out, in]`.
    pub fn weight(&self) -> &Tensor {
        &self.weight
    }

    /// Returns the bias, `[out]`, if there is one.
    pub fn bias(&self) -> Option<&Tensor> {
        self.bias.as_ref()
    }
}

impl Module for Linear {
    /// Multiplies each row: `[…, in]` to `[…, out]`.
    ///
    /// # Errors
    ///
    /// Fails if the last axis does not have the length of the weight's, or if the types differ.
    fn forward(&self, xs: &Tensor) -> Result<Tensor> {
        let (out, width) = self.weight.dims2()?;
        if xs.dim(D::Minus1)? != width || width == 0 {
            let shape = xs.shape();
            bail!("a linear layer from {width} to {out} channels got an input of shape {shape:?}")
        }
        if self.bias.as_ref().is_some_and(|bias| bias.dims() != [out]) {
            bail!("the bias of a linear layer to {out} channels has to have the shape [{out}]")
        }
        if !fuses(xs) || self.weight.dtype() != xs.dtype() {
            return composed::linear(xs, &self.weight, self.bias.as_ref());
        }
        let (xs, weight) = (xs.contiguous()?, self.weight.contiguous()?);
        match &self.bias {
            Some(bias) => xs.apply_op3(&weight, &bias.contiguous()?, Product),
            None => xs.apply_op2(&weight, Product),
        }
    }
}

/// Constructs a linear layer with the parameters `weight` and `bias`, initialized as in PyTorch: uniform from
/// −1 / √in to 1 / √in.
///
/// candle-nn's layer of this name starts with weights √6 times as large (Kaiming normal, for a `ReLU` after
/// every layer). Encoders learn slowly with them, since the initial logits are large.
///
/// # Errors
///
/// Fails if a parameter is missing from `vb` or has another shape.
pub fn linear(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    let bias = vb.get_with_hints(out_dim, "bias", initial(in_dim))?;
    Ok(Linear { bias: Some(bias), ..linear_no_bias(in_dim, out_dim, vb)? })
}

/// Constructs a linear layer without a bias.
///
/// # Errors
///
/// Returns the errors of [`linear`].
pub fn linear_no_bias(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    let weight = vb.get_with_hints((out_dim, in_dim), "weight", initial(in_dim))?;
    Ok(Linear { weight, bias: None })
}

/// Returns a uniform initialization with a standard deviation of 1 / √(3 · in).
fn initial(in_dim: usize) -> Init {
    let bound = 1.0 / (in_dim as f64).sqrt();
    Init::Uniform { lo: -bound, up: bound }
}

/// Constructs a linear layer with or without a bias.
///
/// # Errors
///
/// Returns the errors of [`linear`].
pub fn linear_b(in_dim: usize, out_dim: usize, bias: bool, vb: VarBuilder<'_>) -> Result<Linear> {
    if bias { linear(in_dim, out_dim, vb) } else { linear_no_bias(in_dim, out_dim, vb) }
}

kernel! {
    /// Adds the bias to each row of a block.
    fn add_bias<'a, T>(y: &'a mut [T], bias: &'a [T]) -> () {
        for y in y.chunks_exact_mut(bias.len()) {
            for (y, &b) in y.iter_mut().zip(bias) {
                *y += b;
            }
        }
    }
}

/// Adds the bias to each row.
pub(in crate::nn) fn shift<T: Real>(rows: &mut [T], bias: &[T]) {
    let block = block_of(bias.len()) * bias.len();
    each(rows.chunks_mut(block.max(1)).collect(), |rows| add_bias(rows, bias));
}

kernel! {
    /// Computes the sum of the rows.
    fn add_rows<'a, T>(g: &'a [T], sums: &'a mut [T]) -> () {
        for g in g.chunks_exact(sums.len()) {
            for (sum, &g) in sums.iter_mut().zip(g) {
                *sum += g;
            }
        }
    }
}

/// The fused operation: candle's matrix product, with the bias added in place.
#[derive(Debug, Clone, Copy)]
struct Product;

impl Product {
    /// Computes x · Wᵀ for all rows at once.
    fn product(
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (out, width) = weight_layout.shape().dims2()?;
        let rows = x_layout.shape().elem_count() / width.max(1);
        let rows_layout = Layout::contiguous_with_offset((rows, width), x_layout.start_offset());
        let sizes = (1, rows, out, width);
        let y = x.matmul(weight, sizes, &rows_layout, &weight_layout.transpose(0, 1)?)?;
        let mut shape = x_layout.dims().to_vec();
        shape.pop();
        shape.push(out);
        Ok((y, Shape::from(shape)))
    }

    fn biased<T: Real>(y: CpuStorage, bias: &CpuStorage, layout: &Layout) -> Result<CpuStorage> {
        let bias: &[T] = crate::nn::kernel::contiguous(bias, layout)?;
        let mut y = T::cpu_storage_data(y)?;
        shift(&mut y, bias);
        Ok(T::to_cpu_storage_owned(y))
    }

    /// Computes `dx = g · W` and `dW = gᵀ · x` for rows.
    fn backward(
        x: &Tensor,
        weight: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let (x_rows, grad) = (rows_of(&x.detach())?, rows_of(grad)?);
        let dx = if x.track_op() {
            Some(grad.matmul(&weight.detach())?.reshape(x.shape())?)
        } else {
            None
        };
        let dweight = if weight.track_op() { Some(grad.t()?.matmul(&x_rows)?) } else { None };
        Ok((dx, dweight))
    }

    /// Computes the gradient of the bias: the sum of the rows.
    fn bias_gradient<T: Real>(grad: &Tensor, out: usize) -> Result<Tensor> {
        let grad = grad.contiguous()?;
        let host = Host::of(&grad);
        let g = host.slice::<T>()?;
        let block = (block_of(out) * out).max(1);
        let partial = each(g.chunks(block).collect(), |g| {
            let mut sums = vec![T::zero(); out];
            add_rows(g, &mut sums);
            sums
        });
        let mut sums = vec![T::zero(); out];
        for partial in partial {
            for (sum, part) in sums.iter_mut().zip(partial) {
                *sum += part;
            }
        }
        Tensor::from_vec(sums, out, grad.device())
    }
}

/// Reshapes `[…, D]` to `[N, D]`.
fn rows_of(x: &Tensor) -> Result<Tensor> {
    let width = x.dim(D::Minus1)?;
    x.reshape((x.elem_count() / width.max(1), width))
}

impl CustomOp2 for Product {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn cpu_fwd(
        &self,
        x: &CpuStorage,
        x_layout: &Layout,
        weight: &CpuStorage,
        weight_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        Self::product(x, x_layout, weight, weight_layout)
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        Self::backward(x, weight, grad)
    }
}

impl CustomOp3 for Product {
    fn name(&self) -> &'static str {
        "linear"
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
        let (y, shape) = Self::product(x, x_layout, weight, weight_layout)?;
        let y = if y.dtype() == DType::F64 {
            Self::biased::<f64>(y, bias, bias_layout)?
        } else {
            Self::biased::<f32>(y, bias, bias_layout)?
        };
        Ok((y, shape))
    }

    fn bwd(
        &self,
        x: &Tensor,
        weight: &Tensor,
        bias: &Tensor,
        _: &Tensor,
        grad: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let (dx, dweight) = Self::backward(x, weight, grad)?;
        let out = bias.elem_count();
        let dbias = if !bias.track_op() {
            None
        } else if bias.dtype() == DType::F64 {
            Some(Self::bias_gradient::<f64>(grad, out)?)
        } else {
            Some(Self::bias_gradient::<f32>(grad, out)?)
        };
        Ok((dx, dweight, dbias))
    }
}
