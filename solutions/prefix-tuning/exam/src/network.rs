//! The tuned classifiers in `f64`, in plain loops, and how far right ones in `f32` may be off.
//!
//! Errors of a stack of norms do not add up: what one layer makes larger, the next one divides again. A
//! bound on each, as other assignments have it, would allow anything after three layers, so they are estimated
//! by [`Rounding`].

use prefix_tuning_checks::cases::prefix_of;
use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};
use softmark_exam::dropout::Dropper;
use softmark_exam::formula::gelu;
use softmark_exam::memo::memoized;
use softmark_exam::rounding::Rounding;

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
    Run { case, drop: Dropper::new(case), rounding: Rounding::exact(case) }.logits()
}

/// How far right logits in `f32` may be from these.
pub(super) fn tolerance(case: &Case) -> Tolerance {
    memoized(&[case], || estimated(case))
}

fn estimated(case: &Case) -> Tolerance {
    let exact = logits(case);
    let away = |n: u64| {
        let rounding = Rounding::at_random(case, n);
        Run { case, drop: Dropper::new(case), rounding }.logits().largest_difference(&exact)
    };
    let most = (0..RUNS).map(away).fold(0.0, f64::max);
    // Where all errors are zero by chance, a rounding of the logits is left.
    let least = 4.0 * F32_ROUNDING * exact.magnitude().max(1.0);
    Tolerance { relative: 0.0, absolute: MORE * most.max(least) }
}

/// One run through a classifier.
struct Run<'a> {
    case: &'a Case,
    drop: Dropper,
    rounding: Rounding<'a>,
}

impl Run<'_> {
    /// A layer norm with `ε = 1e-5`.
    fn norm(&mut self, name: &str, x: &Array) -> Array {
        self.rounding.norm(name, 1e-5, x)
    }

    fn dropped(&mut self, x: &Array) -> Array {
        self.rounding.dropped(&mut self.drop, x)
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
                self.rounding.round(token + place)
            }
            _ => f64::NAN,
        });
        self.norm("base.embedding_norm", &sum)
    }

    /// The layers of the encoder, post-norm. What is inside a feed-forward network is not dropped in BERT.
    fn encoded(&mut self, mut x: Array, mask: &Array) -> Array {
        let is_gelu = self.case.get_size("gelu") == 1;
        for n in 0..self.case.get_size("layers") {
            let under = format!("base.layers.{n}");
            let under_attention = format!("{under}.self_attn");
            let attended = self.rounding.attended(&under_attention, (&x, mask), &mut self.drop);
            let attended = self.dropped(&attended);
            let sum = self.rounding.plus(&x, &attended);
            let y = self.norm(&format!("{under}.norm1"), &sum);
            let hidden = self.rounding.linear(&format!("{under}.feed_forward.linear1"), &y);
            let active =
                hidden.map(|x| if is_gelu { self.rounding.round(gelu(x)) } else { x.max(0.0) });
            let fed = self.rounding.linear(&format!("{under}.feed_forward.linear2"), &active);
            let fed = self.dropped(&fed);
            let sum = self.rounding.plus(&y, &fed);
            x = self.norm(&format!("{under}.norm2"), &sum);
        }
        x
    }

    fn logits(mut self) -> Array {
        if self.case.part() == "prefix" { self.prefixed() } else { self.partly() }
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
                let sum = self.rounding.sum(real.iter().map(|&t| h.at(&[b, length + t, c])));
                self.rounding.round(sum / real.len().max(1) as f64)
            }
            _ => f64::NAN,
        });
        self.rounding.linear("classifier", &pooled)
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
        let hidden = self.rounding.linear("linear1", &first);
        let hidden = self.norm("norm", &hidden).map(|x| x.max(0.0));
        let hidden = self.dropped(&hidden);
        self.rounding.linear("classifier", &hidden)
    }
}

#[cfg(test)]
mod tests {
    use prefix_tuning_checks::cases::tuning_shapes;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::Corners;

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
