//! Errors of right answers in `f32`, estimated by [`Rounding`].
//!
//! A bound on every error (`softmark_exam::noisy`) allows a hundred times what any right answer needs below three norms
//! and an attention, and lets another ε pass.

use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};
use softmark_exam::dropout::Dropper;
use softmark_exam::formula::gelu;
use softmark_exam::memo::memoized;
use softmark_exam::rounding::Rounding;

use crate::oracle::{bound, without_stand_ins};

/// Runs with random rounding.
const RUNS: u64 = 6;

/// Allowed error, as a multiple of the largest error of these runs.
///
/// Their errors are sums of many small ones, so nearly normal: the largest of two dozen is about two
/// deviations. Another order of sums, fused operations and functions that are good to two units in the last
/// place make up to four times as much of it. This leaves thirty deviations of that; and it is less than
/// what the smallest mistake does by a factor of ten.
const MORE: f64 = 64.0;

/// Allowed effect of ε where ε is not checked, as a multiple of the effect of an ε ten times smaller.
///
/// An ε of 1e-3 does a hundred times as much.
const EPSILONS: f64 = 8.0;

const EPSILON: f64 = 1e-5;

/// Tolerance of right answers in `f32`, compared with the oracle's.
///
/// Never more than can be bounded: where little happens, that is less.
pub(crate) fn tolerance(case: &Case) -> Tolerance {
    memoized(&[case], || estimated(&without_stand_ins(case)))
}

fn estimated(case: &Case) -> Tolerance {
    let exact = Run::new(case, EPSILON, Rounding::exact(case)).outputs();
    let away = |n: u64| {
        Run::new(case, EPSILON, Rounding::at_random(case, n)).outputs().largest_difference(&exact)
    };
    let most = (0..RUNS).map(away).fold(0.0, f64::max);
    // Where all errors are zero by chance, a rounding of the outputs is left.
    let least = F32_ROUNDING * exact.magnitude().max(1.0);
    let absolute = (MORE * most.max(least)).min(bound(case).absolute);
    Tolerance { relative: 0.0, absolute }
}

/// The same for questions that are not about ε: an ε as small as 1e-5 is the right one here, so that a wrong
/// one falls to the check that is about it, whatever the numbers, and a large one to both.
pub(crate) fn with_any_small_epsilon(case: &Case) -> Tolerance {
    tolerance(case) + memoized(&[case], || of_epsilon(&without_stand_ins(case)))
}

fn of_epsilon(case: &Case) -> Tolerance {
    let exact = Run::new(case, EPSILON, Rounding::exact(case)).outputs();
    let other = Run::new(case, EPSILON / 10.0, Rounding::exact(case)).outputs();
    Tolerance { relative: 0.0, absolute: EPSILONS * other.largest_difference(&exact) }
}

/// One run through a part.
struct Run<'a> {
    case: &'a Case,
    drop: Dropper,
    epsilon: f64,
    rounding: Rounding<'a>,
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, epsilon: f64, rounding: Rounding<'a>) -> Self {
        Self { case, drop: Dropper::new(case), epsilon, rounding }
    }

    fn outputs(mut self) -> Array {
        let case = self.case;
        match case.part() {
            "feed-forward" => self.fed("", &case.get("x")),
            "encoder-layer" => self.layer("", &case.get("x")),
            "encoder" => self.encoded(),
            _ => self.classified(),
        }
    }

    fn norm(&mut self, name: &str, x: &Array) -> Array {
        self.rounding.norm(name, self.epsilon, x)
    }

    fn dropped(&mut self, x: &Array) -> Array {
        self.rounding.dropped(&mut self.drop, x)
    }

    /// Multi-head self-attention over real tokens, with the parameters below `under`.
    fn attended(&mut self, under: &str, x: &Array) -> Array {
        self.rounding.attended(under, (x, &self.case.get("mask")), &mut self.drop)
    }

    fn fed(&mut self, under: &str, x: &Array) -> Array {
        let is_gelu = self.case.get_size("gelu") == 1;
        let hidden = self.rounding.linear(&format!("{under}linear1"), x);
        let active =
            hidden.map(|x| if is_gelu { self.rounding.round(gelu(x)) } else { x.max(0.0) });
        let dropped = self.dropped(&active);
        self.rounding.linear(&format!("{under}linear2"), &dropped)
    }

    /// The output of a sublayer, the attention or the network, as it is added to the stream.
    fn added(&mut self, under: &str, is_attention: bool, x: &Array) -> Array {
        let output = if is_attention {
            self.attended(&format!("{under}self_attn"), x)
        } else {
            self.fed(&format!("{under}feed_forward."), x)
        };
        self.dropped(&output)
    }

    fn layer(&mut self, under: &str, x: &Array) -> Array {
        let is_pre = self.case.get_size("pre_norm") == 1;
        let mut stream = x.clone();
        for (norm, is_attention) in [("norm1", true), ("norm2", false)] {
            let norm = format!("{under}{norm}");
            let given = if is_pre { self.norm(&norm, &stream) } else { stream.clone() };
            let added = self.added(under, is_attention, &given);
            let sum = self.rounding.plus(&stream, &added);
            stream = if is_pre { sum } else { self.norm(&norm, &sum) };
        }
        stream
    }

    /// The embedded tokens after all layers, `[B, T, D]`.
    fn encoded(&mut self) -> Array {
        let table = |of: &str| self.case.get_parameter(&format!("{of}_embedding.weight"));
        let (ids, tokens, positions) = (self.case.get("ids"), table("token"), table("position"));
        let row = |id: f64| (0..tokens.dim(0)).find(|row| *row as f64 == id);
        let sum = Array::from_fn(&[ids.dim(0), ids.dim(1), tokens.dim(1)], |at| match *at {
            [b, t, c] => {
                let token = match row(ids.at(&[b, t])) {
                    Some(0) => 0.0,
                    Some(id) => tokens.at(&[id, c]),
                    None => f64::NAN,
                };
                self.rounding.round(token + positions.at(&[t, c]))
            }
            _ => f64::NAN,
        });
        let mut x = self.dropped(&sum);
        for n in 0..self.case.get_size("layers") {
            x = self.layer(&format!("layers.{n}."), &x);
        }
        if self.case.get_size("pre_norm") == 1 { self.norm("norm", &x) } else { x }
    }

    fn classified(&mut self) -> Array {
        let (x, mask) = (self.encoded(), self.case.get("mask"));
        let pooled = Array::from_fn(&[x.dim(0), x.dim(2)], |at| match *at {
            [b, c] => {
                let real: Vec<usize> =
                    (0..mask.dim(1)).filter(|&t| mask.at(&[b, t]) == 1.0).collect();
                let sum = self.rounding.sum(real.iter().map(|&t| x.at(&[b, t, c])));
                self.rounding.round(sum / real.len().max(1) as f64)
            }
            _ => f64::NAN,
        });
        self.rounding.linear("classifier", &pooled)
    }
}

#[cfg(test)]
mod tests {
    use encoder_checks::cases::encoder_shapes;
    use proptest::strategy::{Strategy, ValueTree};
    use proptest::test_runner::TestRunner;
    use softmark_checks::Corners;

    use super::*;
    use crate::oracle::oracle;

    fn cases(n: u64) -> Vec<Case> {
        let mut runner = TestRunner::deterministic();
        let mut cases = Vec::new();
        for seed in 0..n {
            let shape = encoder_shapes().new_tree(&mut runner).unwrap().current();
            for shape in shape.corners().into_iter().chain([shape]) {
                cases.extend([
                    shape.feed_forward(seed),
                    shape.encoder_layer(seed),
                    shape.encoder(seed),
                    shape.classifier(seed),
                ]);
            }
        }
        cases
    }

    /// Three writings of the same formulas: without rounding, this one is the oracle.
    #[test]
    fn without_rounding_it_is_the_oracle() {
        for case in cases(40) {
            let want = oracle(&case).into_values().next().unwrap();
            let outputs = Run::new(&case, EPSILON, Rounding::exact(&case)).outputs();
            assert!(outputs.largest_difference(&want) < 1e-11, "{case:?}");
        }
    }

    /// The tolerance is less than a ten-thousandth of a number of ordinary size.
    #[test]
    fn rounding_may_take_less_than_a_ten_thousandth() {
        let mut shares: Vec<f64> = Vec::new();
        for case in cases(40) {
            let want = oracle(&case).into_values().next().unwrap();
            shares.push(tolerance(&case).absolute / want.magnitude().max(1.0));
        }
        shares.sort_by(f64::total_cmp);
        let (least, most) = (shares[0], shares[(shares.len() - 1) * 19 / 20]);
        assert!(least > 1e-8 && most < 1e-4, "{least:e} {most:e}");
    }
}
