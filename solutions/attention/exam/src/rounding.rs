//! Errors of right answers of multi-head attention in `f32`, estimated by [`Rounding`]: with heads of 33 channels, a
//! bound on every error allows more than the outputs are.

use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};
use softmark_exam::memo::{CachedValue, memoized};
use softmark_exam::rounding::Rounding;

use crate::oracle::without_stand_ins;

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

impl CachedValue for Allowed {
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// Tolerances of the answer to `case`, none of them larger than `bound`.
pub(crate) fn allowed(case: &Case, bound: Tolerance) -> Allowed {
    memoized(&[case, &bound], || estimated(&without_stand_ins(case), bound))
}

fn estimated(case: &Case, bound: Tolerance) -> Allowed {
    let [output, weights] = outputs(case, Rounding::exact(case));
    let mut most = [0.0_f64; 2];
    for n in 0..RUNS {
        let [rounded, rounded_weights] = outputs(case, Rounding::at_random(case, n));
        most[0] = most[0].max(rounded.largest_difference(&output));
        most[1] = most[1].max(rounded_weights.largest_difference(&weights));
    }
    // Where all errors are zero by chance, a rounding of the numbers is left.
    let tolerance = |most: f64, exact: &Array| {
        let least = F32_ROUNDING * exact.magnitude().max(1.0);
        Tolerance { relative: 0.0, absolute: (MORE * most.max(least)).min(bound.absolute) }
    };
    Allowed { output: tolerance(most[0], &output), weights: tolerance(most[1], &weights) }
}

/// Output and weights in one run.
fn outputs(case: &Case, mut run: Rounding<'_>) -> [Array; 2] {
    let (heads, mask) = (case.get_size("heads").max(1), case.find("mask"));
    let query = case.get("query");
    let key = case.find("key").unwrap_or_else(|| query.clone());
    let value = case.find("value").unwrap_or_else(|| key.clone());
    let (q, k) = (run.linear("q_proj", &query), run.linear("k_proj", &key));
    let v = run.linear("v_proj", &value);
    let sees = |b, i, j| mask.as_ref().is_none_or(|mask| mask.at(&[b, i, j]) != 0.0);
    let weights = run.weights((&q, &k), heads, &sees);
    let mixed = run.mixed(&weights, &v);
    [run.linear("out_proj", &mixed), weights]
}

#[cfg(test)]
mod tests {
    use attention_checks::fixed::{
        SEED, SQUARE, large_shapes, with_full_mantissas, with_one_key_hidden,
    };
    use softmark_checks::Corners;

    use super::*;
    use crate::oracle::oracle;

    fn cases() -> Vec<Case> {
        let shapes = SQUARE.corners().into_iter().chain(large_shapes());
        let case = |shape: attention_checks::cases::AttentionShape| {
            with_full_mantissas(&shape.multi_head(SEED, false))
        };
        shapes.map(case).collect()
    }

    #[test]
    fn run_without_rounding_is_the_oracle() {
        for case in cases() {
            let (want, [output, weights]) = (oracle(&case), outputs(&case, Rounding::exact(&case)));
            assert!(output.largest_difference(&want["output"]) < 1e-11, "{case:?}");
            assert!(weights.largest_difference(&want["weights"]) < 1e-11, "{case:?}");
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
