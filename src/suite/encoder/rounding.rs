//! Errors of right answers in `f32`, estimated by rounding at random.
//!
//! A bound on every error (`suite/noisy.rs`) adds up what cannot all happen at once: below three norms and
//! an attention it allows a hundred times what any right answer needs, and lets another ε pass. So the same
//! loops are run again with every operation off by up to a rounding of `f32`, at random: Parker, *Monte
//! Carlo Arithmetic* (1997). What that does to the outputs is what rounding does.

use softmark_checks::{Array, Case};
use softmark_kit::compare::{F32_ROUNDING, Tolerance};
use softmark_kit::rng::Stream;

use crate::suite::encoder::oracle::{Dropper, bound, without_stand_ins};
use crate::suite::formula::gelu;

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
    let case = &without_stand_ins(case);
    let exact = Run::new(case, EPSILON, None).outputs();
    let away = |n: u64| {
        let stream = Stream::derive(1, "random rounding", n);
        distance(&Run::new(case, EPSILON, Some(stream)).outputs(), &exact)
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
    let case = &without_stand_ins(case);
    let exact = Run::new(case, EPSILON, None).outputs();
    let other = Run::new(case, EPSILON / 10.0, None).outputs();
    let epsilons = Tolerance { relative: 0.0, absolute: EPSILONS * distance(&other, &exact) };
    tolerance(case) + epsilons
}

/// The largest difference of two numbers of the same place.
fn distance(x: &Array, y: &Array) -> f64 {
    let pairs = x.values().iter().zip(y.values());
    pairs.fold(0.0, |most, (x, y)| (x - y).abs().max(most))
}

/// One run through a part; every operation is off by up to a rounding where there is a stream.
struct Run<'a> {
    case: &'a Case,
    drop: Dropper,
    epsilon: f64,
    stream: Option<Stream>,
}

impl<'a> Run<'a> {
    fn new(case: &'a Case, epsilon: f64, stream: Option<Stream>) -> Self {
        Self { case, drop: Dropper::new(case), epsilon, stream }
    }

    fn outputs(mut self) -> Array {
        let case = self.case;
        match case.part {
            "feed-forward" => self.fed("", &case.get("x")),
            "encoder-layer" => self.layer("", &case.get("x")),
            "encoder" => self.encoded(),
            _ => self.classified(),
        }
    }

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

    fn norm(&mut self, name: &str, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        self.rows(x, &mut |run, row| {
            let n = row.len() as f64;
            let total = run.sum(row.iter().copied());
            let mean = run.round(total / n);
            let off: Vec<f64> = row.iter().map(|x| run.round(x - mean)).collect();
            let squares = run.dot(0.0, off.iter().map(|x| (*x, *x)));
            let variance = run.round(squares / n + run.epsilon);
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

    /// Multi-head self-attention over places whose mask is 1, with the parameters below `under`.
    fn attended(&mut self, under: &str, x: &Array) -> Array {
        let (mask, heads) = (self.case.get("mask"), self.case.get_size("heads").max(1));
        let (texts, t) = (x.dim(0), x.dim(1));
        let width = x.dim(2) / heads;
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

    fn fed(&mut self, under: &str, x: &Array) -> Array {
        let is_gelu = self.case.get_size("gelu") == 1;
        let hidden = self.linear(&format!("{under}linear1"), x);
        let active = hidden.map(|x| if is_gelu { self.round(gelu(x)) } else { x.max(0.0) });
        let dropped = self.dropped(&active);
        self.linear(&format!("{under}linear2"), &dropped)
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
            let sum = self.plus(&stream, &added);
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
                self.round(token + positions.at(&[t, c]))
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
                let sum = self.sum(real.iter().map(|&t| x.at(&[b, t, c])));
                self.round(sum / real.len().max(1) as f64)
            }
            _ => f64::NAN,
        });
        self.linear("classifier", &pooled)
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
    use softmark_checks::encoder::cases::encoder_shapes;

    use super::*;
    use crate::suite::encoder::oracle::oracle;

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
            assert!(distance(&Run::new(&case, EPSILON, None).outputs(), &want) < 1e-11, "{case:?}");
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
