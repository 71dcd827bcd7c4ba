//! Learning-rate schedules.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

/// Factor of the learning rate at each step: a warm-up from near 0 to 1, then a decay.
///
/// The steps are numbered `s = 0 … N − 1`; the first `W = ⌈warm_up · N⌉` are the warm-up:
///
/// ```text
/// s < W    (s + 1) / W
/// s ≥ W    1                                     Decay::None
///          (N − s) / (N − W)                     Decay::Linear
///          (1 + cos(π (s − W) / (N − W))) / 2    Decay::Cosine
/// ```
///
/// No step has a learning rate of 0. The warm-up follows Goyal et al., *Accurate, Large Minibatch SGD*
/// (2017), section 2.2; linear decay after it follows Devlin et al., *BERT* (2018), appendix A.2; cosine decay
/// follows Loshchilov and Hutter, *SGDR* (2017), equation 5, without restarts.
///
/// ```
/// use softmark_kit::schedule::Schedule;
///
/// let schedule = Schedule::linear(0.5); // half of the steps are warm-up
/// let factors: Vec<f64> = (0..4).map(|step| schedule.factor(step, 4)).collect();
/// assert_eq!(factors, [0.5, 1.0, 1.0, 0.5]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// Share of the steps that are warm-up, from 0 to 1.
    pub warm_up: f64,
    /// Decay after the warm-up.
    pub decay: Decay,
}

/// Decay of the learning rate after the warm-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decay {
    /// No decay: the learning rate stays constant.
    None,
    /// Linear decay, by the same amount at each step.
    Linear,
    /// Cosine decay, along half a period.
    Cosine,
}

impl Schedule {
    /// A constant learning rate.
    pub const CONSTANT: Self = Self { warm_up: 0.0, decay: Decay::None };
    /// Cosine decay from the first step to the last, without warm-up.
    pub const COSINE: Self = Self { warm_up: 0.0, decay: Decay::Cosine };

    /// Returns a schedule with warm-up over a share of the steps and no decay.
    pub const fn warm_up(share: f64) -> Self {
        Self { warm_up: share, decay: Decay::None }
    }

    /// Returns a schedule with warm-up over a share of the steps, then linear decay.
    pub const fn linear(warm_up: f64) -> Self {
        Self { warm_up, decay: Decay::Linear }
    }

    /// Returns a schedule with warm-up over a share of the steps, then cosine decay.
    pub const fn cosine(warm_up: f64) -> Self {
        Self { warm_up, decay: Decay::Cosine }
    }

    /// Returns the factor of the learning rate at `step` (from 0) of `steps`; 0 if the schedule decays and
    /// `step` is out of range.
    pub fn factor(self, step: u64, steps: u64) -> f64 {
        let (step, steps) = (step as f64, steps as f64);
        let warm_up = (self.warm_up.clamp(0.0, 1.0) * steps).ceil();
        if step < warm_up {
            return (step + 1.0) / warm_up;
        }
        // Without a step after the warm-up the denominator is 0; the share is then 1.
        let share = ((step - warm_up) / (steps - warm_up).max(1.0)).min(1.0);
        match self.decay {
            Decay::None => 1.0,
            Decay::Linear => 1.0 - share,
            Decay::Cosine => f64::midpoint(1.0, libm::cos(PI * share)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn factors(schedule: Schedule, steps: u64) -> Vec<f64> {
        (0..steps).map(|step| (schedule.factor(step, steps) * 1e4).round() / 1e4).collect()
    }

    #[test]
    fn each_schedule_is_its_formula() {
        assert_eq!(factors(Schedule::CONSTANT, 3), [1.0, 1.0, 1.0]);
        assert_eq!(factors(Schedule::warm_up(0.5), 4), [0.5, 1.0, 1.0, 1.0]);
        // W = 2 of 10: 1/2, 2/2, then 8/8, 7/8, … 1/8.
        assert_eq!(
            factors(Schedule::linear(0.2), 10),
            [0.5, 1.0, 1.0, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125]
        );
        // (1 + cos(π s / 4)) / 2 at s = 0, 1, 2, 3: (1 + √½) / 2 = 0.8536.
        assert_eq!(factors(Schedule::COSINE, 4), [1.0, 0.8536, 0.5, 0.1464]);
        assert_eq!(factors(Schedule::cosine(0.2), 5), [1.0, 1.0, 0.8536, 0.5, 0.1464]);
    }

    #[test]
    fn the_warm_up_is_rounded_up_and_may_be_everything() {
        assert_eq!(factors(Schedule::linear(0.01), 3), [1.0, 1.0, 0.5]);
        assert_eq!(factors(Schedule::cosine(1.0), 4), [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(factors(Schedule::linear(7.0), 2), [0.5, 1.0]);
    }

    #[test]
    fn beyond_the_last_step_there_is_nothing_to_learn() {
        assert_eq!(Schedule::linear(0.1).factor(10, 10), 0.0);
        assert_eq!(Schedule::COSINE.factor(99, 10), 0.0);
        assert_eq!(Schedule::CONSTANT.factor(99, 10), 1.0);
        assert_eq!(Schedule::COSINE.factor(0, 0), 1.0);
    }
}
