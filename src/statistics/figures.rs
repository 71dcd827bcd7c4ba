//! Figures: rates, correlations, tests and distributions.

use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::model::Points;

/// Quantile of the standard normal distribution at 97.5 %, for intervals of 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// Probability of an error of a test, or of a one-sided bound.
pub(super) const ALPHA: f64 = 0.05;

/// Number of bins of a histogram.
pub(super) const BINS: usize = 10;

/// Interval of a rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Returns the 95 % score interval of a rate after `passed` of `n`; `None` if `n` is zero.
///
/// With `p = passed / n` and `z = 1.96` the interval is
/// `(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)` (Wilson 1927).
///
/// ```
/// let interval = softmark::statistics::wilson(15, 20).unwrap();
/// assert!((interval.low - 0.5313).abs() < 1e-4 && (interval.high - 0.8881).abs() < 1e-4);
/// ```
pub fn wilson(passed: usize, n: usize) -> Option<Interval> {
    if n == 0 {
        return None;
    }
    let (p, n) = (passed as f64 / n as f64, n as f64);
    let middle = p + Z * Z / (2.0 * n);
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    Some(Interval {
        low: ((middle - half) / scale).max(0.0),
        high: ((middle + half) / scale).min(1.0),
    })
}

/// Result of one student: whether the check passed, and the points of all other checks in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pair {
    /// True if the check passed.
    pub passed: bool,
    /// Points of all other checks, in hundredths.
    pub rest: i64,
}

/// Returns the point-biserial correlation of passing with the other points; `None` if all students have the same result or
/// the same other points.
///
/// It equals `(M₁ − M₀) √(p (1−p)) / s`, where `M₁` and `M₀` are the mean points of those who pass and fail, `p` is the
/// pass rate, and `s` is the standard deviation of all points with the divisor `n`. The sums are whole numbers, so the order
/// of the students has no influence.
pub fn point_biserial(pairs: &[Pair]) -> Option<f64> {
    let n = i128::try_from(pairs.len()).ok()?;
    let (mut ones, mut sum_of_passed, mut sum, mut squares) = (0_i128, 0_i128, 0_i128, 0_i128);
    for Pair { passed, rest } in pairs {
        let rest = i128::from(*rest);
        (sum, squares) = (sum + rest, squares + rest * rest);
        if *passed {
            (ones, sum_of_passed) = (ones + 1, sum_of_passed + rest);
        }
    }
    let covariance = n * sum_of_passed - ones * sum;
    let variances = (ones * (n - ones)) as f64 * (n * squares - sum * sum) as f64;
    (variances > 0.0).then(|| (covariance as f64 / variances.sqrt()).clamp(-1.0, 1.0))
}

/// Returns the probability of a correlation of `r` or less among `n` students if passing and points are not related: the
/// lower tail of Student's distribution with `n − 2` degrees of freedom at `r √((n−2) / (1−r²))`; `None` if `n` is below
/// 3.
pub fn negative_correlation_p(r: f64, n: usize) -> Option<f64> {
    let freedom = n.checked_sub(2).filter(|freedom| *freedom > 0)? as f64;
    if r <= -1.0 {
        return Some(0.0);
    }
    if r >= 1.0 {
        return Some(1.0);
    }
    let t = r * (freedom / (1.0 - r * r)).sqrt();
    Some(StudentsT::new(0.0, 1.0, freedom).ok()?.cdf(t))
}

/// Returns for each probability whether its hypothesis is rejected, such that the probability of any false rejection
/// is at most 5 % (Holm 1979): in ascending order, the `k`-th of `m` is compared with `0.05 / (m − k + 1)`, up to the first
/// that is larger.
pub fn holm(probabilities: &[f64]) -> Vec<bool> {
    let mut order: Vec<(usize, f64)> = probabilities.iter().copied().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let mut rejected = vec![false; probabilities.len()];
    for (rank, (place, probability)) in order.into_iter().enumerate() {
        let left = (probabilities.len() - rank) as f64;
        if probability > ALPHA / left {
            break;
        }
        if let Some(slot) = rejected.get_mut(place) {
            *slot = true;
        }
    }
    rejected
}

/// Returns the lower bound, with 95 % confidence, of a rate of which `n` of `n` were seen: `0.05^(1/n)` (Clopper and Pearson
/// 1934).
///
/// ```
/// assert!((softmark::statistics::all_pass_bound(20) - 0.8609).abs() < 1e-4);
/// ```
pub fn all_pass_bound(n: usize) -> f64 {
    if n == 0 { 0.0 } else { ALPHA.powf(1.0 / n as f64) }
}

/// Distribution of points in a class.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Number of students.
    pub n: usize,
    /// Points available.
    pub max_points: Points,
    /// Mean.
    pub mean: f64,
    /// Standard deviation with the divisor `n − 1`; `None` for one student.
    pub deviation: Option<f64>,
    /// Minimum, lower quartile, median, upper quartile and maximum.
    pub quartiles: [f64; 5],
    /// Number of students by tenths of the points; the last bin includes full points.
    pub bins: [usize; BINS],
}

impl Distribution {
    /// Returns the distribution of points out of `max_points`; `None` if there are none.
    pub fn of(points: &[Points], max_points: Points) -> Option<Self> {
        let mut sorted: Vec<i64> = points.iter().map(|it| i64::from(it.hundredths())).collect();
        sorted.sort_unstable();
        let n = sorted.len();
        if n == 0 {
            return None;
        }
        let sum: i64 = sorted.iter().sum();
        let squares: i128 = sorted.iter().map(|it| i128::from(*it) * i128::from(*it)).sum();
        // The sum of squared deviations, times n, is a whole number.
        let spread = (squares * n as i128 - i128::from(sum) * i128::from(sum)) as f64;
        let deviation = (n > 1).then(|| (spread / (n as f64 * (n as f64 - 1.0))).sqrt() / 100.0);
        let mut bins = [0; BINS];
        for value in &sorted {
            let most = i64::from(max_points.hundredths()).max(1);
            let bin = usize::try_from(value * 10 / most).unwrap_or(0).min(BINS - 1);
            if let Some(count) = bins.get_mut(bin) {
                *count += 1;
            }
        }
        Some(Self {
            n,
            max_points,
            mean: sum as f64 / n as f64 / 100.0,
            deviation,
            quartiles: [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| quantile(&sorted, share)),
            bins,
        })
    }

    /// Returns the median.
    pub fn median(&self) -> f64 {
        let [_, _, median, _, _] = self.quartiles;
        median
    }
}

/// Returns the quantile of sorted hundredths, in points: at position `share · (n − 1)`, between neighbors in
/// proportion (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[i64], share: f64) -> f64 {
    let position = share * (sorted.len().saturating_sub(1)) as f64;
    let below = position.floor();
    let mut from = sorted.iter().enumerate().skip_while(|(at, _)| (*at as f64) < below);
    let low = from.next().map_or(0, |(_, value)| *value) as f64;
    let high = from.next().map_or(low, |(_, value)| *value as f64);
    (low + (position - below) * (high - low)) / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) {
        assert!((one - other).abs() < 1e-12 * (1.0 + other.abs()), "{one} is not {other}");
    }

    /// Points of the other checks, and whether the check passed, of 24 students; the better ones fail.
    const CLASS: [(i64, bool); 24] = [
        (1850, true),
        (2275, true),
        (2600, false),
        (2900, false),
        (2425, true),
        (1200, true),
        (1550, true),
        (2750, false),
        (2100, true),
        (975, true),
        (2300, true),
        (2850, false),
        (1675, true),
        (2525, false),
        (1950, true),
        (2700, false),
        (1425, true),
        (2200, true),
        (2625, false),
        (1800, true),
        (2050, false),
        (2950, false),
        (1325, true),
        (2475, true),
    ];

    fn pairs() -> Vec<Pair> {
        CLASS.iter().map(|(rest, passed)| Pair { passed: *passed, rest: *rest }).collect()
    }

    // Expected values are from Python: `statistics.correlation`, `statistics.stdev` and
    // `statistics.quantiles(…, method="inclusive")`; probabilities by `mpmath.quad` over the density of Student's
    // distribution and by `mpmath.betainc`; intervals are the roots of `(p − x)² = z² x (1 − x) / n`.

    #[test]
    fn the_correlation_is_that_of_pearson_and_of_the_textbook() {
        let mut pairs = pairs();
        close(point_biserial(&pairs).unwrap(), -0.716_150_962_531_259);
        pairs.reverse();
        close(point_biserial(&pairs).unwrap(), -0.716_150_962_531_259);
        let turned: Vec<Pair> =
            pairs.iter().map(|it| Pair { passed: !it.passed, rest: it.rest }).collect();
        close(point_biserial(&turned).unwrap(), 0.716_150_962_531_259);
    }

    #[test]
    fn a_correlation_without_differences_is_not_defined() {
        let all =
            |passed: bool| pairs().iter().map(|it| Pair { passed, ..*it }).collect::<Vec<_>>();
        assert_eq!(point_biserial(&all(true)), None);
        assert_eq!(point_biserial(&all(false)), None);
        let flat: Vec<Pair> = pairs().iter().map(|it| Pair { rest: 7, ..*it }).collect();
        assert_eq!(point_biserial(&flat), None);
        assert_eq!(point_biserial(&[]), None);
        let extreme = [Pair { passed: true, rest: 0 }, Pair { passed: false, rest: 9 }];
        assert_eq!(point_biserial(&extreme), Some(-1.0));
    }

    #[test]
    fn probabilities_are_those_of_students_distribution() {
        for (r, n, expected) in [
            (-0.5, 20, 0.012_384_779_402_054_846),
            (0.3, 30, 0.946_377_025_971_022_8),
            (-0.05, 100, 0.310_644_988_922_651_35),
            (-0.9, 10, 0.000_193_578_125),
            (-0.716_150_962_531_259, 24, 0.000_041_493_492_471_781_4),
        ] {
            let p = negative_correlation_p(r, n).unwrap();
            assert!((p - expected).abs() < 1e-10 * expected.max(1e-4), "{r} of {n}: {p}");
        }
        assert_eq!(negative_correlation_p(-0.5, 2), None);
        assert_eq!(negative_correlation_p(-1.0, 20), Some(0.0));
        assert_eq!(negative_correlation_p(1.0, 20), Some(1.0));
    }

    #[test]
    fn intervals_are_those_of_wilson() {
        for (passed, n, low, high) in [
            (0, 20, 0.0, 0.161_125_158_052_819),
            (15, 20, 0.531_299_122_381_256, 0.888_138_298_592_334),
            (20, 20, 0.838_874_841_947_181, 1.0),
            (7, 24, 0.149_146_481_969_609, 0.491_676_936_644_966),
        ] {
            let interval = wilson(passed, n).unwrap();
            close(interval.low, low);
            close(interval.high, high);
        }
        assert_eq!(wilson(0, 0), None);
        close(all_pass_bound(24), 0.882_653_843_845_051_2);
    }

    #[test]
    fn several_tests_together_err_as_rarely_as_one() {
        // Worked by hand: 0.05/4 = 0.0125, 0.05/3 = 0.0167, 0.05/2 = 0.025.
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [true, false, false, true]);
        assert_eq!(holm(&[0.02]), [true]);
        assert_eq!(holm(&[0.02, 0.9, 0.9]), [false, false, false]);
        // After the first that holds, none is rejected.
        assert_eq!(holm(&[0.02, 0.03, 0.04]), [false, false, false]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn a_distribution_has_the_figures_of_the_textbook() {
        let points: Vec<Points> = CLASS
            .iter()
            .map(|(rest, _)| Points::from_hundredths(u32::try_from(*rest).unwrap()))
            .collect();
        let all = Distribution::of(&points, Points::from_hundredths(3000)).unwrap();
        close(all.mean, 21.447_916_666_666_664);
        close(all.deviation.unwrap(), 5.704_679_222_903_938_5);
        for (quartile, expected) in all.quartiles.iter().zip([9.75, 17.6875, 22.375, 26.0625, 29.5])
        {
            close(*quartile, expected);
        }
        assert_eq!(all.bins, [0, 0, 0, 1, 3, 2, 4, 4, 5, 5]);
        assert_eq!(all.bins.iter().sum::<usize>(), CLASS.len());
        let one = Distribution::of(&points[..1], Points::ZERO).unwrap();
        assert_eq!((one.deviation, one.quartiles), (None, [18.5; 5]));
        assert_eq!(Distribution::of(&[], Points::ZERO), None);
    }
}
