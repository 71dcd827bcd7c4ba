//! `exp` and the normal distribution as branchless polynomials, which the compiler can evaluate for sixteen
//! numbers at a time.

use std::ops::Neg;

use candle_core::WithDType;

/// Number types of the kernels: `f32`, and `f64` for checking gradients.
///
/// In `f64` the functions are those of the `libm` crate, which are accurate and slow.
pub(in crate::nn) trait Real: WithDType + Neg<Output = Self> {
    /// Negative infinity, the initial value of a maximum.
    const LOWEST: Self;

    /// Computes `self · factor + term`, rounded once.
    fn mul_add(self, factor: Self, term: Self) -> Self;

    /// Returns the larger of the two numbers; `other` if one is NaN.
    fn larger(self, other: Self) -> Self;

    /// Returns the square root.
    fn sqrt(self) -> Self;

    /// Returns e to the power of `self`; 0 if the result is below the smallest normal number, so that a
    /// masked score of −10⁹ has a weight of exactly 0.
    fn exp(self) -> Self;

    /// Returns the natural logarithm.
    fn ln(self) -> Self;

    /// Returns the distribution function Φ and the density φ of the normal distribution at `self`.
    ///
    /// ```text
    /// Φ(x) = ½ · (1 + erf(x / √2))        φ(x) = exp(−x² / 2) / √(2π)
    /// ```
    fn normal(self) -> (Self, Self);
}

/// 1 / √(2π)
const DENSITY_AT_ZERO: f64 = 0.398_942_280_401_432_7;

/// 1.5 · 2²³: adding it leaves the nearest integer in the low bits of an `f32`.
const ROUND: f32 = 12_582_912.0;

/// ln 2 as its first 12 bits and the rest: a multiple of the first part is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];

/// (eʳ − 1 − r) / r² for |r| ≤ ½ ln 2, fitted to a relative error of eʳ of 3·10⁻⁹.
const EXP: [f32; 5] = [0.499_999_94, 0.166_665_2, 0.041_668_393, 0.008_368_781, 0.001_381_446_6];

/// (1 − Φ(x)) / φ(x), Mills' ratio, as a polynomial of `1 / (1 + x / 4) − 0.64` for `0 ≤ x ≤ 10`,
/// fitted to a relative error of 1.6·10⁻⁷.
const MILLS: [f32; 8] = [
    0.385_148_26,
    1.302_892_7,
    2.015_516,
    2.266_193,
    1.716_025_4,
    0.646_943_7,
    -0.165_602_83,
    -0.244_556_92,
];

#[inline(always)]
fn polynomial<const N: usize>(coefficients: [f32; N], x: f32) -> f32 {
    let mut sum = 0.0;
    for c in coefficients.into_iter().rev() {
        sum = x.mul_add(sum, c);
    }
    sum
}

impl Real for f32 {
    const LOWEST: Self = Self::NEG_INFINITY;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    /// Accurate to 1.2 units in the last place from −87.3 to 88.3; infinite above.
    #[inline(always)]
    fn exp(self) -> Self {
        const SMALLEST: f32 = -87.336_54; // e to its power is the smallest normal number
        const LARGEST: f32 = 88.376_26; // beyond, the power of two below would not be a number
        let x = if self < SMALLEST { SMALLEST } else { self };
        let x = if x > LARGEST { LARGEST } else { x };
        // x = n · ln 2 + r with |r| ≤ ½ ln 2, so that eˣ = 2ⁿ · eʳ.
        let shifted = x.mul_add(std::f32::consts::LOG2_E, ROUND);
        let n = shifted - ROUND;
        let r = (-n).mul_add(LN_2[0], x);
        let r = (-n).mul_add(LN_2[1], r);
        let e_r = polynomial(EXP, r).mul_add(r * r, r) + 1.0;
        let power = Self::from_bits((shifted.to_bits() << 23).wrapping_add(127 << 23));
        let y = if self > LARGEST { Self::INFINITY } else { e_r * power };
        if self < SMALLEST { 0.0 } else { y }
    }

    #[inline(always)]
    fn ln(self) -> Self {
        libm::logf(self)
    }

    /// Accurate to 3·10⁻⁷ for Φ (below 0 also to a relative 5·10⁻⁶ down to −10), and to 10⁻⁷ for φ.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a constant, rounded to f32")]
    fn normal(self) -> (Self, Self) {
        let size = self.abs();
        let density = Real::exp(-0.5 * self * self) * DENSITY_AT_ZERO as Self;
        let t = 1.0 / size.mul_add(0.25, 1.0) - 0.64;
        let beyond = density * polynomial(MILLS, t);
        (if self > 0.0 { 1.0 - beyond } else { beyond }, density)
    }
}

impl Real for f64 {
    const LOWEST: Self = Self::NEG_INFINITY;

    #[inline(always)]
    fn mul_add(self, factor: Self, term: Self) -> Self {
        Self::mul_add(self, factor, term)
    }

    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    #[inline(always)]
    fn exp(self) -> Self {
        libm::exp(self)
    }

    #[inline(always)]
    fn ln(self) -> Self {
        libm::log(self)
    }

    #[inline(always)]
    fn normal(self) -> (Self, Self) {
        let below = 0.5 * libm::erfc(-self * std::f64::consts::FRAC_1_SQRT_2);
        (below, libm::exp(-0.5 * self * self) * DENSITY_AT_ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every 997th float of both signs: all exponents, 4 million numbers.
    fn floats() -> impl Iterator<Item = f32> {
        (0..=u32::MAX).step_by(997).map(f32::from_bits).filter(|x| x.is_finite())
    }

    fn ulp(x: f32) -> f64 {
        f64::from(f32::from_bits(x.to_bits() + 1)) - f64::from(x)
    }

    #[test]
    fn exp_is_good_to_its_last_place() {
        let mut worst: f64 = 0.0;
        for x in floats().chain((-8730..8830).map(|n| n as f32 / 100.0)) {
            let (got, want) = (Real::exp(x), f64::from(x).exp());
            if x < -87.336_54 {
                assert_eq!(got, 0.0, "exp({x})");
            } else if x <= 88.3 {
                worst = worst.max((f64::from(got) - want).abs() / ulp(x.exp()));
            } else if x > 88.4 {
                assert_eq!(got, f32::INFINITY, "exp({x})");
            }
        }
        assert!(worst < 1.2, "{worst} units in the last place");
    }

    #[test]
    fn exp_of_what_is_no_number_is_none() {
        assert!(Real::exp(f32::NAN).is_nan());
        assert_eq!(Real::exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(Real::exp(f32::INFINITY), f32::INFINITY);
        assert_eq!(Real::exp(0.0_f32), 1.0);
    }

    #[test]
    fn the_normal_distribution_is_that_of_libm() {
        let (mut below, mut tail, mut density): (f64, f64, f64) = (0.0, 0.0, 0.0);
        for n in -100_000..=100_000 {
            let x = n as f32 / 10_000.0;
            let (got, want) = (Real::normal(x), Real::normal(f64::from(x)));
            below = below.max((f64::from(got.0) - want.0).abs());
            density = density.max((f64::from(got.1) - want.1).abs());
            if x < 0.0 {
                tail = tail.max((f64::from(got.0) / want.0 - 1.0).abs());
            }
        }
        assert!(below < 3e-7, "{below}");
        assert!(density < 1e-7, "{density}");
        assert!(tail < 5e-6, "{tail}");
        assert_eq!(Real::normal(40.0_f32).0, 1.0);
        assert_eq!(Real::normal(-40.0_f32).0, 0.0);
    }
}
