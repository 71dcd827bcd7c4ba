//! The formulas of the tasks.

use modern_checks::inputs::{DecoderBlock, GroupedQuery, RmsNorm, Rotary, SwiGlu};
use softmark_checks::typed::{Scalar, Tensor, sum};
use softmark_exam::check::LossyOperations;
use softmark_exam::typed::{Formula, Named};

/// `ε` of the norm, and `θ` of the rotation.
const EPSILON: f64 = 1e-6;
const THETA: f64 = 10_000.0;

/// Factors of inputs of attention. The larger one brings scores of some thousands, at which `exp(x)` overflows in `f32`.
/// Rounding moves them by so little that weights can still be compared.
const LARGE: &[f64] = &[1e-3, 30.0];

/// `x / √(mean(x²) + ε) · weight`, over the last of three axes.
fn rms_norm<S: Scalar>(x: &Tensor<S>, weight: &Tensor<S>) -> Tensor<S> {
    let width = weight.dim(0);
    let root = |b, t| {
        let squares = sum((0..width).map(|c| x.at(&[b, t, c]) * x.at(&[b, t, c])));
        (squares / S::constant(width as f64) + S::constant(EPSILON)).sqrt()
    };
    Tensor::from_fn(x.shape(), |at| match *at {
        [b, t, c] => x.at(at) / root(b, t) * weight.at(&[c]),
        _ => S::constant(f64::NAN),
    })
}

/// The weights `[gate, up, down]` of a feed-forward network.
type FeedForward<'a, S> = [&'a Tensor<S>; 3];

/// `down(silu(gate(x)) · up(x))`.
fn swiglu<S: Scalar>(x: &Tensor<S>, [gate, up, down]: FeedForward<'_, S>) -> Tensor<S> {
    let (gate, up) = (x.linear(gate), x.linear(up));
    // In the form that does not overflow.
    let silu = |x: S| {
        let small = if x.value() < 0.0 { x.exp() } else { (-x).exp() };
        let numerator = if x.value() < 0.0 { x * small } else { x };
        numerator / (S::constant(1.0) + small)
    };
    Tensor::from_fn(gate.shape(), |at| silu(gate.at(at)) * up.at(at)).linear(down)
}

/// Rotates the channels `c` and `c + K/2` of `[B, H, T, K]` by the angle `t · θ^(−2c/K)`.
fn rotated<S: Scalar>(x: &Tensor<S>) -> Tensor<S> {
    let half = x.dim(3) / 2;
    Tensor::from_fn(x.shape(), |at| {
        let [b, h, t, c] = *at else { return S::constant(f64::NAN) };
        let pair = c % half;
        let angle = t as f64 * THETA.powf(-(pair as f64) / half as f64);
        let [sine, cosine] = [angle.sin(), angle.cos()].map(S::constant);
        let [first, second] = [pair, pair + half].map(|c| x.at(&[b, h, t, c]));
        if c < half { first * cosine - second * sine } else { second * cosine + first * sine }
    })
}

/// `[B, T, H·K]` as `[B, H, T, K]`.
fn split<S: Scalar>(x: &Tensor<S>, heads: usize) -> Tensor<S> {
    let width = x.dim(2) / heads;
    Tensor::from_fn(&[x.dim(0), heads, x.dim(1), width], |at| match *at {
        [b, h, t, c] => x.at(&[b, t, h * width + c]),
        _ => S::constant(f64::NAN),
    })
}

/// The weights of query `i` for the keys up to it, `softmax(q · k / √K)`.
fn weights<S: Scalar>(q: &Tensor<S>, k: &Tensor<S>, [b, h, kv, i]: [usize; 4]) -> Vec<S> {
    let width = q.dim(3);
    let score = |j| {
        let dot = sum((0..width).map(|c| q.at(&[b, h, i, c]) * k.at(&[b, kv, j, c])));
        dot / S::constant((width as f64).sqrt())
    };
    let scores: Vec<S> = (0..=i).map(score).collect();
    let most = scores.iter().map(|it| it.value()).fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<S> = scores.iter().map(|&it| (it - S::constant(most)).exp()).collect();
    let total = sum(powers.iter().copied());
    powers.into_iter().map(|power| power / total).collect()
}

/// Causal attention whose query head `h` uses the key-value head `h / (heads / kv_heads)`.
fn attention<S: Scalar>(
    x: &Tensor<S>,
    [q, k, v, out]: [&Tensor<S>; 4],
    [heads, kv_heads]: [usize; 2],
) -> Tensor<S> {
    let [q, k] = [(q, heads), (k, kv_heads)].map(|(w, n)| rotated(&split(&x.linear(w), n)));
    let v = split(&x.linear(v), kv_heads);
    let (width, group) = (q.dim(3), heads / kv_heads);
    let mut all = Vec::new();
    for b in 0..x.dim(0) {
        for h in 0..heads {
            all.push((0..x.dim(1)).map(|i| weights(&q, &k, [b, h, h / group, i])).collect());
        }
    }
    let of = |b: usize, h: usize, i: usize| -> &[S] {
        let rows: Option<&Vec<Vec<S>>> = all.get(b * heads + h);
        rows.and_then(|rows| rows.get(i)).map_or(&[], Vec::as_slice)
    };
    let mixed = Tensor::from_fn(x.shape(), |at| {
        let [b, i, d] = *at else { return S::constant(f64::NAN) };
        let (h, c) = (d / width, d % width);
        sum(of(b, h, i).iter().enumerate().map(|(j, &w)| w * v.at(&[b, h / group, j, c])))
    });
    mixed.linear(out)
}

pub(crate) struct RmsNormFormula;
pub(crate) struct SwiGluFormula;
pub(crate) struct RotaryFormula;
pub(crate) struct GroupedQueryFormula;
pub(crate) struct DecoderBlockFormula;

impl Formula for RmsNormFormula {
    type Task = RmsNorm;
    // The specification promises zeros for zeros, and finite results up to 10¹⁵.
    const EXTREMES: &'static [f64] = &[0.0, 1e-3, 1e3, 5e14];

    fn formula<S: Scalar>(it: &RmsNorm<S>) -> Vec<Named<S>> {
        Named::output(rms_norm(&it.x, &it.weight))
    }
}

impl Formula for SwiGluFormula {
    type Task = SwiGlu;
    // The specification promises finite results for gates of ±10⁴, at which `exp(x)` overflows in `f32`.
    const EXTREMES: &'static [f64] = &[1e-3, 1e4];

    fn formula<S: Scalar>(it: &SwiGlu<S>) -> Vec<Named<S>> {
        Named::output(swiglu(&it.x, [&it.gate, &it.up, &it.down]))
    }
}

impl Formula for RotaryFormula {
    type Task = Rotary;

    fn formula<S: Scalar>(it: &Rotary<S>) -> Vec<Named<S>> {
        Named::output(rotated(&it.x))
    }
}

impl Formula for GroupedQueryFormula {
    type Task = GroupedQuery;
    const EXTREMES: &'static [f64] = LARGE;
    const LOSSY: LossyOperations = LossyOperations::Softmax;

    fn formula<S: Scalar>(it: &GroupedQuery<S>) -> Vec<Named<S>> {
        let weights = [&it.q, &it.k, &it.v, &it.out];
        Named::output(attention(&it.x, weights, [it.heads, it.kv_heads]))
    }
}

impl Formula for DecoderBlockFormula {
    type Task = DecoderBlock;

    fn formula<S: Scalar>(it: &DecoderBlock<S>) -> Vec<Named<S>> {
        let weights = [&it.q, &it.k, &it.v, &it.out];
        let normed = rms_norm(&it.x, &it.norm1);
        let inside = it.x.plus(&attention(&normed, weights, [it.heads, it.kv_heads]));
        let normed = rms_norm(&inside, &it.norm2);
        Named::output(inside.plus(&swiglu(&normed, [&it.gate, &it.up, &it.down])))
    }
}
