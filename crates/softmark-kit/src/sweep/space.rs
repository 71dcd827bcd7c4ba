//! Spaces of settings: grids and random draws.

use crate::rng::Stream;
use crate::sweep::trial::Trial;

/// Distribution of a setting.
#[derive(Debug, Clone, PartialEq)]
pub enum Range {
    /// Uniform between two numbers.
    Uniform(f64, f64),
    /// Uniform between the logarithms of two positive numbers: 10⁻⁴ to 10⁻³ is as likely as 10⁻³ to 10⁻².
    LogUniform(f64, f64),
    /// One of these numbers; if there are none, the setting is left out.
    Choice(Vec<f64>),
}

/// Constructs lists of trials.
#[derive(Debug, Clone, Copy)]
pub struct Space;

impl Space {
    /// Returns a trial for every combination of the values, the last setting changing fastest.
    ///
    /// ```
    /// use softmark_kit::sweep::Space;
    ///
    /// let trials = Space::grid(&[("learning_rate", &[0.1, 0.2]), ("batch_size", &[8.0, 16.0])]);
    /// assert_eq!(trials.len(), 4);
    /// assert_eq!(trials[1].get("batch_size")?, 16.0);
    /// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
    /// ```
    pub fn grid(axes: &[(&str, &[f64])]) -> Vec<Trial> {
        let mut trials = vec![Trial { id: 0, settings: [].into() }];
        for (name, values) in axes {
            let with = |trial: &Trial, value| {
                let mut trial = trial.clone();
                trial.settings.insert((*name).to_owned(), value);
                trial
            };
            trials = trials
                .iter()
                .flat_map(|trial| values.iter().map(move |&value| with(trial, value)))
                .collect();
        }
        for (id, trial) in trials.iter_mut().enumerate() {
            trial.id = id;
        }
        trials
    }

    /// Returns `budget` combinations drawn at random (Bergstra and Bengio, *Random Search for Hyper-Parameter
    /// Optimization*, 2012). A setting of a trial depends on the seed, the setting's name and the trial's
    /// number alone: a larger budget starts with the same trials.
    ///
    /// ```
    /// use softmark_kit::sweep::{Range, Space};
    ///
    /// let ranges = [
    ///     ("learning_rate", Range::LogUniform(1e-4, 1e-2)),
    ///     ("batch_size", Range::Choice(vec![16.0, 32.0, 64.0])),
    /// ];
    /// let trials = Space::random(&ranges, 20, 7);
    /// assert_eq!(trials[..5], Space::random(&ranges, 5, 7));
    /// ```
    pub fn random(ranges: &[(&str, Range)], budget: usize, seed: u64) -> Vec<Trial> {
        let draw = |id: usize, (name, range): &(&str, Range)| {
            let mut stream = Stream::derive(seed, &format!("sweep/{name}"), id as u64);
            range.draw(&mut stream).map(|value| ((*name).to_owned(), value))
        };
        let settings = |id| ranges.iter().filter_map(|range| draw(id, range)).collect();
        (0..budget).map(|id| Trial { id, settings: settings(id) }).collect()
    }
}

impl Range {
    /// Draws a setting, rounded to four significant digits, so that the printed value is the value used.
    fn draw(&self, stream: &mut Stream) -> Option<f64> {
        let between = |low: f64, high: f64, u: f32| low + (high - low) * f64::from(u);
        match self {
            Self::Uniform(low, high) => Some(rounded(between(*low, *high, stream.uniform()))),
            Self::LogUniform(low, high) => {
                let exponent = between(libm::log10(*low), libm::log10(*high), stream.uniform());
                Some(rounded(libm::pow(10.0, exponent)))
            }
            Self::Choice(values) => {
                let place = usize::try_from(stream.below(values.len() as u64)).unwrap_or_default();
                values.get(place).copied()
            }
        }
    }
}

/// Rounds to four significant digits.
fn rounded(x: f64) -> f64 {
    // Formatting and parsing is exact for a number of few digits.
    format!("{x:.3e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_every_combination_once() {
        let trials = Space::grid(&[("a", &[1.0, 2.0]), ("b", &[3.0, 4.0, 5.0])]);
        let pairs: Vec<(f64, f64)> =
            trials.iter().map(|it| (it.settings["a"], it.settings["b"])).collect();
        assert_eq!(pairs, [(1.0, 3.0), (1.0, 4.0), (1.0, 5.0), (2.0, 3.0), (2.0, 4.0), (2.0, 5.0)]);
        assert!(trials.iter().enumerate().all(|(i, trial)| trial.id == i));
    }

    #[test]
    fn draws_are_even_on_their_scale() {
        let ranges = [
            ("log", Range::LogUniform(1e-4, 1e-2)),
            ("flat", Range::Uniform(-1.0, 3.0)),
            ("choice", Range::Choice(vec![1.0, 2.0])),
        ];
        let trials = Space::random(&ranges, 4000, 3);
        let share = |name: &str, below: f64| {
            trials.iter().filter(|it| it.settings[name] < below).count() as f64 / 4000.0
        };
        // Five standard deviations of a share of one half: 5 · √(¼ / 4000) = 0.04.
        assert!((share("log", 1e-3) - 0.5).abs() < 0.04);
        assert!((share("flat", 1.0) - 0.5).abs() < 0.04);
        assert!((share("choice", 1.5) - 0.5).abs() < 0.04);
        let all = |name: &str, range: std::ops::RangeInclusive<f64>| {
            trials.iter().all(|it| range.contains(&it.settings[name]))
        };
        assert!(all("log", 1e-4..=1e-2) && all("flat", -1.0..=3.0));
    }

    #[test]
    fn a_setting_does_not_hang_on_the_others() {
        let one = Space::random(&[("a", Range::Uniform(0.0, 1.0))], 3, 1);
        let ranges = [("b", Range::Uniform(0.0, 1.0)), ("a", Range::Uniform(0.0, 1.0))];
        let two = Space::random(&ranges, 3, 1);
        assert!(one.iter().zip(&two).all(|(x, y)| x.settings["a"] == y.settings["a"]));
        assert!(two.iter().all(|it| it.settings["a"] != it.settings["b"]));
    }
}
