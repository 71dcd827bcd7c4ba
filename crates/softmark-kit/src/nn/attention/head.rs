//! Attention of one head: forward pass and gradients, in tiles of a few queries.
//!
//! Only a tile of the scores is in memory at a time. The backward pass recomputes the scores: for narrow
//! heads, as in a course, this takes no longer than reading them back would.

use pulp::Simd;

use super::product::{
    Left, ROWS, Rows, RowsMut, add_transposed, by_columns, by_rows, multiply, padded, scaled,
};
use crate::nn::dropout::KeepStream;
use crate::nn::kernel::{LANES, Real, dot3, kernel, max, sum};

/// Number of queries whose weights the backward pass keeps at a time, a multiple of [`ROWS`].
const GROUP: usize = 64;

/// Inputs of one head.
#[derive(Debug)]
pub(super) struct Head<'a, T> {
    /// `[Tq, K]`
    pub(super) query: Rows<'a, T>,
    /// `[Tk, K]`
    pub(super) key: Rows<'a, T>,
    /// `[Tk, K]`
    pub(super) value: Rows<'a, T>,
    /// `[Tq, Tk]`; 0 = masked
    pub(super) mask: Option<&'a [u8]>,
    /// Scale of the weights kept by dropout; 1 without dropout.
    pub(super) kept: T,
    /// 1 / √K
    pub(super) scale: T,
}

/// Random stream and result of dropout on the weights of a head.
#[derive(Debug)]
pub(super) struct Draws<'a> {
    pub(super) stream: KeepStream,
    /// `[Tq, Tk]`; set to 1 where a weight is kept, otherwise to 0.
    pub(super) stays: &'a mut [u8],
}

/// Buffers of a tile of queries.
struct Tile<T> {
    /// Scores, then their exponentials: `[ROWS, Tk]`, padded with zeros to whole lanes.
    weights: Vec<T>,
    /// 1 / Σ of each row; 0 for a fully masked query.
    shares: [T; ROWS],
    /// 1 where a weight is kept, otherwise 0; all 1 without dropout.
    stays: Vec<T>,
}

impl<T: Real> Tile<T> {
    fn new(keys: usize) -> Self {
        let width = padded(keys);
        Self {
            weights: vec![T::zero(); ROWS * width],
            shares: [T::zero(); ROWS],
            stays: vec![T::one(); ROWS * width],
        }
    }

    /// Computes exp(score − largest) of the tile that begins at query `first`, and the factors that normalize it.
    #[inline(always)]
    fn weigh<S: Simd>(&mut self, head: &Head<'_, T>, first: usize, query: &[T], keys: &[T]) {
        let count = head.key.count;
        let (width, depth) = (padded(count), head.query.width);
        let query = Left { all: query, stride: padded(depth), depth };
        multiply::<S, T>(query, keys, (&mut self.weights, width));
        // Each step runs over all rows before the next one: a row's maximum has a long latency, and its
        // exponentials would wait for it.
        let mut largest = [T::LOWEST; ROWS];
        for (n, (row, largest)) in
            self.weights.chunks_exact_mut(width).zip(&mut largest).enumerate()
        {
            let (seen, beyond) = row.split_at_mut(count);
            beyond.fill(T::LOWEST);
            let mask = head.mask.and_then(|all| all.get((first + n) * count..)).unwrap_or_default();
            for (score, &may_look) in seen.iter_mut().zip(mask) {
                *score = if may_look == 0 { T::LOWEST } else { *score };
            }
            *largest = max(row);
        }
        for (row, &largest) in self.weights.chunks_exact_mut(width).zip(&largest) {
            // In a fully masked row, every score is the lowest number, and its exponential is 0.
            let largest = if largest == T::LOWEST { T::zero() } else { largest };
            for score in row.as_chunks_mut::<LANES>().0 {
                for score in score {
                    *score = (*score - largest).exp();
                }
            }
        }
        for (row, share) in self.weights.chunks_exact(width).zip(&mut self.shares) {
            let sum = sum(row);
            *share = if sum == T::zero() { T::zero() } else { T::one() / sum };
        }
    }

    /// Converts gradients of the weights, in `scores`, to gradients of the scores, and stores the kept
    /// weights in `weights`.
    #[inline(always)]
    fn differentiate(&self, weights: &mut [T], scores: &mut [T], kept: T) {
        let columns = self.weights.len() / ROWS;
        let rows = self.weights.chunks_exact(columns).zip(self.stays.chunks_exact(columns));
        let outs = weights.chunks_exact_mut(columns).zip(scores.chunks_exact_mut(columns));
        for (((exps, stays), &share), (weights, scores)) in rows.zip(&self.shares).zip(outs) {
            let mean = dot3(exps, stays, scores) * (share * kept);
            let row = exps.iter().zip(stays).zip(weights).zip(scores);
            for (((&exp, &stays), weight), score) in row {
                let (p, stays) = (exp * share, stays * kept);
                *score = p * stays.mul_add(*score, -mean);
                *weight = p * stays;
            }
        }
    }

    /// Loads the kept weights of the next queries.
    #[inline(always)]
    fn read(&mut self, stays: &[u8], count: usize) {
        let rows = self.stays.chunks_exact_mut(padded(count));
        for (out, stays) in rows.zip(stays.chunks_exact(count.max(1))) {
            for (out, &stays) in out.iter_mut().zip(stays) {
                *out = if stays == 0 { T::zero() } else { T::one() };
            }
        }
    }

    /// Applies dropout to the weights of the next queries. Queries are processed in order, so one stream
    /// serves a head.
    #[inline(always)]
    fn drop(&mut self, stream: &mut KeepStream, stays: &mut [u8], count: usize) {
        stream.fill(stays);
        let rows = self.weights.chunks_exact_mut(padded(count));
        for (weights, stays) in rows.zip(stays.chunks_exact(count.max(1))) {
            for (weight, &stays) in weights.iter_mut().zip(stays) {
                *weight = if stays == 0 { T::zero() } else { *weight };
            }
        }
    }
}

kernel! {
    /// Computes `output[i] = Σⱼ weights[i, j] · value[j]`, `[Tq, K]`.
    pub(super) fn forward<'a, T>(
        head: Head<'a, T>, draws: Option<Draws<'a>>, output: RowsMut<'a, T>,
    ) -> () {
        let (width, value_width) = (padded(head.query.width), padded(head.value.width));
        let query = scaled(head.query, head.scale);
        let keys = by_rows(head.key);
        let values = by_columns(head.value);
        let mut tile = Tile::new(head.key.count);
        let mut mixed = vec![T::zero(); ROWS * value_width];
        let count = head.key.count;
        let (mut stream, stays) = draws.map(|draws| (draws.stream, draws.stays)).unzip();
        let mut stays = stays.unwrap_or_default().chunks_mut((ROWS * count).max(1));
        let tiles = query.chunks((ROWS * width).max(1));
        let mut outputs = output.each();
        for (n, query) in tiles.enumerate() {
            tile.weigh::<S>(&head, n * ROWS, query, &keys);
            if let (Some(stream), Some(stays)) = (&mut stream, stays.next()) {
                tile.drop(stream, stays, count);
            }
            let weights = Left { all: &tile.weights, stride: padded(count), depth: count };
            multiply::<S, T>(weights, &values, (&mut mixed, value_width));
            let rows = mixed.chunks_exact(value_width).zip(&tile.shares);
            for ((mixed, &share), out) in rows.zip(outputs.by_ref()) {
                for (out, &mixed) in out.iter_mut().zip(mixed) {
                    *out = mixed * (share * head.kept);
                }
            }
        }
    }
}

/// Gradients of one head's inputs.
#[derive(Debug)]
pub(super) struct Gradients<'a, T> {
    /// `[Tq, K]`
    pub(super) query: RowsMut<'a, T>,
    /// `[Tk, K]`
    pub(super) key: RowsMut<'a, T>,
    /// `[Tk, K]`
    pub(super) value: RowsMut<'a, T>,
}

kernel! {
    /// Computes the gradients. With weights `P`, kept `P̃ = P · stays / (1 − p)` and the output's gradient
    /// `G`:
    ///
    /// ```text
    /// dV = P̃ᵀ · G            dP = (G · Vᵀ) · stays / (1 − p)
    /// dS = P · (dP − Σⱼ dP·P)  dQ = dS · K / √K    dK = dSᵀ · Q / √K
    /// ```
    pub(super) fn backward<'a, T>(
        head: Head<'a, T>, stays: Option<&'a [u8]>, grad: Rows<'a, T>, gradients: Gradients<'a, T>,
    ) -> () {
        let count = head.key.count;
        let (width, value_width) = (padded(head.query.width), padded(head.value.width));
        let query = scaled(head.query, head.scale);
        let grad = scaled(grad, T::one());
        let (key_rows, value_rows) = (by_rows(head.key), by_rows(head.value));
        let keys = by_columns(head.key);
        let columns = padded(count);
        let mut tile = Tile::new(count);
        // Kept weights and gradients of the scores of a group of queries.
        let mut weights = vec![T::zero(); GROUP * columns];
        let mut scores = vec![T::zero(); GROUP * columns];
        let mut d_query = vec![T::zero(); ROWS * width];
        let mut d_keys = vec![T::zero(); columns * width];
        let mut d_values = vec![T::zero(); columns * value_width];
        let mut stays = stays.unwrap_or_default().chunks((ROWS * count).max(1));
        let groups = query.chunks((GROUP * width).max(1));
        let groups = groups.zip(grad.chunks((GROUP * value_width).max(1)));
        let mut outs = gradients.query.each();
        for (group, (query, grad)) in groups.enumerate() {
            let tiles = query.chunks((ROWS * width).max(1));
            let tiles = tiles.zip(grad.chunks((ROWS * value_width).max(1)));
            let tiles = tiles.zip(weights.chunks_mut((ROWS * columns).max(1)));
            let tiles = tiles.zip(scores.chunks_mut((ROWS * columns).max(1)));
            for (n, (((query, grad), weights), scores)) in tiles.enumerate() {
                tile.weigh::<S>(&head, group * GROUP + n * ROWS, query, &key_rows);
                if let Some(stays) = stays.next() {
                    tile.read(stays, count);
                }
                let grads = Left { all: grad, stride: value_width, depth: head.value.width };
                multiply::<S, T>(grads, &value_rows, (scores, columns));
                tile.differentiate(weights, scores, head.kept);
                let scores = Left { all: scores, stride: columns, depth: count };
                multiply::<S, T>(scores, &keys, (&mut d_query, width));
                for (row, out) in d_query.chunks_exact(width).zip(outs.by_ref()) {
                    for (out, &x) in out.iter_mut().zip(row) {
                        *out = x * head.scale;
                    }
                }
            }
            // Both stop at the last existing row of the group.
            add_transposed::<S, T>((&weights, columns), (grad, value_width), &mut d_values);
            add_transposed::<S, T>((&scores, columns), (query, width), &mut d_keys);
        }
        unpad(&d_keys, width, gradients.key);
        unpad(&d_values, value_width, gradients.value);
    }
}

/// Copies padded rows to rows of their actual width.
#[inline(always)]
fn unpad<T: Real>(padded: &[T], width: usize, rows: RowsMut<'_, T>) {
    for (padded, row) in padded.chunks_exact(width.max(1)).zip(rows.each()) {
        for (x, &y) in row.iter_mut().zip(padded) {
            *x = y;
        }
    }
}
