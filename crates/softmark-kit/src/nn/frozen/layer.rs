//! One frozen layer: forward pass, and backward pass to its input.

use candle_core::{Result, Tensor};

use super::rows::{Norm, Normed, Way, add_to, norm_of_sum, product};
use crate::nn::attention::Packed;
use crate::nn::kernel::{Host, Real};
use crate::nn::linear::shift;
use crate::nn::ops::{shift_and_activate, slope_back};
use crate::nn::{Activation, LayerNorm, Linear};

/// A post-norm layer whose parameters are all frozen.
///
/// ```text
/// y = norm1(x + output(attention(x)))
/// z = norm2(y + linear2(activation(linear1(y))))
/// ```
#[derive(Debug, Clone)]
pub(crate) struct FrozenLayer {
    /// Fused projections of query, key and value: `[3 · D, D]` and `[3 · D]`.
    qkv: Linear,
    rest: PostNorm,
}

/// The modules of a post-norm layer besides the projections of query, key and value.
#[derive(Debug, Clone)]
pub(crate) struct PostNorm {
    pub(crate) output: Linear,
    pub(crate) norm1: LayerNorm,
    pub(crate) linear1: Linear,
    pub(crate) linear2: Linear,
    pub(crate) norm2: LayerNorm,
    pub(crate) heads: usize,
    pub(crate) activation: Activation,
}

/// Intermediate results of a layer that the backward pass needs.
#[derive(Debug)]
pub(super) struct Kept<T> {
    qkv: Vec<T>,
    normed1: Normed<T>,
    hidden: Vec<T>,
    normed2: Normed<T>,
}

/// Returns the numbers of a parameter that exists and is contiguous; an empty slice if it does not exist.
fn numbers<'a, T: Real>(host: Option<&'a Host<'_>>) -> Result<&'a [T]> {
    host.map_or(Ok(&[]), Host::slice)
}

impl FrozenLayer {
    /// Returns a layer of these modules; `None` if one of their parameters is trainable, missing or not contiguous.
    pub(crate) fn new(projections: [&Linear; 3], rest: &PostNorm) -> Result<Option<Self>> {
        let linears = [&rest.output, &rest.linear1, &rest.linear2];
        let linears = linears.into_iter().chain(projections);
        let of_linears = linears.flat_map(|it| [Some(it.weight()), it.bias()]);
        let norms = [&rest.norm1, &rest.norm2].into_iter();
        let of_norms = norms.flat_map(|it| [Some(it.weight()), it.bias()]);
        let all: Option<Vec<&Tensor>> = of_linears.chain(of_norms).collect();
        if !all.is_some_and(|all| all.iter().all(|it| !it.track_op() && it.is_contiguous())) {
            return Ok(None);
        }
        let weights = Tensor::cat(&projections.map(Linear::weight), 0)?;
        let biases: Vec<&Tensor> = projections.into_iter().filter_map(Linear::bias).collect();
        let qkv = Linear::new(weights, Some(Tensor::cat(&biases, 0)?));
        Ok(Some(Self { qkv, rest: rest.clone() }))
    }

    /// Returns the projections of query, key and value as views of the fused one.
    pub(crate) fn projections(&self) -> Result<[Linear; 3]> {
        let width = self.rest.output.weight().dim(0)?;
        let part = |n: usize| -> Result<Linear> {
            let weight = self.qkv.weight().narrow(0, n * width, width)?;
            let bias = self.qkv.bias().map(|bias| bias.narrow(0, n * width, width)).transpose()?;
            Ok(Linear::new(weight, bias))
        };
        Ok([part(0)?, part(1)?, part(2)?])
    }

    fn packed<'a>(&self, lengths: &'a [usize]) -> Result<Packed<'a>> {
        Ok(Packed { lengths, heads: self.rest.heads, width: self.rest.output.weight().dim(0)? })
    }

    /// Computes the layer's output rows, and the results that a backward pass needs, if there will be one.
    pub(super) fn forward<T: Real>(
        &self,
        x: Vec<T>,
        lengths: &[usize],
        keeps: bool,
    ) -> Result<(Vec<T>, Option<Kept<T>>)> {
        let (x, mut qkv) = product(x, self.qkv.weight(), Way::Forward)?;
        let bias = self.qkv.bias().map(Host::of);
        shift(&mut qkv, numbers(bias.as_ref())?);
        let mixed = self.packed(lengths)?.forward(&qkv);
        let qkv = keeps.then_some(qkv);
        let (_, added) = product(mixed, self.rest.output.weight(), Way::Forward)?;
        let (normed1, y) = residual((x, added), &self.rest.output, &self.rest.norm1)?;
        let normed1 = keeps.then_some(normed1);
        let (y, mut hidden) = product(y, self.rest.linear1.weight(), Way::Forward)?;
        let bias = self.rest.linear1.bias().map(Host::of);
        let active = shift_and_activate(self.rest.activation, &mut hidden, numbers(bias.as_ref())?);
        let hidden = keeps.then_some(hidden);
        let (_, added) = product(active, self.rest.linear2.weight(), Way::Forward)?;
        let (normed2, z) = residual((y, added), &self.rest.linear2, &self.rest.norm2)?;
        let kept = qkv.zip(normed1).zip(hidden);
        let kept = kept.map(|((qkv, normed1), hidden)| Kept { qkv, normed1, hidden, normed2 });
        Ok((z, kept))
    }

    /// Computes the gradients of the input from those of the output.
    pub(super) fn backward<T: Real>(
        &self,
        mut g: Vec<T>,
        kept: &Kept<T>,
        lengths: &[usize],
    ) -> Result<Vec<T>> {
        back_through(&kept.normed2, &self.rest.norm2, &mut g)?;
        let (g, mut d_hidden) = product(g, self.rest.linear2.weight(), Way::Back)?;
        slope_back(self.rest.activation, &kept.hidden, &mut d_hidden);
        let (_, mut d_y) = product(d_hidden, self.rest.linear1.weight(), Way::Back)?;
        add_to(&mut d_y, &g);
        back_through(&kept.normed1, &self.rest.norm1, &mut d_y)?;
        let (d_y, d_mixed) = product(d_y, self.rest.output.weight(), Way::Back)?;
        let d_qkv = self.packed(lengths)?.backward(&kept.qkv, &d_mixed);
        let (_, mut d_x) = product(d_qkv, self.qkv.weight(), Way::Back)?;
        add_to(&mut d_x, &d_y);
        Ok(d_x)
    }
}

/// Computes `norm(x + added + bias)`, where `added` is the result of `map` without its bias.
fn residual<T: Real>(
    rows: (Vec<T>, Vec<T>),
    map: &Linear,
    norm: &LayerNorm,
) -> Result<(Normed<T>, Vec<T>)> {
    let bias = map.bias().map(Host::of);
    let (weight, shift) = (Host::of(norm.weight()), norm.bias().map(Host::of));
    let eps = T::from_f64(norm.eps());
    let norm = Norm { weight: weight.slice()?, bias: numbers(shift.as_ref())?, eps };
    Ok(norm_of_sum(rows, numbers(bias.as_ref())?, norm))
}

fn back_through<T: Real>(normed: &Normed<T>, norm: &LayerNorm, g: &mut [T]) -> Result<()> {
    let weight = Host::of(norm.weight());
    normed.back(weight.slice()?, g);
    Ok(())
}
