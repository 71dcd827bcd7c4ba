//! Attention within packed texts: the real tokens of all texts, concatenated without padding.

use super::head::{self, Gradients, Head};
use super::product::{Rows, RowsMut};
use crate::nn::kernel::{Real, each};

/// The lengths of the packed texts, and the division of channels into heads.
#[derive(Debug, Clone, Copy)]
pub(in crate::nn) struct Packed<'a> {
    /// Number of tokens of each text.
    pub(in crate::nn) lengths: &'a [usize],
    /// Number of heads.
    pub(in crate::nn) heads: usize,
    /// Number of channels of all heads together.
    pub(in crate::nn) width: usize,
}

/// Splits `all` into the parts of the texts; a text has `row` numbers for each of its tokens.
fn parts<'a, T>(lengths: &[usize], row: usize, mut all: &'a mut [T]) -> Vec<&'a mut [T]> {
    let mut parts = Vec::with_capacity(lengths.len());
    for length in lengths {
        let (part, rest) = all.split_at_mut((length * row).min(all.len()));
        parts.push(part);
        all = rest;
    }
    parts
}

impl Packed<'_> {
    fn head_width(&self) -> usize {
        self.width / self.heads.max(1)
    }

    /// Returns the rows of one third (`of`: query, key or value) of a text's head.
    fn third<'a, T>(&self, all: &'a [T], [first, count, n, of]: [usize; 4]) -> Rows<'a, T> {
        let (step, width) = (3 * self.width, self.head_width());
        Rows { all, start: first * step + of * self.width + n * width, count, width, step }
    }

    fn head<'a, T: Real>(&self, qkv: &'a [T], first: usize, count: usize, n: usize) -> Head<'a, T> {
        let [query, key, value] = [0, 1, 2].map(|of| self.third(qkv, [first, count, n, of]));
        let scale = T::from_f64(1.0 / (self.head_width().max(1) as f64).sqrt());
        Head { query, key, value, mask: None, kept: T::one(), scale }
    }

    fn target<'a, T>(&self, part: &'a mut [T], n: usize) -> RowsMut<'a, T> {
        let width = self.head_width();
        RowsMut { all: part, start: n * width, width, step: self.width }
    }

    /// Returns the first token and the number of tokens of each text.
    fn texts(&self) -> Vec<(usize, usize)> {
        let from = |first: &mut usize, &count: &usize| {
            let at = *first;
            *first += count;
            Some((at, count))
        };
        self.lengths.iter().scan(0, from).collect()
    }

    /// Computes the output of attention for each token: from `[N, 3 · D]` (query, key, value) to `[N, D]`.
    pub(in crate::nn) fn forward<T: Real>(&self, qkv: &[T]) -> Vec<T> {
        let mut mixed = vec![T::zero(); qkv.len() / 3];
        let tasks = self.texts().into_iter().zip(parts(self.lengths, self.width, &mut mixed));
        each(tasks.collect(), |((first, count), part)| {
            for n in 0..self.heads {
                head::forward(self.head(qkv, first, count, n), None, self.target(part, n));
            }
        });
        mixed
    }

    /// Computes the gradients of query, key and value, `[N, 3 · D]`, from those of the output, `[N, D]`.
    pub(in crate::nn) fn backward<T: Real>(&self, qkv: &[T], grad: &[T]) -> Vec<T> {
        let mut d_qkv = vec![T::zero(); qkv.len()];
        let tasks = self.texts().into_iter().zip(parts(self.lengths, 3 * self.width, &mut d_qkv));
        each(tasks.collect(), |(text, part)| self.backward_text(qkv, grad, text, part));
        d_qkv
    }

    /// Computes the gradients of one text, given its first token and its number of tokens.
    fn backward_text<T: Real>(
        &self,
        qkv: &[T],
        grad: &[T],
        (first, count): (usize, usize),
        d_qkv: &mut [T],
    ) {
        let [mut query, mut key, mut value] = [(); 3].map(|()| vec![T::zero(); count * self.width]);
        for n in 0..self.heads {
            let width = self.head_width();
            let start = first * self.width + n * width;
            let grad = Rows { all: grad, start, count, width, step: self.width };
            let gradients = Gradients {
                query: self.target(&mut query, n),
                key: self.target(&mut key, n),
                value: self.target(&mut value, n),
            };
            head::backward(self.head(qkv, first, count, n), None, grad, gradients);
        }
        let of = [query, key, value];
        for (n, row) in d_qkv.chunks_exact_mut(self.width.max(1)).enumerate() {
            let (token, third) = (n / 3, n % 3);
            let from = of.get(third).and_then(|of| of.get(token * self.width..));
            for (to, &from) in row.iter_mut().zip(from.unwrap_or_default()) {
                *to = from;
            }
        }
    }
}
