//! Small matrix products for the tiles of attention.
//!
//! The right-hand side lies in *panels*: its columns in groups of sixteen, and of each group one row
//! after the other, so that a product reads memory from front to back.

use crate::nn::kernel::{LANES, Real};

/// How many rows of the left-hand side are multiplied at once: with sixteen columns, their sums fill
/// eight of the sixteen AVX registers.
pub(super) const ROWS: usize = 4;

/// The rows of a head, one after the other, each `width` numbers of which `step` stand between two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub(super) all: &'a [T],
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) width: usize,
    pub(super) row_step: usize,
    pub(super) step: usize,
}

impl<'a, T: Real> Rows<'a, T> {
    /// The numbers of a row.
    #[inline(always)]
    fn row(self, n: usize) -> impl Iterator<Item = &'a T> {
        let from = self.start + n * self.row_step;
        self.all.get(from..).unwrap_or_default().iter().step_by(self.step.max(1)).take(self.width)
    }
}

/// `n` rounded up to whole lanes.
pub(super) fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// The rows as panels of their columns: of each sixteen columns, row after row.
#[inline(always)]
pub(super) fn by_columns<T: Real>(rows: Rows<'_, T>) -> Vec<T> {
    let mut panels = vec![T::zero(); rows.count * padded(rows.width)];
    let depth = rows.count * LANES;
    for n in 0..rows.count {
        for (column, &x) in rows.row(n).enumerate() {
            let at = column / LANES * depth + n * LANES + column % LANES;
            if let Some(slot) = panels.get_mut(at) {
                *slot = x;
            }
        }
    }
    panels
}

/// The rows as panels of the transposed matrix: of each sixteen rows, column after column.
#[inline(always)]
pub(super) fn by_rows<T: Real>(rows: Rows<'_, T>) -> Vec<T> {
    let mut panels = vec![T::zero(); padded(rows.count) * rows.width];
    let depth = rows.width * LANES;
    for n in 0..rows.count {
        let panel = panels.get_mut(n / LANES * depth..).unwrap_or_default();
        for (slot, &x) in panel.iter_mut().skip(n % LANES).step_by(LANES).zip(rows.row(n)) {
            *slot = x;
        }
    }
    panels
}

/// The rows one after the other, each times `scale`, filled up with zeros to a multiple of [`ROWS`]
/// rows of `width` numbers.
#[inline(always)]
pub(super) fn scaled<T: Real>(rows: Rows<'_, T>, scale: T, width: usize) -> Vec<T> {
    let mut all = vec![T::zero(); rows.count.next_multiple_of(ROWS) * width];
    for (n, out) in all.chunks_exact_mut(width.max(1)).enumerate().take(rows.count) {
        for (out, &x) in out.iter_mut().zip(rows.row(n)) {
            *out = x * scale;
        }
    }
    all
}

/// `out[r] = a[r] · b`, four rows of the left-hand side times panels of a depth as long as they.
#[inline(always)]
pub(super) fn multiply<T: Real>(a: [&[T]; ROWS], panels: &[T], out: [&mut [T]; ROWS]) {
    let depth = a[0].len();
    let [out0, out1, out2, out3] = out;
    let outs = out0.as_chunks_mut::<LANES>().0.iter_mut().zip(out1.as_chunks_mut::<LANES>().0);
    let outs = outs.zip(out2.as_chunks_mut::<LANES>().0).zip(out3.as_chunks_mut::<LANES>().0);
    let panels = panels.chunks_exact((depth * LANES).max(1));
    for (panel, (((out0, out1), out2), out3)) in panels.zip(outs) {
        let mut sums = [[T::zero(); LANES]; ROWS];
        let columns = a[0].iter().zip(a[1]).zip(a[2]).zip(a[3]);
        for (b, (((&a0, &a1), &a2), &a3)) in panel.as_chunks::<LANES>().0.iter().zip(columns) {
            for lane in 0..LANES {
                sums[0][lane] = a0.mul_add(b[lane], sums[0][lane]);
                sums[1][lane] = a1.mul_add(b[lane], sums[1][lane]);
                sums[2][lane] = a2.mul_add(b[lane], sums[2][lane]);
                sums[3][lane] = a3.mul_add(b[lane], sums[3][lane]);
            }
        }
        [*out0, *out1, *out2, *out3] = sums;
    }
}

/// `sums += aᵀ · b` for four rows of each: sums and `b` are panels of the same columns.
#[inline(always)]
pub(super) fn add_outer<T: Real>(a: [&[T]; ROWS], b: [&[T]; ROWS], sums: &mut [T]) {
    let depth = a[0].len();
    let [b0, b1, b2, b3] = b.map(|b| b.as_chunks::<LANES>().0);
    let panels = sums.chunks_exact_mut((depth * LANES).max(1));
    for (panel, (((b0, b1), b2), b3)) in panels.zip(b0.iter().zip(b1).zip(b2).zip(b3)) {
        let columns = a[0].iter().zip(a[1]).zip(a[2]).zip(a[3]);
        let slots = panel.as_chunks_mut::<LANES>().0.iter_mut();
        for (sum, (((&a0, &a1), &a2), &a3)) in slots.zip(columns) {
            for lane in 0..LANES {
                let mut total = a0.mul_add(b0[lane], sum[lane]);
                total = a1.mul_add(b1[lane], total);
                total = a2.mul_add(b2[lane], total);
                sum[lane] = a3.mul_add(b3[lane], total);
            }
        }
    }
}

/// Four rows of `width` numbers.
#[inline(always)]
pub(super) fn four<T>(rows: &[T], width: usize) -> [&[T]; ROWS] {
    let (a, rest) = rows.split_at(width);
    let (b, rest) = rest.split_at(width);
    let (c, rest) = rest.split_at(width);
    [a, b, c, rest.split_at(width).0]
}

/// The same to write to.
#[inline(always)]
pub(super) fn four_mut<T>(rows: &mut [T], width: usize) -> [&mut [T]; ROWS] {
    let (a, rest) = rows.split_at_mut(width);
    let (b, rest) = rest.split_at_mut(width);
    let (c, rest) = rest.split_at_mut(width);
    [a, b, c, rest.split_at_mut(width).0]
}
