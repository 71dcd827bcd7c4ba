//! Shared code of the fused kernels: number types, vector instructions, lanes, threads, and access to memory.
//!
//! Three rules keep the bits of a result the same on every machine and for every number of threads:
//!
//! - A kernel uses [`Real::mul_add`] wherever a fused operation is intended, and the compiler fuses nothing
//!   else; so it gives the same bits with any instruction set.
//! - A sum along a row runs in [`LANES`] lanes, regardless of the width of the registers.
//! - Work is divided into blocks whose size depends on the shapes alone ([`block_of`]), and the results of
//!   blocks are added in the order of the blocks.

mod host;
mod math;
mod parallel;

pub(in crate::nn) use host::{Host, contiguous, of_shape};
pub(in crate::nn) use math::Real;
pub(in crate::nn) use parallel::{block_of, each, written};

use candle_core::{DType, Tensor};

/// Number of lanes of a reduction: one AVX-512 register of `f32`, two of AVX.
pub(in crate::nn) const LANES: usize = 16;

/// Returns true if the fused kernels support a tensor: floating point, in host memory.
pub(in crate::nn) fn fuses(x: &Tensor) -> bool {
    x.device().is_cpu() && matches!(x.dtype(), DType::F32 | DType::F64)
}

/// Declares a function whose body is compiled for several instruction sets (AVX-512, AVX2 and the baseline),
/// of which the best one that the machine supports runs.
///
/// A closure would be shorter, but then inlining decisions of the compiler would determine whether it is
/// compiled for the wide registers.
macro_rules! kernel {
    ($(#[$meta:meta])* $vis:vis fn $name:ident<$life:lifetime, $T:ident $(, $F:ident: $bound:path)?>(
        $($arg:ident: $ty:ty),* $(,)?
    ) -> $ret:ty $body:block) => {
        $(#[$meta])*
        $vis fn $name<$life, $T: $crate::nn::kernel::Real $(, $F: $bound)?>($($arg: $ty),*) -> $ret {
            struct Call<$life, $T $(, $F)?> {
                $($arg: $ty),*
            }
            impl<$life, $T: $crate::nn::kernel::Real $(, $F: $bound)?> pulp::WithSimd
                for Call<$life, $T $(, $F)?>
            {
                type Output = $ret;

                #[inline(always)]
                fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
                    let Self { $($arg),* } = self;
                    $body
                }
            }
            pulp::Arch::new().dispatch(Call { $($arg),* })
        }
    };
}
pub(in crate::nn) use kernel;

/// Folds a row lane by lane, then the lanes, in an order that depends on its length alone.
#[inline(always)]
pub(in crate::nn) fn fold<T: Real>(
    row: &[T],
    start: T,
    step: impl Fn(T, T) -> T,
    join: impl Fn(T, T) -> T,
) -> T {
    let mut lanes = [start; LANES];
    let (blocks, rest) = row.as_chunks::<LANES>();
    for block in blocks {
        for (lane, &x) in lanes.iter_mut().zip(block) {
            *lane = step(*lane, x);
        }
    }
    for (lane, &x) in lanes.iter_mut().zip(rest) {
        *lane = step(*lane, x);
    }
    gather(lanes, join)
}

/// Folds two rows of the same length lane by lane, then the lanes.
#[inline(always)]
pub(in crate::nn) fn fold2<T: Real>(a: &[T], b: &[T], step: impl Fn(T, T, T) -> T) -> T {
    let mut lanes = [T::zero(); LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for ((lane, &x), &y) in lanes.iter_mut().zip(a).zip(b) {
            *lane = step(*lane, x, y);
        }
    }
    for ((lane, &x), &y) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane = step(*lane, x, y);
    }
    gather(lanes, |a, b| a + b)
}

/// Computes Σ a · b · c.
#[inline(always)]
pub(in crate::nn) fn dot3<T: Real>(a: &[T], b: &[T], c: &[T]) -> T {
    let mut lanes = [T::zero(); LANES];
    let (a_blocks, a_rest) = a.as_chunks::<LANES>();
    let (b_blocks, b_rest) = b.as_chunks::<LANES>();
    let (c_blocks, c_rest) = c.as_chunks::<LANES>();
    for ((a, b), c) in a_blocks.iter().zip(b_blocks).zip(c_blocks) {
        for (((lane, &x), &y), &z) in lanes.iter_mut().zip(a).zip(b).zip(c) {
            *lane = (x * y).mul_add(z, *lane);
        }
    }
    for (((lane, &x), &y), &z) in lanes.iter_mut().zip(a_rest).zip(b_rest).zip(c_rest) {
        *lane = (x * y).mul_add(z, *lane);
    }
    gather(lanes, |a, b| a + b)
}

/// Combines the lanes in pairs: 16, 8, 4, 2, 1.
#[inline(always)]
fn gather<T: Real>(mut lanes: [T; LANES], join: impl Fn(T, T) -> T) -> T {
    let mut width = LANES / 2;
    while width > 0 {
        let (low, high) = lanes.split_at_mut(width);
        for (low, &high) in low.iter_mut().zip(high.iter()) {
            *low = join(*low, high);
        }
        width /= 2;
    }
    let [first, ..] = lanes;
    first
}

/// Computes Σ x.
#[inline(always)]
pub(in crate::nn) fn sum<T: Real>(row: &[T]) -> T {
    fold(row, T::zero(), |a, b| a + b, |a, b| a + b)
}

/// Returns the largest number of a row; negative infinity for an empty row.
#[inline(always)]
pub(in crate::nn) fn max<T: Real>(row: &[T]) -> T {
    fold(row, T::LOWEST, Real::larger, Real::larger)
}

/// Computes Σ a · b.
#[inline(always)]
pub(in crate::nn) fn dot<T: Real>(a: &[T], b: &[T]) -> T {
    fold2(a, b, |sum, a, b| a.mul_add(b, sum))
}
