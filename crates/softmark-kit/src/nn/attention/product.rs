//! Small matrix products for the tiles of attention.
//!
//! The right-hand side is stored in *panels*: groups of sixteen columns, each group row by row, so that a
//! product reads memory sequentially.

#![expect(
    clippy::indexing_slicing,
    reason = "arrays of sixteen and four, at constants and at lanes below sixteen"
)]

use std::array;

use pulp::Simd;

use crate::nn::kernel::{LANES, Real};

/// Number of rows of a tile. With sixteen columns, the sums fill eight AVX-512 registers, which covers the
/// latency of an addition.
pub(super) const ROWS: usize = 8;

/// Number of rows whose sums are in registers at once if those of a whole tile would fill all registers.
const FEW: usize = 4;

/// Returns true if the sums of a whole tile take at most half of the registers: true for the 32 registers of
/// sixteen numbers of AVX-512, false for the 16 of eight of AVX2 and the 32 of four of NEON.
const fn has_room_for_a_tile<S: Simd>() -> bool {
    S::REGISTER_COUNT * S::F32_LANES >= 2 * ROWS * LANES
}

/// The rows of a head: `count` rows of `width` numbers each, at a distance of `step` numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a, T> {
    pub(super) all: &'a [T],
    pub(super) start: usize,
    pub(super) count: usize,
    pub(super) width: usize,
    pub(super) step: usize,
}

impl<'a, T> Rows<'a, T> {
    /// Returns an iterator over the rows.
    #[inline(always)]
    fn each(self) -> impl Iterator<Item = &'a [T]> {
        let row = move |n| {
            let from = self.start + n * self.step;
            self.all.get(from..from + self.width).unwrap_or_default()
        };
        (0..self.count).map(row)
    }
}

/// The writable rows of a head.
#[derive(Debug)]
pub(super) struct RowsMut<'a, T> {
    pub(super) all: &'a mut [T],
    pub(super) start: usize,
    pub(super) width: usize,
    pub(super) step: usize,
}

impl<'a, T> RowsMut<'a, T> {
    /// Returns an iterator over the rows.
    #[inline(always)]
    pub(super) fn each(self) -> impl Iterator<Item = &'a mut [T]> {
        let rows = self.all.get_mut(self.start..).unwrap_or_default();
        rows.chunks_mut(self.step.max(1)).filter_map(move |row| row.get_mut(..self.width))
    }
}

/// Returns `n` rounded up to whole lanes.
pub(super) fn padded(n: usize) -> usize {
    n.next_multiple_of(LANES)
}

/// Returns the rows as panels of their columns: for each group of sixteen columns, row after row.
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

/// Returns the rows as panels of the transposed matrix: for each group of sixteen rows, column after column.
#[inline(always)]
pub(super) fn by_rows<T: Real>(rows: Rows<'_, T>) -> Vec<T> {
    let (width, padded_width) = (rows.width, padded(rows.width));
    let mut panels = vec![T::zero(); padded(rows.count) * width];
    // Rows are far apart in memory: they are copied to a near buffer first and transposed there.
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

/// Returns contiguous rows multiplied by `scale` and padded with zeros to whole lanes; rows of zeros pad
/// their count to a multiple of [`ROWS`].
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

/// Left factor of a product: rows of `depth` numbers at a distance of `stride`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left<'a, T> {
    pub(super) all: &'a [T],
    pub(super) stride: usize,
    pub(super) depth: usize,
}

/// Computes `out = left · panels`: rows times panels of the same depth, to rows of `columns` numbers. The
/// number of rows is a multiple of [`ROWS`].
///
/// Every sum runs along the depth independently: the choice of sums that are in registers at the same time
/// affects the speed and not a single bit.
#[inline(always)]
pub(super) fn multiply<S: Simd, T: Real>(
    left: Left<'_, T>,
    panels: &[T],
    (out, columns): (&mut [T], usize),
) {
    if has_room_for_a_tile::<S>() {
        multiply_by::<ROWS, T>(left, panels, (out, columns));
    } else {
        multiply_by::<FEW, T>(left, panels, (out, columns));
    }
}

#[inline(always)]
fn multiply_by<const N: usize, T: Real>(
    Left { all, stride, depth }: Left<'_, T>,
    panels: &[T],
    (out, columns): (&mut [T], usize),
) {
    let blocks =
        all.chunks_exact((N * stride).max(1)).zip(out.chunks_exact_mut((N * columns).max(1)));
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

/// Computes `sums[n] += a[n] · b`, lane by lane; with this order of loops the compiler emits `N`
/// instructions.
#[inline(always)]
fn add_products<const N: usize, T: Real>(sums: &mut [[T; LANES]; N], a: &[T; N], b: &[T; LANES]) {
    for lane in 0..LANES {
        for n in 0..N {
            sums[n][lane] = a[n].mul_add(b[lane], sums[n][lane]);
        }
    }
}

/// Computes `sums += aᵀ · b`, with rows of `columns` numbers in `a` and of `width` numbers in `b` and `sums`.
///
/// Sums stay in registers while all rows of `a` and `b` are processed.
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
