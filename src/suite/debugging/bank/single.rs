//! Right layers in single precision, in two writings: they round differently.

use candle_core::{D, DType, Device, Result, Tensor};
use softmark_checks::{Array, Case};
use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::composed;
use softmark_wire::{Data, Tensor as WireTensor};

type Observed = std::result::Result<(Array, Array), String>;

fn to_candle(tensor: &WireTensor) -> Result<Tensor> {
    match tensor.data() {
        Data::F32(values) => Tensor::from_slice(values, tensor.shape(), &Device::Cpu),
        Data::U8(values) => Tensor::from_slice(values, tensor.shape(), &Device::Cpu),
        Data::F64(_) | Data::U32(_) | Data::I64(_) => {
            candle_core::bail!("no part of an experiment")
        }
    }
}

fn to_array(tensor: &Tensor) -> Result<Array> {
    let values: Vec<f64> = tensor.to_dtype(DType::F64)?.flatten_all()?.to_vec1()?;
    Ok(Array::new(tensor.dims(), values))
}

struct Layer<'a> {
    case: &'a Case,
    fused: bool,
    mask: Tensor,
}

impl Layer<'_> {
    fn parameter(&self, name: &str) -> Result<Tensor> {
        to_candle(&self.case.get_parameter(name).to_f32())
    }

    fn linear(&self, name: &str, x: &Tensor) -> Result<Tensor> {
        let weight = self.parameter(&format!("{name}.weight"))?;
        let bias = self.parameter(&format!("{name}.bias"))?;
        if self.fused {
            return composed::linear(x, &weight, Some(&bias));
        }
        // Each output channel is a sum of its own, in the order of the inputs.
        let columns = (0..weight.dim(0)?).map(|o| {
            let row = weight.get(o)?;
            x.broadcast_mul(&row)?.sum_keepdim(D::Minus1)
        });
        let columns: Vec<Tensor> = columns.collect::<Result<_>>()?;
        Tensor::cat(&columns, D::Minus1)?.broadcast_add(&bias)
    }

    fn norm(&self, name: &str, x: &Tensor) -> Result<Tensor> {
        let weight = self.parameter(&format!("{name}.weight"))?;
        let bias = self.parameter(&format!("{name}.bias"))?;
        if self.fused {
            return composed::layer_norm(x, &weight, Some(&bias), 1e-5, true);
        }
        // A factor for each row, instead of a division of each number.
        let share = 1.0 / x.dim(D::Minus1)? as f64;
        let centered = x.broadcast_sub(&(x.sum_keepdim(D::Minus1)? * share)?)?;
        let variance = ((&centered * &centered)?.sum_keepdim(D::Minus1)? * share)?;
        let factor = (variance + 1e-5)?.sqrt()?.recip()?;
        centered.broadcast_mul(&factor)?.broadcast_mul(&weight)?.broadcast_add(&bias)
    }

    /// What attention gives, and its weights.
    fn attend(&self, x: &Tensor) -> Result<(Tensor, Tensor)> {
        let (b, t, d) = x.dims3()?;
        let heads = self.case.get_size("heads");
        let project = |name: &str| self.linear(&format!("self_attn.{name}"), x);
        let (q, k, v) = (project("q_proj")?, project("k_proj")?, project("v_proj")?);
        let seen = self.mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?.contiguous()?;
        let split = |x: &Tensor| x.reshape((b, t, heads, d / heads))?.transpose(1, 2)?.contiguous();
        let weights = composed::attention_weights(&split(&q)?, &split(&k)?, Some(&seen))?;
        let context = if self.fused {
            attention_side_by_side(&q, &k, &v, heads, Some(&seen), None)?
        } else {
            weights.matmul(&split(&v)?)?.transpose(1, 2)?.reshape((b, t, d))?
        };
        Ok((self.linear("self_attn.out_proj", &context)?, weights))
    }

    fn feed(&self, x: &Tensor) -> Result<Tensor> {
        let hidden = self.linear("feed_forward.linear1", x)?;
        let hidden = if self.case.get_size("gelu") == 1 {
            if self.fused {
                softmark_kit::nn::ops::gelu_erf(&hidden)?
            } else {
                hidden.gelu_erf()?
            }
        } else {
            hidden.relu()?
        };
        self.linear("feed_forward.linear2", &hidden)
    }

    fn forward(&self, x: &Tensor) -> Result<(Tensor, Tensor)> {
        if self.case.get_size("pre_norm") == 1 {
            let (attended, weights) = self.attend(&self.norm("norm1", x)?)?;
            let y = (x + attended)?;
            let fed = self.feed(&self.norm("norm2", &y)?)?;
            return Ok(((y + fed)?, weights));
        }
        let (attended, weights) = self.attend(x)?;
        let y = self.norm("norm1", &(x + attended)?)?;
        let fed = self.feed(&y)?;
        Ok((self.norm("norm2", &(y + fed)?)?, weights))
    }
}

fn observe(case: &Case, fused: bool) -> Result<(Array, Array)> {
    let mask = to_candle(&case.get("mask").to_mask())?;
    let x = to_candle(&case.get("x").to_f32())?;
    let (output, weights) = Layer { case, fused, mask }.forward(&x)?;
    Ok((to_array(&output)?, to_array(&weights)?))
}

/// With fused operations, as the kit has them.
pub(super) fn fused(case: &Case) -> Observed {
    observe(case, true).map_err(|error| error.to_string())
}

/// Step by step: sums channel by channel, and products where others divide.
pub(super) fn by_hand(case: &Case) -> Observed {
    observe(case, false).map_err(|error| error.to_string())
}
