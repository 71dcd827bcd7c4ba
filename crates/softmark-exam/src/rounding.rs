//! Components of a network in `f64`, in plain loops with an optional random `f32` rounding error in
//! each operation.
//!
//! A bound on every error adds up errors that cannot all occur at once. Instead, the same loops run
//! again with a random error of up to one rounding in every operation: Parker, *Monte Carlo
//! Arithmetic* (1997). The resulting changes of the outputs have the size of the effects of
//! rounding.

use softmark_checks::{Array, Case};
use softmark_common::compare::F32_ROUNDING;
use softmark_common::rng::Stream;

use crate::dropout::Dropper;

/// Arithmetic with the parameters of a case, exact or with a random rounding error in every operation.
#[derive(Debug)]
pub struct Rounding<'a> {
    case: &'a Case,
    stream: Option<Stream>,
}

impl<'a> Rounding<'a> {
    /// Returns exact arithmetic.
    pub fn exact(case: &'a Case) -> Self {
        Self { case, stream: None }
    }

    /// Returns arithmetic with random rounding errors, which differ between values of `run`.
    pub fn at_random(case: &'a Case, run: u64) -> Self {
        Self { case, stream: Some(Stream::derive(1, "random rounding", run)) }
    }

    /// Returns `x` with the rounding error of one operation in `f32`.
    pub fn round(&mut self, x: f64) -> f64 {
        match &mut self.stream {
            Some(stream) => x * (1.0 + F32_ROUNDING * (2.0 * f64::from(stream.uniform()) - 1.0)),
            None => x,
        }
    }

    /// Returns the sum, rounded after each addition.
    pub fn sum(&mut self, of: impl Iterator<Item = f64>) -> f64 {
        of.fold(0.0, |sum, x| self.round(sum + x))
    }

    /// Returns `start` plus the sum of products, rounded after each operation.
    pub fn dot(&mut self, start: f64, pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
        pairs.fold(start, |sum, (x, y)| {
            let product = self.round(x * y);
            self.round(sum + product)
        })
    }

    /// Applies `f` to each row of the last axis.
    fn rows(&mut self, x: &Array, f: &mut dyn FnMut(&mut Self, &[f64]) -> Vec<f64>) -> Array {
        let width = x.shape().last().copied().unwrap_or(1).max(1);
        let rows: Vec<Vec<f64>> = x.values().chunks(width).map(|row| f(self, row)).collect();
        let mut shape = x.shape().to_vec();
        if let (Some(last), Some(row)) = (shape.last_mut(), rows.first()) {
            *last = row.len();
        }
        Array::new(&shape, rows.concat())
    }

    /// Applies the linear map `name` to each row.
    pub fn linear(&mut self, name: &str, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        let from = weight.dim(1).max(1);
        self.rows(x, &mut |run, row| {
            let lines = weight.values().chunks(from).zip(bias.values());
            lines.map(|(line, bias)| run.line(line, *bias, row)).collect()
        })
    }

    fn line(&mut self, weight: &[f64], bias: f64, row: &[f64]) -> f64 {
        self.dot(bias, row.iter().copied().zip(weight.iter().copied()))
    }

    /// Applies the layer norm `name` to each row.
    pub fn norm(&mut self, name: &str, epsilon: f64, x: &Array) -> Array {
        let weight = self.case.get_parameter(&format!("{name}.weight"));
        let bias = self.case.get_parameter(&format!("{name}.bias"));
        self.rows(x, &mut |run, row| run.normed(row, &weight, &bias, epsilon))
    }

    fn normed(&mut self, row: &[f64], weight: &Array, bias: &Array, epsilon: f64) -> Vec<f64> {
        let n = row.len() as f64;
        let total = self.sum(row.iter().copied());
        let mean = self.round(total / n);
        let off: Vec<f64> = row.iter().map(|x| self.round(x - mean)).collect();
        let squares = self.dot(0.0, off.iter().map(|x| (*x, *x)));
        let variance = self.round(squares / n + epsilon);
        let deviation = self.round(variance.sqrt());
        let places = off.iter().zip(weight.values()).zip(bias.values());
        let out = |((x, w), b): ((&f64, &f64), &f64)| {
            let unit = self.round(x / deviation);
            self.dot(*b, std::iter::once((unit, *w)))
        };
        places.map(out).collect()
    }

    /// Returns `x + y`.
    pub fn plus(&mut self, x: &Array, y: &Array) -> Array {
        let pairs = x.values().iter().zip(y.values());
        Array::new(x.shape(), pairs.map(|(x, y)| self.round(x + y)).collect())
    }

    /// Applies dropout.
    pub fn dropped(&mut self, drop: &mut Dropper, x: &Array) -> Array {
        let factors = drop.factors(x.shape());
        let pairs = x.values().iter().zip(factors.values());
        Array::new(x.shape(), pairs.map(|(x, f)| self.round(x * f)).collect())
    }

    /// Returns the attention weights `[B, H, Tq, Tk]` of queries `[B, Tq, D]` and keys
    /// `[B, Tk, D]`; `sees(b, i, j)` is true if query `i` of text `b` attends to key `j`.
    pub fn weights(
        &mut self,
        (q, k): (&Array, &Array),
        heads: usize,
        sees: &dyn Fn(usize, usize, usize) -> bool,
    ) -> Array {
        let (texts, tq, tk) = (q.dim(0), q.dim(1), k.dim(1));
        let width = q.dim(2) / heads;
        let root = (width as f64).sqrt();
        let mut weights = Array::full(&[texts, heads, tq, tk], 0.0);
        for n in 0..texts * heads * tq {
            let (b, h, i) = (n / (heads * tq), n / tq % heads, n % tq);
            let mut scores = Vec::new();
            for j in (0..tk).filter(|&j| sees(b, i, j)) {
                let channels = h * width..(h + 1) * width;
                let pairs = channels.map(|c| (q.at(&[b, i, c]), k.at(&[b, j, c])));
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
        weights
    }

    /// Returns the values `[B, Tk, D]` weighted in each head: `[B, Tq, D]`.
    pub fn mixed(&mut self, weights: &Array, v: &Array) -> Array {
        let (tq, tk, width) = (weights.dim(2), v.dim(1), v.dim(2) / weights.dim(1).max(1));
        let head = |c: usize| c / width.max(1);
        let pair = |b, i, j, c| (weights.at(&[b, head(c), i, j]), v.at(&[b, j, c]));
        Array::from_fn(&[v.dim(0), tq, v.dim(2)], |at| match *at {
            [b, i, c] => self.dot(0.0, (0..tk).map(|j| pair(b, i, j, c))),
            _ => f64::NAN,
        })
    }

    /// Applies multi-head self-attention with the parameters below `under`; `mask` `[B, T]` is 1 at
    /// visible keys.
    pub fn attended(
        &mut self,
        under: &str,
        (x, mask): (&Array, &Array),
        drop: &mut Dropper,
    ) -> Array {
        let heads = self.case.get_size("heads").max(1);
        let [q, k, v] =
            ["q_proj", "k_proj", "v_proj"].map(|name| self.linear(&format!("{under}.{name}"), x));
        let weights = self.weights((&q, &k), heads, &|b, _, j| mask.at(&[b, j]) == 1.0);
        let weights = self.dropped(drop, &weights);
        let mixed = self.mixed(&weights, &v);
        self.linear(&format!("{under}.out_proj"), &mixed)
    }
}
