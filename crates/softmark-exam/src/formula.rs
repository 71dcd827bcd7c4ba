//! Formulas that several oracles use: plain loops in `f64`, which share no code with candle, the
//! solutions or the imitations.

use softmark_checks::Array;

/// Computes output and weights of attention for `[B, H, T, K]` and the mask `[B, 1 or H, Tq, Tk]`.
pub fn attention(q: &Array, k: &Array, v: &Array, mask: Option<&Array>) -> (Array, Array) {
    let (width, keys) = (q.dim(3), k.dim(2));
    let sees = |b: usize, h: usize, i: usize, j: usize| {
        mask.is_none_or(|m| m.at(&[b, h.min(m.dim(1) - 1), i, j]) != 0.0)
    };
    let score = |b: usize, h: usize, i: usize, j: usize| {
        let dot: f64 = (0..width).map(|c| q.at(&[b, h, i, c]) * k.at(&[b, h, j, c])).sum();
        dot / (width as f64).sqrt()
    };
    let mut weights = Array::full(&[q.dim(0), q.dim(1), q.dim(2), keys], 0.0);
    let mut output = Array::full(&[q.dim(0), q.dim(1), q.dim(2), v.dim(3)], 0.0);
    for b in 0..q.dim(0) {
        for h in 0..q.dim(1) {
            for i in 0..q.dim(2) {
                let seen: Vec<(usize, f64)> = (0..keys)
                    .filter(|&j| sees(b, h, i, j))
                    .map(|j| (j, score(b, h, i, j)))
                    .collect();
                let most = seen.iter().fold(f64::NEG_INFINITY, |most, (_, s)| most.max(*s));
                let total: f64 = seen.iter().map(|(_, s)| (s - most).exp()).sum();
                for (j, s) in seen {
                    weights.set(&[b, h, i, j], (s - most).exp() / total);
                }
                for c in 0..v.dim(3) {
                    let mixed =
                        (0..keys).map(|j| weights.at(&[b, h, i, j]) * v.at(&[b, h, j, c])).sum();
                    output.set(&[b, h, i, c], mixed);
                }
            }
        }
    }
    (output, weights)
}

/// Computes `x · Wᵀ + b` for `[B, T, D]`.
pub fn project(x: &Array, weight: &Array, bias: &Array) -> Array {
    let dot =
        |b, t, o| -> f64 { (0..x.dim(2)).map(|i| x.at(&[b, t, i]) * weight.at(&[o, i])).sum() };
    Array::from_fn(&[x.dim(0), x.dim(1), weight.dim(0)], |at| match *at {
        [b, t, o] => dot(b, t, o) + bias.at(&[o]),
        _ => f64::NAN,
    })
}

/// Splits heads: `[B, T, D]` → `[B, H, T, K]`; head `h` has channels `h·K .. (h+1)·K`.
pub fn split_heads(x: &Array, heads: usize) -> Array {
    let width = x.dim(2) / heads.max(1);
    Array::from_fn(&[x.dim(0), heads, x.dim(1), width], |at| match *at {
        [b, h, t, c] => x.at(&[b, t, h * width + c]),
        _ => f64::NAN,
    })
}

/// Merges heads: `[B, H, T, K]` → `[B, T, D]`, the inverse of [`split_heads`].
pub fn merge_heads(x: &Array) -> Array {
    let width = x.dim(3);
    Array::from_fn(&[x.dim(0), x.dim(2), x.dim(1) * width], |at| match *at {
        [b, t, c] => x.at(&[b, c / width, t, c % width]),
        _ => f64::NAN,
    })
}

/// Adds an axis for heads to a mask: `[B, Tq, Tk]` → `[B, 1, Tq, Tk]`.
pub fn per_head_axis(mask: &Array) -> Array {
    let shape = [mask.dim(0), 1, mask.dim(1), mask.dim(2)];
    Array::new(&shape, mask.values().to_vec())
}

/// Pools tokens: `[B, T, D]` → `[B, D]`; kind 0 is the mean, 1 the maximum, 2 the first real token.
pub fn pooled(kind: usize, x: &Array, mask: Option<&Array>) -> Array {
    let is_real = |b, t| mask.is_none_or(|mask| mask.at(&[b, t]) != 0.0);
    let real = |b, c| -> Vec<f64> {
        (0..x.dim(1)).filter(|&t| is_real(b, t)).map(|t| x.at(&[b, t, c])).collect()
    };
    Array::from_fn(&[x.dim(0), x.dim(2)], |at| match *at {
        [b, c] => pooled_channel(kind, &real(b, c)),
        _ => f64::NAN,
    })
}

fn pooled_channel(kind: usize, real: &[f64]) -> f64 {
    match (real.first(), kind) {
        (None, _) => 0.0,
        (Some(_), 0) => real.iter().sum::<f64>() / real.len() as f64,
        (Some(_), 1) => real.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        (Some(&first), _) => first,
    }
}

/// Computes the error function.
///
/// `erf x = 2/√π · e^(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·5 ⋯ (2n+1))`: all terms have the same sign, so
/// nothing cancels in the sum (Abramowitz and Stegun, *Handbook of Mathematical Functions*, 7.1.6).
pub fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 {
        // The value differs from ±1 by less than the resolution of `f64`.
        return x.signum();
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > 1e-17 * sum.abs() {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// Computes `x · Φ(x)`, where Φ is the distribution function of the normal distribution.
pub fn gelu(x: f64) -> f64 {
    0.5 * x * (1.0 + erf(x * std::f64::consts::FRAC_1_SQRT_2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_function_is_that_of_the_tables() {
        // Abramowitz and Stegun, table 7.1.
        let table = [
            (0.0, 0.0),
            (0.5, 0.520_499_877_8),
            (1.0, 0.842_700_792_9),
            (1.5, 0.966_105_146_5),
            (2.0, 0.995_322_265_0),
        ];
        for (x, want) in table {
            assert!((erf(x) - want).abs() < 1e-10, "erf {x} = {}", erf(x));
            assert_eq!(erf(-x), -erf(x));
        }
        assert_eq!(erf(7.0), 1.0);
        assert!((erf(5.999_999) - 1.0).abs() < 1e-15);
    }
}
