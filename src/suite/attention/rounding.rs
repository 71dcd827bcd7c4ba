//! Errors of right answers of multi-head attention in `f32`, estimated by rounding at random.
//!
//! A bound on every error adds up what cannot all happen at once: with heads of 33 channels it allows more
//! than the outputs are. So the same loops are run again with every operation off by up to a rounding of
//! `f32`, at random: Parker, *Monte Carlo Arithmetic* (1997).

use softmark_checks::{Array, Case};
use softmark_kit::compare::{F32_ROUNDING, Tolerance};
use softmark_kit::rng::Stream;

use crate::suite::attention::oracle::without_stand_ins;

/// Runs with random rounding.
const RUNS: u64 = 6;

/// Allowed error, as a multiple of the largest error of these runs.
///
/// Their errors are sums of many small ones, so nearly normal: the largest of two dozen is about two
/// deviations. Another order of sums, scores that are scaled before or after the product and functions that
/// are good to two units in the last place make up to four times as much of it.
const MORE: f64 = 64.0;

/// Tolerance of right answers of multi-head attention.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) output: Tolerance,
    pub(crate) weights: Tolerance,
}

/// Tolerances of the answer to `case`, none of them larger than `bound`.
pub(crate) fn allowed(case: &Case, bound: Tolerance) -> Allowed {
    let case = &without_stand_ins(case);
    let [output, weights] = Run { case, stream: None }.outputs();
    let mut most = [0.0_f64; 2];
    for n in 0..RUNS {
        let stream = Some(Stream::derive(1, "random rounding", n));
        let [rounded, rounded_weights] = Run { case, stream }.outputs();
        most[0] = most[0].max(distance(&rounded, &output));
        most[1] = most[1].max(distance(&rounded_weights, &weights));
    }
    // Where all errors are zero by chance, a rounding of the numbers is left.
    let tolerance = |most: f64, exact: &Array| {
        let least = F32_ROUNDING * exact.magnitude().max(1.0);
        Tolerance { relative: 0.0, absolute: (MORE * most.max(least)).min(bound.absolute) }
    };
    Allowed { output: tolerance(most[0], &output), weights: tolerance(most[1], &weights) }
}

/// The largest difference of two numbers of the same place.
fn distance(x: &Array, y: &Array) -> f64 {
    let pairs = x.values().iter().zip(y.values());
    pairs.fold(0.0, |most, (x, y)| (x - y).abs().max(most))
}

/// One run; every operation is off by up to a rounding where there is a stream.
struct Run<'a> {
    case: &'a Case,
    stream: Option<Stream>,
}

impl Run<'_> {
    fn round(&mut self, x: f64) -> f64 {
        match &mut self.stream {
            Some(stream) => x * (1.0 + F32_ROUNDING * (2.0 * f64::from(stream.uniform()) - 1.0)),
            None => x,
        }
    }

    fn dot(&mut self, start: f64, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        pairs.fold(start, |sum, (x, y)| {
            let product = self.round(x * y);
            self.round(sum + product)
        })
    }

    /// The linear map `name` of each row of `x`, `[B, T, D]`.
    fn linear(&mut self, name: &str, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        Array::from_fn(&[x.dim(0), x.dim(1), weight.dim(0)], |at| match *at {
            [b, t, o] => {
                let pairs = (0..x.dim(2)).map(|i| (x.at(&[b, t, i]), weight.at(&[o, i])));
                self.dot(bias.at(&[o]), pairs)
            }
            _ => f64::NAN,
        })
    }

    /// The weights of the keys that a query sees, in one head.
    fn softmax(&mut self, scores: &mut [(usize, f64)]) {
        let most = scores.iter().fold(f64::NEG_INFINITY, |most, (_, s)| most.max(*s));
        let mut total = 0.0;
        for (_, score) in scores.iter_mut() {
            let below = self.round(*score - most);
            *score = self.round(below.exp());
            total = self.round(total + *score);
        }
        for (_, weight) in scores {
            *weight = self.round(*weight / total);
        }
    }

    /// Output and weights.
    fn outputs(mut self) -> [Array; 2] {
        let case = self.case;
        let (heads, mask) = (case.get_size("heads").max(1), case.find("mask"));
        let query = case.get("query");
        let key = case.find("key").unwrap_or_else(|| query.clone());
        let value = case.find("value").unwrap_or_else(|| key.clone());
        let q = self.linear("q_proj", &query);
        let k = self.linear("k_proj", &key);
        let v = self.linear("v_proj", &value);
        let (width, tk) = (q.dim(2) / heads, k.dim(1));
        let root = (width as f64).sqrt();
        let mut weights = Array::full(&[q.dim(0), heads, q.dim(1), tk], 0.0);
        for n in 0..q.dim(0) * heads * q.dim(1) {
            let (b, h, i) = (n / (heads * q.dim(1)), n / q.dim(1) % heads, n % q.dim(1));
            let mut scores = Vec::new();
            for j in (0..tk).filter(|&j| mask.as_ref().is_none_or(|m| m.at(&[b, i, j]) != 0.0)) {
                let channels = h * width..(h + 1) * width;
                let pairs = channels.map(|c| (q.at(&[b, i, c]), k.at(&[b, j, c])));
                let dot = self.dot(0.0, pairs);
                scores.push((j, self.round(dot / root)));
            }
            self.softmax(&mut scores);
            for (j, weight) in scores {
                weights.set(&[b, h, i, j], weight);
            }
        }
        let mixed = Array::from_fn(q.shape(), |at| match *at {
            [b, i, c] => {
                let h = c / width.max(1);
                self.dot(0.0, (0..tk).map(|j| (weights.at(&[b, h, i, j]), v.at(&[b, j, c]))))
            }
            _ => f64::NAN,
        });
        [self.linear("out_proj", &mixed), weights]
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::Corners;
    use softmark_checks::attention::fixed::{
        SEED, SQUARE, large_shapes, with_full_mantissas, with_one_key_hidden,
    };

    use super::*;
    use crate::suite::attention::oracle::oracle;

    fn cases() -> Vec<Case> {
        let shapes = SQUARE.corners().into_iter().chain(large_shapes());
        let case = |shape: softmark_checks::attention::cases::AttentionShape| {
            with_full_mantissas(&shape.multi_head(SEED, false))
        };
        shapes.map(case).collect()
    }

    #[test]
    fn run_without_rounding_is_the_oracle() {
        for case in cases() {
            let (want, [output, weights]) =
                (oracle(&case), Run { case: &case, stream: None }.outputs());
            assert!(distance(&output, &want["output"]) < 1e-11, "{case:?}");
            assert!(distance(&weights, &want["weights"]) < 1e-11, "{case:?}");
        }
    }

    #[test]
    fn tolerance_is_less_than_a_thousandth_of_the_numbers() {
        let none = Tolerance { relative: 0.0, absolute: f64::INFINITY };
        for shape in large_shapes() {
            let case = with_one_key_hidden(&with_full_mantissas(&shape.multi_head(SEED, false)));
            let Allowed { output, weights } = allowed(&case, none);
            let size = oracle(&case)["output"].magnitude();
            assert!(output.absolute < 1e-3 * size, "{}: {} of {size}", case.label, output.absolute);
            assert!(weights.absolute < 1e-3, "{}: {}", case.label, weights.absolute);
        }
    }
}
