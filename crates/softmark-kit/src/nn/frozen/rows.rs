//! Operations of a frozen layer on rows: products with weights, sums, norms.

use candle_core::backend::BackendStorage as _;
use candle_core::{Layout, Result, Tensor};

use crate::nn::kernel::{Host, Real, block_of, dot, dot3, each, kernel};
use crate::nn::layer_norm::moments;

/// Direction of a linear map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Forward: `y = x · Wᵀ`.
    Forward,
    /// Backward: `dx = g · W`.
    Back,
}

/// Returns the product of rows with a weight `[out, in]`, and the rows.
pub(super) fn product<T: Real>(x: Vec<T>, weight: &Tensor, way: Way) -> Result<(Vec<T>, Vec<T>)> {
    let (out, width) = weight.dims2()?;
    let (from, to) = if way == Way::Forward { (width, out) } else { (out, width) };
    let rows = x.len() / from.max(1);
    let host = Host::of(weight);
    let (of_weight, layout) = host.cpu()?;
    let layout = if way == Way::Forward { layout.transpose(0, 1)? } else { layout.clone() };
    let x = T::to_cpu_storage_owned(x);
    let rows_layout = Layout::contiguous((rows, from));
    let y = x.matmul(of_weight, (1, rows, to, from), &rows_layout, &layout)?;
    Ok((T::cpu_storage_data(x)?, T::cpu_storage_data(y)?))
}

/// Weight, bias and ε of a norm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Norm<'a, T> {
    pub(super) weight: &'a [T],
    pub(super) bias: &'a [T],
    pub(super) eps: T,
}

/// Normalized rows `(x − mean) · scale`, and the scale of each row.
#[derive(Debug)]
pub(super) struct Normed<T> {
    pub(super) rows: Vec<T>,
    pub(super) scales: Vec<T>,
}

kernel! {
    /// Sets `x` to the normalized `x + y + bias`, and `y` to this times the norm's weight plus its bias.
    fn add_and_norm<'a, T>(
        x: &'a mut [T], y: &'a mut [T], bias: &'a [T], norm: Norm<'a, T>, scales: &'a mut [T],
    ) -> () {
        let width = bias.len();
        let rows = x.chunks_exact_mut(width).zip(y.chunks_exact_mut(width));
        for ((x, y), scale) in rows.zip(scales) {
            for ((x, &y), &b) in x.iter_mut().zip(y.iter()).zip(bias) {
                *x += y + b;
            }
            let mean;
            (mean, *scale) = moments(x, norm.eps);
            let channels = x.iter_mut().zip(y.iter_mut()).zip(norm.weight).zip(norm.bias);
            for (((x, y), &w), &b) in channels {
                *x = (*x - mean) * *scale;
                *y = x.mul_add(w, b);
            }
        }
    }
}

/// Computes the norm of `x + y + bias`, and the normalized rows for the backward pass.
pub(super) fn norm_of_sum<T: Real>(
    (mut x, mut y): (Vec<T>, Vec<T>),
    bias: &[T],
    norm: Norm<'_, T>,
) -> (Normed<T>, Vec<T>) {
    let width = bias.len().max(1);
    let rows = block_of(width);
    let mut scales = vec![T::zero(); x.len() / width];
    let blocks = x.chunks_mut(rows * width).zip(y.chunks_mut(rows * width));
    let tasks = blocks.zip(scales.chunks_mut(rows)).collect();
    each(tasks, |((x, y), scales)| add_and_norm(x, y, bias, norm, scales));
    (Normed { rows: x, scales }, y)
}

kernel! {
    /// With `h = g · weight`, sets `g` to `scale · (h − mean(h) − n · mean(h · n))`.
    fn norm_back<'a, T>(
        normed: &'a [T], scales: &'a [T], weight: &'a [T], g: &'a mut [T],
    ) -> () {
        let width = weight.len();
        let count = T::from_f64(width as f64);
        let rows = normed.chunks_exact(width).zip(g.chunks_exact_mut(width));
        for ((n, g), &scale) in rows.zip(scales) {
            let mean_h = dot(g, weight) / count;
            let mean_hn = dot3(g, weight, n) / count;
            for ((g, &n), &w) in g.iter_mut().zip(n).zip(weight) {
                let away = g.mul_add(w, -mean_h);
                *g = scale * (-n).mul_add(mean_hn, away);
            }
        }
    }
}

impl<T: Real> Normed<T> {
    /// Replaces the gradients of the norm's result by those of its input.
    pub(super) fn back(&self, weight: &[T], g: &mut [T]) {
        let width = weight.len().max(1);
        let rows = block_of(width);
        let blocks = self.rows.chunks(rows * width).zip(self.scales.chunks(rows));
        let tasks = blocks.zip(g.chunks_mut(rows * width)).collect();
        each(tasks, |((n, scales), g)| norm_back(n, scales, weight, g));
    }
}

kernel! {
    fn add<'a, T>(x: &'a mut [T], y: &'a [T]) -> () {
        for (x, &y) in x.iter_mut().zip(y) {
            *x += y;
        }
    }
}

/// Computes `x += y`.
pub(super) fn add_to<T: Real>(x: &mut [T], y: &[T]) {
    let block = block_of(1);
    each(x.chunks_mut(block).zip(y.chunks(block)).collect(), |(x, y)| add(x, y));
}
