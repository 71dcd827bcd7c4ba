//! Attention of one head: forward, and its gradients, in tiles of a few queries.
//!
//! Of the scores only a tile is ever in memory. The backward pass computes them again: with heads as
//! narrow as a course's, that takes no longer than reading them back would.

use super::product::{
    ROWS, Rows, add_outer, by_columns, by_rows, four, four_mut, multiply, padded, scaled,
};
use crate::nn::dropout::KeepStream;
use crate::nn::kernel::{LANES, Real, dot3, kernel, max, sum};

/// A head's inputs.
#[derive(Debug)]
pub(super) struct Head<'a, T> {
    /// `[Tq, K]`
    pub(super) query: Rows<'a, T>,
    /// `[Tk, K]`
    pub(super) key: Rows<'a, T>,
    /// `[Tk, K]`
    pub(super) value: Rows<'a, T>,
    /// `[Tq, Tk]`; 0 = may not look
    pub(super) mask: Option<&'a [u8]>,
    /// Which weights are dropped, and by what the others are scaled.
    pub(super) dropout: Option<(KeepStream, T)>,
    /// 1 / √K
    pub(super) scale: T,
}

/// What a tile of queries works in.
struct Tile<T> {
    /// Scores, then their exponentials: `[ROWS, Tk]`, padded to lanes, zeros there.
    weights: Vec<T>,
    /// 1 / Σ of each row; 0 where a query sees nothing.
    shares: [T; ROWS],
    /// 1 where a weight stays, otherwise 0; all 1 without dropout.
    keep: Vec<T>,
    bits: Vec<u16>,
}

impl<T: Real> Tile<T> {
    fn new(keys: usize) -> Self {
        let width = padded(keys);
        Self {
            weights: vec![T::zero(); ROWS * width],
            shares: [T::zero(); ROWS],
            keep: vec![T::one(); ROWS * width],
            bits: vec![0; ROWS * keys],
        }
    }

    /// exp(score − largest) of the tile that begins at query `first`, and what to divide by.
    #[inline(always)]
    fn weigh(&mut self, head: &Head<'_, T>, first: usize, query: &[T], keys: &[T]) {
        let count = head.key.count;
        let width = padded(count);
        let rows = four(query, head.query.width);
        multiply(rows, keys, four_mut(&mut self.weights, width));
        let rows = self.weights.chunks_exact_mut(width).zip(&mut self.shares);
        for (n, (row, share)) in rows.enumerate() {
            let (seen, beyond) = row.split_at_mut(count);
            beyond.fill(T::LOWEST);
            let mask = head.mask.and_then(|all| all.get((first + n) * count..)).unwrap_or_default();
            for (score, &may_look) in seen.iter_mut().zip(mask) {
                *score = if may_look == 0 { T::LOWEST } else { *score };
            }
            let largest = max(row);
            if largest == T::LOWEST {
                row.fill(T::zero());
                *share = T::zero();
                continue;
            }
            for score in row.as_chunks_mut::<LANES>().0 {
                for score in score {
                    *score = (*score - largest).exp();
                }
            }
            *share = T::one() / sum(row);
        }
    }

    /// Draws what stays of the next tile. Queries come in order, so one stream serves a head.
    #[inline(always)]
    fn draw(&mut self, head: &mut Head<'_, T>) {
        let Some((stream, _)) = &mut head.dropout else { return };
        let count = head.key.count;
        stream.fill(&mut self.bits);
        let threshold = stream.threshold();
        let rows = self.keep.chunks_exact_mut(padded(count));
        for (keep, bits) in rows.zip(self.bits.chunks_exact(count.max(1))) {
            for (keep, &bits) in keep.iter_mut().zip(bits) {
                *keep = if bits < threshold { T::zero() } else { T::one() };
            }
        }
    }
}

kernel! {
    /// `output[i] = Σⱼ weights[i, j] · value[j]`, `[Tq, K]`.
    pub(super) fn forward<'a, T>(head: Head<'a, T>, output: &'a mut [T]) -> () {
        let mut head = head;
        let (width, value_width) = (head.query.width, padded(head.value.width));
        let query = scaled(head.query, head.scale, width);
        let keys = by_rows(head.key);
        let values = by_columns(head.value);
        let mut tile = Tile::new(head.key.count);
        let mut mixed = vec![T::zero(); ROWS * value_width];
        let kept = head.dropout.as_ref().map_or(T::one(), |&(_, scale)| scale);
        let count = head.key.count;
        let tiles = query.chunks_exact((ROWS * width).max(1));
        let outputs = output.chunks_mut((ROWS * head.value.width).max(1));
        for (n, (query, output)) in tiles.zip(outputs).enumerate() {
            tile.weigh(&head, n * ROWS, query, &keys);
            if head.dropout.is_some() {
                tile.draw(&mut head);
                for (weight, &keep) in tile.weights.iter_mut().zip(&tile.keep) {
                    *weight *= keep;
                }
            }
            let weights = four(&tile.weights, padded(count)).map(|row| row.split_at(count).0);
            multiply(weights, &values, four_mut(&mut mixed, value_width));
            let rows = output.chunks_exact_mut(head.value.width.max(1));
            for ((out, mixed), &share) in
                rows.zip(mixed.chunks_exact(value_width)).zip(&tile.shares)
            {
                for (out, &mixed) in out.iter_mut().zip(mixed) {
                    *out = mixed * (share * kept);
                }
            }
        }
    }
}

/// A head's gradients.
#[derive(Debug)]
pub(super) struct Gradients<'a, T> {
    /// `[Tq, K]`
    pub(super) query: &'a mut [T],
    /// `[Tk, K]`
    pub(super) key: &'a mut [T],
    /// `[Tk, K]`
    pub(super) value: &'a mut [T],
}

kernel! {
    /// With weights `P`, kept `P̃ = P · keep / (1 − p)` and the output's gradient `G`:
    ///
    /// ```text
    /// dV = P̃ᵀ · G            dP = (G · Vᵀ) · keep / (1 − p)
    /// dS = P · (dP − Σⱼ dP·P)  dQ = dS · K / √K    dK = dSᵀ · Q / √K
    /// ```
    pub(super) fn backward<'a, T>(
        head: Head<'a, T>, grad: Rows<'a, T>, gradients: Gradients<'a, T>,
    ) -> () {
        let mut head = head;
        let count = head.key.count;
        let (width, value_width) = (padded(head.query.width), padded(head.value.width));
        let narrow = scaled(head.query, head.scale, head.query.width);
        let query = scaled(head.query, head.scale, width);
        let grad = scaled(grad, T::one(), value_width);
        let (key_rows, value_rows) = (by_rows(head.key), by_rows(head.value));
        let keys = by_columns(head.key);
        let mut tile = Tile::new(count);
        let mut d_weights = vec![T::zero(); ROWS * padded(count)];
        let mut d_query = vec![T::zero(); ROWS * width];
        let mut d_keys = vec![T::zero(); count * width];
        let mut d_values = vec![T::zero(); count * value_width];
        let kept = head.dropout.as_ref().map_or(T::one(), |&(_, scale)| scale);
        let tiles = narrow.chunks_exact((ROWS * head.query.width).max(1));
        let tiles = tiles.zip(query.chunks_exact((ROWS * width).max(1)));
        let tiles = tiles.zip(grad.chunks_exact((ROWS * value_width).max(1)));
        let outs = gradients.query.chunks_mut((ROWS * head.query.width).max(1));
        for (n, (((narrow, query), grad), out)) in tiles.zip(outs).enumerate() {
            tile.weigh(&head, n * ROWS, narrow, &key_rows);
            tile.draw(&mut head);
            let grads = four(grad, value_width);
            let short = grads.map(|row| row.split_at(head.value.width).0);
            multiply(short, &value_rows, four_mut(&mut d_weights, padded(count)));
            let rows = tile.weights.chunks_exact_mut(padded(count)).zip(&tile.shares);
            let rows = rows.zip(tile.keep.chunks_exact_mut(padded(count)));
            for (((p, &share), keep), dp) in rows.zip(d_weights.chunks_exact_mut(padded(count))) {
                let mean = dot3(p, keep, dp) * (share * kept);
                for ((p, keep), dp) in p.iter_mut().zip(keep.iter_mut()).zip(dp) {
                    let weight = *p * share;
                    *dp = weight * (*keep * kept).mul_add(*dp, -mean);
                    *p = weight * (*keep * kept);
                }
            }
            let weights = four(&tile.weights, padded(count)).map(|row| row.split_at(count).0);
            add_outer(weights, grads, &mut d_values);
            let d_scores = four(&d_weights, padded(count)).map(|row| row.split_at(count).0);
            add_outer(d_scores, four(query, width), &mut d_keys);
            multiply(d_scores, &keys, four_mut(&mut d_query, width));
            let rows = out.chunks_exact_mut(head.query.width.max(1));
            for (out, row) in rows.zip(d_query.chunks_exact(width)) {
                for (out, &x) in out.iter_mut().zip(row) {
                    *out = x * head.scale;
                }
            }
        }
        unpack(&d_keys, count, head.key.width, gradients.key);
        unpack(&d_values, count, head.value.width, gradients.value);
    }
}

/// Panels of columns back to rows.
#[inline(always)]
fn unpack<T: Real>(panels: &[T], count: usize, width: usize, rows: &mut [T]) {
    for (n, panel) in panels.chunks_exact((count * LANES).max(1)).enumerate() {
        let columns = panel.as_chunks::<LANES>().0;
        for (row, columns) in rows.chunks_exact_mut(width.max(1)).zip(columns) {
            let row = row.get_mut(n * LANES..).unwrap_or_default();
            for (x, &column) in row.iter_mut().zip(columns) {
                *x = column;
            }
        }
    }
}
