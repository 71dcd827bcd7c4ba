//! Random numbers that no shorter format holds.
//!
//! Short binary fractions survive a round trip through half precision, so a check that asks for the same
//! bits must not use them.

use softmark_common::rng::Stream;

use crate::array::Array;

/// Returns random numbers from `low` to `high`, each exact in `f32` and in no format with a shorter
/// mantissa: its last bit is set.
///
/// ```
/// use softmark_checks::mantissa;
/// use softmark_common::rng::Stream;
///
/// let x = mantissa::between(&[2, 3], [1.0, 2.0], &mut Stream::derive(1, "example", 0));
/// assert!(x.values().iter().all(|x| (1.0..=2.0).contains(x)));
/// ```
#[must_use]
pub fn between(shape: &[usize], [low, high]: [f32; 2], stream: &mut Stream) -> Array {
    Array::from_fn(shape, |_| {
        let drawn = low + (high - low) * stream.uniform();
        f64::from(f32::from_bits(drawn.to_bits() | 1))
    })
}

/// Returns the `f32` nearest to `x`, as the `f64` that stands for it in an [`Array`].
#[must_use]
pub fn single(x: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "rounding to f32 is the purpose")]
    let single = x as f32;
    f64::from(single)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten bits of mantissa in `f16` and seven in `bf16`: neither holds a number whose last of 23 is set.
    #[test]
    fn no_number_survives_a_shorter_mantissa() {
        let x = between(&[1000], [-2.0, 2.0], &mut Stream::derive(1, "test", 0));
        for x in x.values() {
            #[expect(clippy::cast_possible_truncation, reason = "an f32 by construction")]
            let bits = (*x as f32).to_bits();
            assert_eq!(bits & 1, 1, "{x}");
            assert!(x.abs() <= 2.000_001);
        }
    }
}
