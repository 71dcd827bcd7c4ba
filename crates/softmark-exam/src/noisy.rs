//! Numbers with bounds on their rounding errors in `f32`.
//!
//! The values are computed by plain loops in `f64`, which share no code with candle, the solution
//! or the imitations. The errors come from a running error analysis (Higham, *Accuracy and
//! Stability of Numerical Algorithms*, section 3.3, to first order): each operation propagates the
//! errors of its inputs and adds its own roundings, each of which is at most [`F32_ROUNDING`] of
//! the rounded number.

use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};

use crate::formula::{attention, merge_heads, split_heads};

/// Values, and a bound on the error of each.
#[derive(Debug, Clone)]
pub struct Noisy {
    /// Values.
    pub values: Array,
    /// Largest absolute error of each value.
    pub errors: Array,
}

/// Returns the error of `n` roundings of a number of this size.
fn rounded(n: usize, size: f64) -> f64 {
    n as f64 * F32_ROUNDING * size.abs()
}

impl Noisy {
    /// Returns numbers that `f32` represents exactly.
    pub fn exact(values: Array) -> Self {
        let errors = values.map(|_| 0.0);
        Self { values, errors }
    }

    fn from_fn(shape: &[usize], mut f: impl FnMut(&[usize]) -> (f64, f64)) -> Self {
        let mut errors = Vec::new();
        let values = Array::from_fn(shape, |at| {
            let (value, error) = f(at);
            errors.push(error);
            value
        });
        Self { errors: Array::new(shape, errors), values }
    }

    /// Applies `f` to each number. `slope` bounds the derivative of `f`, which takes `roundings`
    /// roundings.
    #[must_use]
    pub fn each(&self, f: impl Fn(f64) -> f64, slope: f64, roundings: usize) -> Self {
        // Near 0, a function value may be far smaller than its intermediate results.
        Self::from_fn(self.values.shape(), |at| {
            let x = self.values.at(at);
            let own = rounded(roundings, f(x).abs().max(x.abs()));
            (f(x), slope * self.errors.at(at) + own)
        })
    }

    /// Adds numbers of the same shape.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self::from_fn(self.values.shape(), |at| {
            let sum = self.values.at(at) + other.values.at(at);
            (sum, self.errors.at(at) + other.errors.at(at) + rounded(1, sum))
        })
    }

    /// Multiplies each number by one that is known exactly.
    #[must_use]
    pub fn times(&self, factors: &Array) -> Self {
        Self::from_fn(self.values.shape(), |at| {
            let product = self.values.at(at) * factors.at(at);
            (product, self.errors.at(at) * factors.at(at).abs() + rounded(1, product))
        })
    }

    /// Computes `x · Wᵀ + b` along the last of two or three axes, with the parameters `name.weight`
    /// and `name.bias` of the case.
    ///
    /// A sum of `n` products takes `n + 1` roundings of the sum of their magnitudes.
    #[must_use]
    pub fn linear(&self, case: &Case, name: &str) -> Self {
        let weight = case.get_parameter(&format!("{name}.weight"));
        let bias = case.get_parameter(&format!("{name}.bias"));
        let (to, from) = (weight.dim(0), weight.dim(1));
        let rows = self.values.values().chunks(from.max(1));
        let errors = self.errors.values().chunks(from.max(1));
        let (mut values, mut bounds) = (Vec::new(), Vec::new());
        for (row, error) in rows.zip(errors) {
            for (o, line) in weight.values().chunks(from.max(1)).enumerate() {
                let (mut sum, mut size, mut bound) = (bias.at(&[o]), bias.at(&[o]).abs(), 0.0);
                for ((x, e), w) in row.iter().zip(error).zip(line) {
                    sum += x * w;
                    size += (x * w).abs();
                    bound += e * w.abs();
                }
                values.push(sum);
                bounds.push(bound + rounded(from + 2, size));
            }
        }
        let mut shape = self.values.shape().to_vec();
        if let Some(last) = shape.last_mut() {
            *last = to;
        }
        Self { values: Array::new(&shape, values), errors: Array::new(&shape, bounds) }
    }

    /// Applies a layer norm with `ε = 1e-5` over the last of three axes.
    ///
    /// The slopes of `(x − mean) / s` are `(δ − 1/n − y·y/n) / s`, so an error of one channel
    /// affects the others as well.
    #[must_use]
    pub fn norm(&self, case: &Case, name: &str) -> Self {
        let weight = case.get_parameter(&format!("{name}.weight"));
        let bias = case.get_parameter(&format!("{name}.bias"));
        let width = weight.dim(0).max(1);
        let n = width as f64;
        let rows = self.values.values().chunks(width);
        let (mut values, mut bounds) = (Vec::new(), Vec::new());
        for (row, error) in rows.zip(self.errors.values().chunks(width)) {
            let mean = row.iter().sum::<f64>() / n;
            let variance = row.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            let s = (variance + 1e-5).sqrt();
            let most = row.iter().fold(0.0_f64, |most, x| x.abs().max(most));
            let total: f64 = error.iter().sum();
            let pull: f64 = row.iter().zip(error).map(|(x, e)| ((x - mean) / s).abs() * e).sum();
            for (c, (x, e)) in row.iter().zip(error).enumerate() {
                let y = (x - mean) / s;
                let came = (e + total / n + y.abs() * pull / n) / s;
                // The mean and the deviations have rounding errors relative to the largest number.
                let own = rounded(width + 6, most / s * (1.0 + y.abs())) + rounded(6, y);
                let scaled = y * weight.at(&[c]) + bias.at(&[c]);
                values.push(scaled);
                bounds.push((came + own) * weight.at(&[c]).abs() + rounded(2, scaled));
            }
        }
        let shape = self.values.shape();
        Self { values: Array::new(shape, values), errors: Array::new(shape, bounds) }
    }

    /// Applies multi-head self-attention over the tokens whose mask is 1, with the parameters of
    /// the case below `under`; `drop` returns the factors of the attention weights.
    #[must_use]
    pub fn attended(
        &self,
        case: &Case,
        under: &str,
        mask: &Array,
        drop: &dyn Fn(&[usize]) -> Array,
    ) -> Self {
        let heads = case.get_size("heads");
        let split = |name: &str| {
            let projected = self.linear(case, &format!("{under}.{name}"));
            let (values, errors) = (projected.values, projected.errors);
            Self { values: split_heads(&values, heads), errors: split_heads(&errors, heads) }
        };
        let (q, k, v) = (split("q_proj"), split("k_proj"), split("v_proj"));
        let (b, t) = (mask.dim(0), mask.dim(1));
        let seen = Array::from_fn(&[b, 1, t, t], |at| match *at {
            [b, _, _, j] => mask.at(&[b, j]),
            _ => f64::NAN,
        });
        let (_, weights) = attention(&q.values, &k.values, &v.values, Some(&seen));
        let factors = drop(weights.shape());
        let context = mixed(&q, &k, &v, &weights, &factors);
        let merged =
            Self { values: merge_heads(&context.values), errors: merge_heads(&context.errors) };
        merged.linear(case, &format!("{under}.out_proj"))
    }

    /// Returns the tolerance for outputs in `f32`.
    ///
    /// It is twice the largest bound, to cover terms of higher order, and library functions that
    /// are accurate to a unit in the last place instead of half of one.
    pub fn tolerance(&self) -> Tolerance {
        Tolerance { relative: 0.0, absolute: 2.0 * self.errors.magnitude() }
    }
}

/// Computes `Σⱼ weights · factors · v`, with the errors of the scores that the weights came from.
///
/// An error `e` of the scores changes a weight `w` by at most `w · (e + Σ w·e)`.
fn mixed(q: &Noisy, k: &Noisy, v: &Noisy, weights: &Array, factors: &Array) -> Noisy {
    let keys = weights.dim(3);
    let score_error = Array::from_fn(weights.shape(), |at| match *at {
        [b, h, i, j] => score_error(q, k, [b, h, i, j]),
        _ => f64::NAN,
    });
    let weighted_error = |at: [usize; 4]| weights.at(&at) * score_error.at(&at);
    let mean_error = Array::from_fn(&[weights.dim(0), weights.dim(1), keys], |at| match *at {
        [b, h, i] => (0..keys).map(|j| weighted_error([b, h, i, j])).sum(),
        _ => f64::NAN,
    });
    let kept = Array::from_fn(weights.shape(), |at| weights.at(at) * factors.at(at));
    let errors = Array::from_fn(weights.shape(), |at| match *at {
        [b, h, i, _] => score_error.at(at) + mean_error.at(&[b, h, i]),
        _ => f64::NAN,
    });
    Noisy::from_fn(q.values.shape(), |at| match *at {
        [b, h, i, c] => weighted_sum(&kept, &errors, v, [b, h, i, c]),
        _ => (0.0, 0.0),
    })
}

/// Returns the bound of the error of the score of query `i` and key `j`.
fn score_error(q: &Noisy, k: &Noisy, [b, h, i, j]: [usize; 4]) -> f64 {
    let width = q.values.dim(3);
    let terms = (0..width).map(|c| {
        let (x, y) = (q.values.at(&[b, h, i, c]), k.values.at(&[b, h, j, c]));
        let (e, f) = (q.errors.at(&[b, h, i, c]), k.errors.at(&[b, h, j, c]));
        x.abs() * f + y.abs() * e + rounded(width + 2, x * y)
    });
    terms.sum::<f64>() / (width as f64).sqrt()
}

/// Computes `Σⱼ weights · v` for channel `c` of query `i`, where each weight may be wrong by its share in
/// `errors`; returns the sum and the bound of its error.
fn weighted_sum(
    weights: &Array,
    errors: &Array,
    v: &Noisy,
    [b, h, i, c]: [usize; 4],
) -> (f64, f64) {
    let keys = weights.dim(3);
    let (mut sum, mut bound) = (0.0, 0.0);
    for j in 0..keys {
        let weight = weights.at(&[b, h, i, j]);
        let (value, error) = (v.values.at(&[b, h, j, c]), v.errors.at(&[b, h, j, c]));
        sum += weight * value;
        bound += weight * (error + value.abs() * errors.at(&[b, h, i, j]));
        bound += rounded(2 * keys + 10, weight * value);
    }
    (sum, bound)
}
