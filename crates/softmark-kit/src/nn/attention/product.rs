//! Small matrix products for the tiles of attention.
//!
//! The right-hand side lies in *panels*: its columns in groups of sixteen, and of each group one row
//! after the other, so that a product reads memory from front to back.

#![expect(
    clippy::indexing_slicing,
    reason = "arrays of sixteen and four, at constants and at lanes below sixteen"
)]

use std::array;

use pulp::Simd;

use crate::nn::kernel::{LANES, Real};

/// How many rows a tile has; with sixteen columns, their sums fill eight AVX-512 registers, which is
/// what it takes until a sum can be added to again.
pub(super) const ROWS: usize = 8;

/// Of how many rows the sums are in registers at once where those of a tile would fill them all.
const FEW: usize = 4;

/// Whether the sums of a whole tile take no more than half of the registers: so with the 32 of sixteen
/// numbers that AVX-512 has, not with the 16 of eight of AVX2 or the 32 of four of NEON.
const fn has_room_for_a_tile<S: Simd>() -> bool {
    S::REGISTER_COUNT * S::F32_LANES >= 2 * ROWS * LANES
}

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
    let (width, padded_width) = (rows.width, padded(rows.width));
    let mut panels = vec![T::zero(); padded(rows.count) * width];
    // Rows lie far from one another: they are fetched as wholes, then turned where they are near.
    let mut near = vec![T::zero(); LANES * padded_width];
    let mut each = rows.each();
    for panel in panels.chunks_exact_mut((LANES * width).max(1)) {
        let mut got = 0;
        for (near, row) in near.chunks_exact_mut(padded_width.max(1)).zip(each.by_ref()) {
            for (near, &x) in near.iter_mut().zip(row) {
                *near = x;
            }
            got += 1;
        }
        let slots = panel.as_chunks_mut::<LANES>().0;
        for (n, near) in near.chunks_exact(padded_width.max(1)).take(got).enumerate() {
            for (slots, &x) in slots.iter_mut().zip(near) {
                slots[n] = x;
            }
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

/// `out = a · b`: rows of `depth` numbers, each `stride` after the one before, times panels as deep,
/// to rows of `columns` numbers. There are a multiple of [`ROWS`] rows.
///
/// Every sum runs along the depth by itself: which sums are in registers at the same time changes the
/// speed, and no bit.
#[inline(always)]
pub(super) fn multiply<S: Simd, T: Real>(
    (a, stride, depth): (&[T], usize, usize),
    panels: &[T],
    (out, columns): (&mut [T], usize),
) {
    if has_room_for_a_tile::<S>() {
        multiply_by::<ROWS, T>((a, stride, depth), panels, (out, columns));
    } else {
        multiply_by::<FEW, T>((a, stride, depth), panels, (out, columns));
    }
}

#[inline(always)]
fn multiply_by<const N: usize, T: Real>(
    (a, stride, depth): (&[T], usize, usize),
    panels: &[T],
    (out, columns): (&mut [T], usize),
) {
    let blocks =
        a.chunks_exact((N * stride).max(1)).zip(out.chunks_exact_mut((N * columns).max(1)));
    for (a, out) in blocks {
        let a: [&[T]; N] = array::from_fn(|n| &a[n * stride..n * stride + depth]);
        for (place, panel) in panels.chunks_exact((depth * LANES).max(1)).enumerate() {
            let panel = &panel.as_chunks::<LANES>().0[..depth];
            let mut sums = [[T::zero(); LANES]; N];
            for (k, b) in panel.iter().enumerate() {
                add_products(&mut sums, &array::from_fn(|n| a[n][k]), b);
            }
            for (n, sums) in sums.iter().enumerate() {
                let first = n * columns + place * LANES;
                out[first..first + LANES].copy_from_slice(sums);
            }
        }
    }
}

/// `sums[n] += a[n] · b`, lane by lane: the order of the loops is the one that the compiler makes `N`
/// instructions of.
#[inline(always)]
fn add_products<const N: usize, T: Real>(sums: &mut [[T; LANES]; N], a: &[T; N], b: &[T; LANES]) {
    for lane in 0..LANES {
        for n in 0..N {
            sums[n][lane] = a[n].mul_add(b[lane], sums[n][lane]);
        }
    }
}

/// `sums += aᵀ · b`, with `a` of rows of `columns` numbers, `b` and `sums` of rows of `width`.
///
/// Sums stay in registers while all rows of `a` and `b` go by.
#[inline(always)]
pub(super) fn add_transposed<S: Simd, T: Real>(a: (&[T], usize), b: (&[T], usize), sums: &mut [T]) {
    if has_room_for_a_tile::<S>() {
        add_transposed_by::<ROWS, T>(a, b, sums);
    } else {
        add_transposed_by::<FEW, T>(a, b, sums);
    }
}

#[inline(always)]
fn add_transposed_by<const N: usize, T: Real>(
    (a, columns): (&[T], usize),
    (b, width): (&[T], usize),
    sums: &mut [T],
) {
    for first in (0..width).step_by(LANES) {
        for (n, sums) in sums.chunks_exact_mut((N * width).max(1)).enumerate() {
            let mut totals = [[T::zero(); LANES]; N];
            let rows = a.chunks_exact(columns.max(1)).zip(b.chunks_exact(width.max(1)));
            for (a, b) in rows {
                let a = a.get(n * N..).and_then(<[T]>::first_chunk::<N>);
                let b = b.get(first..).and_then(<[T]>::first_chunk::<LANES>);
                let (Some(a), Some(b)) = (a, b) else { continue };
                add_products(&mut totals, a, b);
            }
            for (sums, totals) in sums.chunks_exact_mut(width).zip(totals) {
                for (sum, total) in sums.iter_mut().skip(first).zip(totals) {
                    *sum += total;
                }
            }
        }
    }
}
