//! Small matrix products for the tiles of attention.
//!
//! The right-hand side lies in *panels*: its columns in groups of sixteen, and of each group one row
//! after the other, so that a product reads memory from front to back.

#![expect(
    clippy::indexing_slicing,
    reason = "arrays of sixteen and four, at constants and at lanes below sixteen"
)]

use crate::nn::kernel::{LANES, Real};

/// How many rows of the left-hand side are multiplied at once: with sixteen columns, their sums fill
/// eight of the sixteen AVX registers.
pub(super) const ROWS: usize = 4;

/// The rows of a head: `count` of them, `width` numbers each, the next `step` further on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub(super) all: &'a [T],
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) width: usize,
    pub(super) step: usize,
}

impl<'a, T> Rows<'a, T> {
    /// The rows, one after the other.
    #[inline(always)]
    fn each(self) -> impl Iterator<Item = &'a [T]> {
        let row = move |n| {
            let from = self.start + n * self.step;
            self.all.get(from..from + self.width).unwrap_or_default()
        };
        (0..self.count).map(row)
    }
}

/// The same to write to.
#[derive(Debug)]
pub(super) struct RowsMut<'a, T> {
    pub(super) all: &'a mut [T],
    pub(super) start: usize,
    pub(super) width: usize,
    pub(super) step: usize,
}

impl<'a, T> RowsMut<'a, T> {
    /// The rows, one after the other.
    #[inline(always)]
    pub(super) fn each(self) -> impl Iterator<Item = &'a mut [T]> {
        let rows = self.all.get_mut(self.start..).unwrap_or_default();
        rows.chunks_mut(self.step.max(1)).filter_map(move |row| row.get_mut(..self.width))
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
    let parts = panels.chunks_exact_mut((rows.count * LANES).max(1)).enumerate();
    for (first, panel) in parts.map(|(n, panel)| (n * LANES, panel)) {
        for (slots, row) in panel.as_chunks_mut::<LANES>().0.iter_mut().zip(rows.each()) {
            for (slot, &x) in slots.iter_mut().zip(row.get(first..).unwrap_or_default()) {
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
    for (n, row) in rows.each().enumerate() {
        let panel = panels.get_mut(n / LANES * depth..).unwrap_or_default();
        for (slots, &x) in panel.as_chunks_mut::<LANES>().0.iter_mut().zip(row) {
            slots[n % LANES] = x;
        }
    }
    panels
}

/// The rows one after the other, each times `scale` and filled up with zeros to whole lanes; rows
/// of zeros make their count a multiple of [`ROWS`].
#[inline(always)]
pub(super) fn scaled<T: Real>(rows: Rows<'_, T>, scale: T) -> Vec<T> {
    let width = padded(rows.width);
    let mut all = vec![T::zero(); rows.count.next_multiple_of(ROWS) * width];
    for (out, row) in all.chunks_exact_mut(width.max(1)).zip(rows.each()) {
        for (out, &x) in out.iter_mut().zip(row) {
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

/// `sums += aᵀ · b`, with `a` of rows of `columns` numbers, `b` and `sums` of rows of `width`.
///
/// Sums stay in registers while all rows of `a` and `b` go by.
#[inline(always)]
pub(super) fn add_transposed<T: Real>(
    a: &[T],
    columns: usize,
    b: &[T],
    width: usize,
    sums: &mut [T],
) {
    for first in (0..width).step_by(LANES) {
        for (n, sums) in sums.chunks_exact_mut((ROWS * width).max(1)).enumerate() {
            let mut totals = [[T::zero(); LANES]; ROWS];
            let rows = a.chunks_exact(columns.max(1)).zip(b.chunks_exact(width.max(1)));
            for (a, b) in rows {
                let a = a.get(n * ROWS..).and_then(<[T]>::first_chunk::<ROWS>);
                let b = b.get(first..).and_then(<[T]>::first_chunk::<LANES>);
                let (Some(&[a0, a1, a2, a3]), Some(b)) = (a, b) else { continue };
                for lane in 0..LANES {
                    totals[0][lane] = a0.mul_add(b[lane], totals[0][lane]);
                    totals[1][lane] = a1.mul_add(b[lane], totals[1][lane]);
                    totals[2][lane] = a2.mul_add(b[lane], totals[2][lane]);
                    totals[3][lane] = a3.mul_add(b[lane], totals[3][lane]);
                }
            }
            for (sums, totals) in sums.chunks_exact_mut(width).zip(totals) {
                for (sum, total) in sums.iter_mut().skip(first).zip(totals) {
                    *sum += total;
                }
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
