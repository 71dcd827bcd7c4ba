//! Estimates from the accuracies of some seeds the chance that another seed misses a band.

use crate::assignment::{Band, Take, TrainingRules};

/// Estimate for a band after some seeds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// Number of single runs that missed the band.
    pub missed: usize,
    /// Number of single runs.
    pub seeds: usize,
    /// Estimated chance that grading misses the band, by the rule of the assignment.
    pub chance: f64,
}

/// The chance that work with these accuracies, each counted over `asked` examples, misses `band`.
///
/// A count's spread depends on where it is, and near 1 it is squeezed; so accuracies are looked at
/// through Anscombe's transformation (*The transformation of Poisson, binomial and negative-binomial
/// data*, 1948), after which a binomial count of `n` has a variance of `1/(n + ½)` wherever it is:
///
/// ```text
/// x = 2 · asin √((right + ⅜) / (n + ¾))
/// ```
///
/// With mean `m` and deviation `s` over `N` seeds, the mean of `k` more runs is below the band `b`
/// with the chance
///
/// ```text
/// P = T(ν = N − 1; (x(b) − m) / (s · √(1/k + 1/N)))
/// ```
///
/// where `T` is Student's distribution: it allows for `m` and `s` being estimates themselves. `k` is 1
/// for a single run; the best of `k` runs misses where each of them does. `s²` is at least what the
/// choice of the unseen examples alone does to it, `1/(n + ½)`: equal accuracies of a few seeds are no
/// proof that there never is another one.
///
/// This distribution does not describe a training that fails now and then. If the number of misses
/// would have a chance below 1 in 1,000 under `P`, the share of seeds that missed the band replaces
/// `P` for a single run. With `Take::Mean`, `P` always counts.
pub fn odds(accuracies: &[f64], asked: usize, band: Band, rules: &TrainingRules) -> Odds {
    let missed = accuracies.iter().filter(|accuracy| !band.is_reached(**accuracy)).count();
    let runs = f64::from(rules.runs);
    let chance = match rules.take {
        Take::Best => {
            let estimated = chance_below(accuracies, asked, band, 1.0);
            chance_of_one(estimated, missed, accuracies.len()).powf(runs)
        }
        Take::Mean => chance_below(accuracies, asked, band, runs),
    };
    Odds { missed, seeds: accuracies.len(), chance }
}

/// Chance of as many misses as were seen, or more, below which they refute an estimate: of a thousand
/// right estimates, at most one is replaced.
const REFUTED: f64 = 1e-3;

/// Returns `estimated`, or the share of seeds that missed the band if that refutes it.
///
/// The chance of at least `missed` misses in `seeds` trainings is
/// `I(estimated; missed, seeds − missed + 1)`.
fn chance_of_one(estimated: f64, missed: usize, seeds: usize) -> f64 {
    let (missed, seeds) = (missed as f64, seeds as f64);
    let is_refuted =
        missed > 0.0 && incomplete_beta(estimated, missed, seeds - missed + 1.0) < REFUTED;
    if is_refuted { missed / seeds } else { estimated }
}

/// Returns the chance that the mean of `k` more runs is below the band; 1 if fewer than two accuracies are
/// known.
pub fn chance_below(accuracies: &[f64], asked: usize, band: Band, k: f64) -> f64 {
    let n = accuracies.len() as f64;
    if accuracies.len() < 2 || asked == 0 {
        return 1.0;
    }
    let all = asked as f64;
    let transformed = |right: f64| 2.0 * ((right + 0.375) / (all + 0.75)).sqrt().asin();
    let values: Vec<f64> = accuracies.iter().map(|accuracy| transformed(accuracy * all)).collect();
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let deviation = variance.max(1.0 / (all + 0.5)).sqrt();
    // The fewest right answers that reach the band, and half an answer less.
    let least = (band.share() * all - 1e-6).ceil() - 0.5;
    student((transformed(least) - mean) / (deviation * (1.0 / k + 1.0 / n).sqrt()), n - 1.0)
}

/// The distribution function of Student's t with `ν` degrees of freedom.
///
/// For `t < 0` it is `½ · I(ν / (ν + t²); ν/2, ½)` with the regularised incomplete beta function.
fn student(t: f64, freedom: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5);
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// The regularised incomplete beta function `I(x; a, b)`, by its continued fraction, evaluated as
/// Lentz has it (*Numerical Recipes*, section 6.4, gives both).
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges quickly on this side of the mean only.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let front = (ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p()).exp();
    let tiny = 1e-300;
    let away = |y: f64| if y.abs() < tiny { tiny } else { y };
    let (mut c, mut d) = (1.0, 1.0 / away(1.0 - (a + b) * x / (a + 1.0)));
    let mut fraction = d;
    for m in 1..=300 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        for term in [even, odd] {
            d = 1.0 / away(1.0 + term * d);
            c = away(1.0 + term / c);
            fraction *= c * d;
        }
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction / a
}

/// `ln Γ(x)` for `x > 0`: Stirling's series, from 10 on, where its terms suffice for 10⁻¹⁴, and
/// `Γ(x) = Γ(x + 1) / x` below.
fn ln_gamma(x: f64) -> f64 {
    if x < 10.0 {
        return ln_gamma(x + 1.0) - x.ln();
    }
    let (inverse, square) = (1.0 / x, 1.0 / (x * x));
    let series =
        inverse / 12.0 * (1.0 - square / 30.0 * (1.0 - square * 2.0 / 7.0 * (1.0 - square * 0.75)));
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + series
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use softmark_sandbox::Limits;

    use super::*;

    fn close(got: f64, want: f64, within: f64) {
        assert!((got - want).abs() <= within, "{got} {want}");
    }

    /// Values from tables of the distribution (`scipy.stats.t.cdf`).
    #[test]
    fn students_distribution_is_that_of_the_tables() {
        close(student(0.0, 4.0), 0.5, 1e-12);
        close(student(-1.0, 1.0), 0.25, 1e-12);
        close(student(-2.0, 2.0), 0.091_751_709_536_136_98, 1e-10);
        close(student(-2.776_445_105_197_794_4, 4.0), 0.025, 1e-9);
        close(student(1.729_132_811_521_369_3, 19.0), 0.95, 1e-9);
        close(student(-3.0, 49.0), 0.002_117_948_115, 1e-11);
    }

    #[test]
    fn gamma_is_the_factorial() {
        close(ln_gamma(1.0), 0.0, 1e-12);
        close(ln_gamma(5.0), 24.0_f64.ln(), 1e-12);
        close(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln(), 1e-12);
    }

    fn rules(runs: u32, take: Take) -> TrainingRules {
        let limits = Limits { wall: Duration::from_secs(1), ..Limits::generous() };
        TrainingRules { runs, take, limits }
    }

    fn chance(accuracies: &[f64], band: f64, rules: &TrainingRules) -> f64 {
        odds(accuracies, 600, Band::parse(band).unwrap(), rules).chance
    }

    #[test]
    fn the_nearer_the_band_the_likelier_it_is_missed() {
        let accuracies = [0.98, 0.97, 0.985, 0.975, 0.98];
        let one = rules(1, Take::Best);
        let chances: Vec<f64> =
            [0.5, 0.8, 0.9, 0.95, 0.975, 0.999].map(|band| chance(&accuracies, band, &one)).into();
        assert!(chances.is_sorted(), "{chances:?}");
        assert!(chances[0] < 1e-3 && chances[5] > 0.9, "{chances:?}");
    }

    #[test]
    fn more_runs_make_a_miss_less_likely() {
        let accuracies = [0.95, 0.90, 0.97, 0.93, 0.96, 0.94];
        let one = chance(&accuracies, 0.9, &rules(1, Take::Best));
        let best = chance(&accuracies, 0.9, &rules(3, Take::Best));
        let mean = chance(&accuracies, 0.9, &rules(3, Take::Mean));
        close(best, one.powi(3), 1e-12);
        assert!(best < mean && mean < one, "{best} {mean} {one}");
    }

    /// One training of sixty fails: the distribution calls that nearly impossible.
    #[test]
    fn a_miss_that_was_seen_is_not_called_impossible() {
        let accuracies: Vec<f64> = (0..60).map(|seed| if seed == 7 { 0.8 } else { 1.0 }).collect();
        let model = chance_below(&accuracies, 600, Band::parse(0.85).unwrap(), 1.0);
        assert!(model < 1e-3, "{model}");
        close(chance(&accuracies, 0.85, &rules(1, Take::Best)), 1.0 / 60.0, 1e-12);
        close(chance(&accuracies, 0.85, &rules(2, Take::Best)), 1.0 / 3600.0, 1e-12);
        // No seed missed this one.
        assert!(chance(&accuracies, 0.75, &rules(1, Take::Best)) < 1e-3);
    }

    #[test]
    fn a_few_equal_seeds_prove_little() {
        let one = rules(1, Take::Best);
        let few = chance(&[1.0; 3], 0.97, &one);
        let many = chance(&[1.0; 50], 0.97, &one);
        assert!(few > many && many > 0.0, "{few} {many}");
        close(chance(&[1.0], 0.5, &one), 1.0, 0.0);
    }

    /// Simulated: of a known spread, the estimate from 20 seeds is near the true share of misses.
    #[test]
    fn the_estimate_is_near_the_truth() {
        use softmark_common::rng::Stream;
        let mut stream = Stream::derive(1, "odds", 0);
        let mut draw = || {
            let sum: f64 = (0..12).map(|_| f64::from(stream.uniform())).sum();
            let x: f64 = 2.6 + 0.12 * (sum - 6.0);
            (600.0 * (x / 2.0).sin().powi(2)).round() / 600.0
        };
        let one = rules(1, Take::Best);
        let estimates: f64 =
            (0..50).map(|_| chance(&(0..20).map(|_| draw()).collect::<Vec<_>>(), 0.85, &one)).sum();
        let missed = (0..20_000).filter(|_| draw() < 0.85).count();
        // 2 · asin √0.85 = 2.346 is 2.1 deviations below: about 2 %.
        close(estimates / 50.0, missed as f64 / 20_000.0, 0.01);
    }
}
