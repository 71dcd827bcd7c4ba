//! The tuned classifiers in `f64`, in plain loops, and how far right ones in `f32` may be off.
//!
//! Errors of a stack of norms do not add up: what one layer makes larger, the next one divides again. A
//! bound on each, as other assignments have it, would allow anything after three layers. So the same
//! loops are run again with every operation off by up to a rounding of `f32`, at random: Parker,
//! *Monte Carlo Arithmetic* (1997). What that does to the logits is what rounding does.

use softmark_checks::tuning::cases::prefix_of;
use softmark_checks::{Array, Case};
use softmark_kit::compare::{F32_ROUNDING, Tolerance};
use softmark_kit::rng::Stream;

use crate::suite::encoder::oracle::Dropper;
use crate::suite::formula::gelu;

/// Runs with random rounding.
const RUNS: u64 = 8;

/// How much more than the largest error of these runs is allowed.
///
/// Their errors are sums of many small ones, so nearly normal: the largest of at least sixteen is about two
/// deviations. Another order of sums, fused operations and functions that are good to two units in the last
/// place make up to four times as much of it. Sixteen leaves eight deviations of that.
const MORE: f64 = 16.0;

/// The logits of a case.
pub(super) fn logits(case: &Case) -> Array {
    Run { case, drop: Dropper::new(case), stream: None }.logits()
}

/// How far right logits in `f32` may be from these.
pub(super) fn tolerance(case: &Case) -> Tolerance {
    let exact = logits(case);
    let away = |n: u64| {
        let stream = Some(Stream::derive(1, "random rounding", n));
        let shaken = Run { case, drop: Dropper::new(case), stream }.logits();
        let pairs = shaken.values().iter().zip(exact.values());
        pairs.fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()))
    };
    let most = (0..RUNS).map(away).fold(0.0, f64::max);
    // Where all errors are zero by chance, a rounding of the logits is left.
    let least = 4.0 * F32_ROUNDING * exact.magnitude().max(1.0);
    Tolerance { relative: 0.0, absolute: MORE * most.max(least) }
}

/// One run through a classifier; every operation is off by up to a rounding where there is a stream.
struct Run<'a> {
    case: &'a Case,
    drop: Dropper,
    stream: Option<Stream>,
}

impl Run<'_> {
    fn round(&mut self, x: f64) -> f64 {
        match &mut self.stream {
            Some(stream) => x * (1.0 + F32_ROUNDING * (2.0 * f64::from(stream.uniform()) - 1.0)),
            None => x,
        }
    }

    fn sum(&mut self, of: impl Iterator<Item = f64>) -> f64 {
        of.fold(0.0, |sum, x| self.round(sum + x))
    }

    fn dot(&mut self, start: f64, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        pairs.fold(start, |sum, (x, y)| {
            let product = self.round(x * y);
            self.round(sum + product)
        })
    }

    /// `x` with the last axis mapped, a row at a time.
    fn rows(&mut self, x: &Array, f: &mut dyn FnMut(&mut Self, &[f64]) -> Vec<f64>) -> Array {
        let width = x.shape().last().copied().unwrap_or(1).max(1);
        let rows: Vec<Vec<f64>> = x.values().chunks(width).map(|row| f(self, row)).collect();
        let mut shape = x.shape().to_vec();
        if let (Some(last), Some(row)) = (shape.last_mut(), rows.first()) {
            *last = row.len();
        }
        Array::new(&shape, rows.concat())
    }

    fn linear(&mut self, name: &str, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        let from = weight.dim(1).max(1);
        self.rows(x, &mut |run, row| {
            let lines = weight.values().chunks(from).zip(bias.values());
            let out = |(line, bias): (&[f64], &f64)| {
                run.dot(*bias, row.iter().copied().zip(line.iter().copied()))
            };
            lines.map(out).collect()
        })
    }

    /// A layer norm with `ε = 1e-5`.
    fn norm(&mut self, name: &str, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        self.rows(x, &mut |run, row| {
            let n = row.len() as f64;
            let total = run.sum(row.iter().copied());
            let mean = run.round(total / n);
            let off: Vec<f64> = row.iter().map(|x| run.round(x - mean)).collect();
            let squares = run.dot(0.0, off.iter().map(|x| (*x, *x)));
            let variance = run.round(squares / n + 1e-5);
            let deviation = run.round(variance.sqrt());
            let places = off.iter().zip(weight.values()).zip(bias.values());
            let out = |((x, w), b): ((&f64, &f64), &f64)| {
                let unit = run.round(x / deviation);
                run.dot(*b, std::iter::once((unit, *w)))
            };
            places.map(out).collect()
        })
    }

    fn plus(&mut self, x: &Array, y: &Array) -> Array {
        let pairs = x.values().iter().zip(y.values());
        Array::new(x.shape(), pairs.map(|(x, y)| self.round(x + y)).collect())
    }

    fn dropped(&mut self, x: &Array) -> Array {
        let factors = self.drop.factors(x.shape());
        let pairs = x.values().iter().zip(factors.values());
        Array::new(x.shape(), pairs.map(|(x, f)| self.round(x * f)).collect())
    }

    /// `norm(token[ids] + position + type[0])`, `[B, T, D]`.
    fn embedded(&mut self) -> Array {
        let table = |of: &str| self.case.get_parameter(&format!("base.{of}_embedding.weight"));
        let (ids, tokens) = (self.case.get("ids"), table("token"));
        let positions = table("position");
        let types = (self.case.get_size("types") > 0).then(|| table("type"));
        let row = |id: f64| (0..tokens.dim(0)).find(|row| *row as f64 == id);
        let sum = Array::from_fn(&[ids.dim(0), ids.dim(1), tokens.dim(1)], |at| match *at {
            [b, t, c] => {
                let token = row(ids.at(&[b, t])).map_or(f64::NAN, |id| tokens.at(&[id, c]));
                let segment = types.as_ref().map_or(0.0, |types| types.at(&[0, c]));
                let place = positions.at(&[t, c]) + segment;
                self.round(token + place)
            }
            _ => f64::NAN,
        });
        self.norm("base.embedding_norm", &sum)
    }

    /// Multi-head self-attention over places whose mask is 1, with the parameters below `under`.
    fn attended(&mut self, under: &str, x: &Array, mask: &Array) -> Array {
        let heads = self.case.get_size("heads").max(1);
        let (texts, t, d) = (x.dim(0), x.dim(1), x.dim(2));
        let width = d / heads;
        let [q, k, v] =
            ["q_proj", "k_proj", "v_proj"].map(|name| self.linear(&format!("{under}.{name}"), x));
        let root = (width as f64).sqrt();
        let mut weights = Array::full(&[texts, heads, t, t], 0.0);
        for (b, h, i) in places(texts, heads, t) {
            let channels = || h * width..(h + 1) * width;
            let mut scores = Vec::new();
            for j in (0..t).filter(|&j| mask.at(&[b, j]) == 1.0) {
                let pairs = channels().map(|c| (q.at(&[b, i, c]), k.at(&[b, j, c])));
                let dot = self.dot(0.0, pairs);
                scores.push((j, self.round(dot / root)));
            }
            let most = scores.iter().fold(f64::NEG_INFINITY, |most, (_, s)| most.max(*s));
            for (_, score) in &mut scores {
                let below = self.round(*score - most);
                *score = self.round(below.exp());
            }
            let total = self.sum(scores.iter().map(|(_, e)| *e));
            for (j, e) in scores {
                weights.set(&[b, h, i, j], self.round(e / total));
            }
        }
        let weights = self.dropped(&weights);
        let mixed = Array::from_fn(x.shape(), |at| match *at {
            [b, i, c] => self.dot(
                0.0,
                (0..t).map(|j| (weights.at(&[b, c / width.max(1), i, j]), v.at(&[b, j, c]))),
            ),
            _ => f64::NAN,
        });
        self.linear(&format!("{under}.out_proj"), &mixed)
    }

    /// The layers of the encoder, post-norm. What is inside a feed-forward network is not dropped in BERT.
    fn encoded(&mut self, mut x: Array, mask: &Array) -> Array {
        let is_gelu = self.case.get_size("gelu") == 1;
        for n in 0..self.case.get_size("layers") {
            let under = format!("base.layers.{n}");
            let attended = self.attended(&format!("{under}.self_attn"), &x, mask);
            let attended = self.dropped(&attended);
            let sum = self.plus(&x, &attended);
            let y = self.norm(&format!("{under}.norm1"), &sum);
            let hidden = self.linear(&format!("{under}.feed_forward.linear1"), &y);
            let active = hidden.map(|x| if is_gelu { self.round(gelu(x)) } else { x.max(0.0) });
            let fed = self.linear(&format!("{under}.feed_forward.linear2"), &active);
            let fed = self.dropped(&fed);
            let sum = self.plus(&y, &fed);
            x = self.norm(&format!("{under}.norm2"), &sum);
        }
        x
    }

    fn logits(mut self) -> Array {
        if self.case.part == "prefix" { self.prefixed() } else { self.partly() }
    }

    fn prefixed(&mut self) -> Array {
        let (tokens, mask) = (self.embedded(), self.case.get("mask"));
        let prefix = prefix_of(self.case);
        let (length, width) = (self.case.get_size("prefix_length"), tokens.dim(2));
        let all = [mask.dim(0), length + mask.dim(1), width];
        let x = Array::from_fn(&all, |at| match *at {
            [_, p, c] if p < length => prefix.at(&[p, c]),
            [b, t, c] => tokens.at(&[b, t - length, c]),
            _ => f64::NAN,
        });
        let seen = Array::from_fn(&[mask.dim(0), length + mask.dim(1)], |at| match *at {
            [b, t] if t >= length => mask.at(&[b, t - length]),
            _ => 1.0,
        });
        let h = self.encoded(x, &seen);
        let pooled = Array::from_fn(&[mask.dim(0), width], |at| match *at {
            [b, c] => {
                let real: Vec<usize> =
                    (0..mask.dim(1)).filter(|&t| mask.at(&[b, t]) == 1.0).collect();
                let sum = self.sum(real.iter().map(|&t| h.at(&[b, length + t, c])));
                self.round(sum / real.len().max(1) as f64)
            }
            _ => f64::NAN,
        });
        self.linear("classifier", &pooled)
    }

    fn partly(&mut self) -> Array {
        let tokens = self.embedded();
        // The case's dropout is the head's; the encoder below has a rate of its own.
        let rate = self.case.get_size("base_dropout_permille");
        let below = Dropper::new(&self.case.with_size("dropout_permille", rate));
        let of_head = std::mem::replace(&mut self.drop, below);
        let h = self.encoded(tokens, &self.case.get("mask"));
        self.drop = of_head;
        let first = Array::from_fn(&[h.dim(0), h.dim(2)], |at| match *at {
            [b, c] => h.at(&[b, 0, c]),
            _ => f64::NAN,
        });
        let hidden = self.linear("linear1", &first);
        let hidden = self.norm("norm", &hidden).map(|x| x.max(0.0));
        let hidden = self.dropped(&hidden);
        self.linear("classifier", &hidden)
    }
}

/// Every text, head and place.
fn places(texts: usize, heads: usize, t: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..texts * heads * t).map(move |n| (n / (heads * t), n / t % heads, n % t))
}

#[cfg(test)]
mod tests {
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::Corners;
    use softmark_checks::tuning::cases::tuning_shapes;

    use super::*;

    /// Logits are about 1; rounding may not take more than a thousandth, or there is nothing to judge.
    #[test]
    fn what_rounding_may_take_is_little() {
        let mut runner = TestRunner::deterministic();
        let mut most = 0.0_f64;
        for seed in 0..200 {
            let shape = tuning_shapes().new_tree(&mut runner).unwrap().current();
            for shape in shape.corners().into_iter().chain([shape]) {
                for case in [shape.prefix(seed), shape.partial(seed)] {
                    most = most.max(tolerance(&case).absolute);
                }
            }
        }
        assert!((1e-6..1e-2).contains(&most), "{most:e}");
    }

    #[test]
    fn the_same_case_is_allowed_the_same() {
        let mut runner = TestRunner::deterministic();
        let shape = tuning_shapes().new_tree(&mut runner).unwrap().current();
        let case = shape.prefix(3);
        assert_eq!(tolerance(&case), tolerance(&case));
    }
}
