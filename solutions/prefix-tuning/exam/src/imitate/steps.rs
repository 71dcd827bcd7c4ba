//! The loop by changeable rules.

use std::collections::BTreeMap;

use prefix_tuning_checks::signatures::NAMES;
use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::oracle::runs_into_error;

/// How the learning rate goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rate {
    /// Up, then down to nothing, as it should.
    UpAndDown,
    /// Constant.
    Constant,
    /// Up and then constant.
    Up,
    /// Down from the first step.
    Down,
    /// Up from nothing: the first step has a rate of 0.
    FromZero,
    /// Up and down within each epoch.
    EachEpoch,
    /// Up, then down along a cosine.
    Cosine,
    /// Down from the peak as if the warm-up took no time: `(S − s) / S`.
    DownByAll,
    /// Up and down, with the steps of the warm-up rounded down.
    RoundedDown,
    /// Up and down, with a step of warm-up at least.
    OneAtLeast,
}

/// What gradients are clipped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clips {
    /// The norm over all that learns, as it should be.
    Together,
    /// Nothing.
    Nothing,
    /// The norm of each parameter's own.
    EachAlone,
    /// The norm over the frozen ones too.
    FrozenToo,
    /// Each number by itself, between −c and c.
    Values,
    /// Always scaled to the norm, small ones up.
    Always,
}

/// What becomes of frozen parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frozen {
    /// They stay, as they should.
    Stay,
    /// They learn too.
    Learn,
    /// Their gradient is set to zero, and they decay.
    Decay,
}

/// What becomes of the weight decay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decays {
    /// Apart from the gradient, as it should.
    Apart,
    /// Added to the gradient.
    Coupled,
    /// Not at all.
    Never,
}

/// Which epoch is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Best {
    /// The lowest, the first of equals, as it should be.
    FirstLowest,
    /// The last of equals.
    LastLowest,
    /// The highest.
    Highest,
    /// The lowest; where the first is `NaN`, nothing is lower.
    StuckAtNaN,
    /// `NaN` is a new best, and whatever comes after it too.
    NaNWins,
    /// The same, and an infinite loss is no new best: what is compared with begins at infinity.
    NaNWinsFromInfinity,
    /// The lowest below infinity: an infinite loss is none.
    BelowInfinity,
}

/// What the parameters are at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Those of the best epoch, as they should be.
    Best,
    /// Those of the last.
    Last,
    /// Those from before the best epoch's steps.
    BeforeBest,
    /// Those of the best epoch; where there is none, the last.
    BestOrLast,
}

/// When the loop ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Patience {
    /// After so many epochs in a row without a new best, as it should.
    InARow,
    /// One later.
    OneMore,
    /// One earlier, but not before the first.
    OneLess,
    /// After so many altogether.
    Altogether,
    /// After so many in a row that were worse than the one before.
    Worsening,
    /// After so many in a row that were not better than the one before.
    NotBelowTheLast,
    /// Never.
    Never,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) rate: Rate,
    pub(crate) clips: Clips,
    pub(crate) frozen: Frozen,
    pub(crate) decays: Decays,
    pub(crate) best: Best,
    pub(crate) ends: Ends,
    pub(crate) patience: Patience,
    /// Whether each epoch begins with a new optimizer.
    pub(crate) renews: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    rate: Rate::UpAndDown,
    clips: Clips::Together,
    frozen: Frozen::Stay,
    decays: Decays::Apart,
    best: Best::FirstLowest,
    ends: Ends::Best,
    patience: Patience::InARow,
    renews: false,
};

/// The learning rate of a step, as a share of its highest.
fn share(rate: Rate, step: usize, epochs: usize, batches: usize, warm_up: f64) -> f64 {
    let (step, steps) = match rate {
        Rate::EachEpoch => (step % batches, batches),
        Rate::UpAndDown
        | Rate::Constant
        | Rate::Up
        | Rate::Down
        | Rate::FromZero
        | Rate::Cosine
        | Rate::RoundedDown
        | Rate::OneAtLeast
        | Rate::DownByAll => (step, epochs * batches),
    };
    let (s, steps) = (step as f64, steps as f64);
    let rise = match rate {
        Rate::RoundedDown => (warm_up * steps).floor(),
        Rate::OneAtLeast => (warm_up * steps).ceil().max(1.0),
        Rate::UpAndDown
        | Rate::Constant
        | Rate::Up
        | Rate::Down
        | Rate::FromZero
        | Rate::EachEpoch
        | Rate::Cosine
        | Rate::DownByAll => (warm_up * steps).ceil(),
    };
    let progress = (s - rise) / (steps - rise);
    match rate {
        Rate::Constant => 1.0,
        Rate::Down => (steps - s) / steps,
        Rate::FromZero if s < rise => s / rise,
        _ if s < rise => (s + 1.0) / rise,
        Rate::Up => 1.0,
        Rate::Cosine => f64::midpoint(1.0, (std::f64::consts::PI * progress).cos()),
        Rate::DownByAll => (steps - s) / steps,
        Rate::UpAndDown
        | Rate::FromZero
        | Rate::EachEpoch
        | Rate::RoundedDown
        | Rate::OneAtLeast => 1.0 - progress,
    }
}

/// A number and what is remembered of its gradients.
#[derive(Clone, Copy)]
struct Number {
    value: f64,
    first: f64,
    second: f64,
    steps: f64,
}

/// What a loop does, step by step.
struct Loop<'a> {
    rules: &'a Rules,
    case: &'a Case,
    numbers: Vec<Vec<Number>>,
}

impl Loop<'_> {
    fn learns(&self, n: usize) -> bool {
        self.case.get("learns").at(&[n]) == 1.0
    }

    fn gradient(&self, step: usize, n: usize, i: usize) -> f64 {
        let g = self.case.get("gradients").at(&[step, n, i]);
        if !self.learns(n) && self.rules.frozen == Frozen::Decay { 0.0 } else { g }
    }

    /// The gradients of a step, clipped.
    fn clipped(&self, step: usize) -> Vec<Vec<f64>> {
        let clip = self.case.get("settings").at(&[3]);
        let gradients: Vec<Vec<f64>> = self
            .numbers
            .iter()
            .enumerate()
            .map(|(n, of)| (0..of.len()).map(|i| self.gradient(step, n, i)).collect())
            .collect();
        let norm = |which: &dyn Fn(usize) -> bool| {
            let those = gradients.iter().enumerate().filter(|(n, _)| which(*n));
            those.flat_map(|(_, of)| of).map(|g| g * g).sum::<f64>().sqrt()
        };
        let scale = |norm: f64| (clip / (norm + 1e-6)).min(1.0);
        let updated = |n: usize| self.learns(n) || self.rules.frozen != Frozen::Stay;
        let together = match self.rules.clips {
            Clips::FrozenToo => scale(norm(&|_| true)),
            Clips::Always => clip / (norm(&updated) + 1e-6),
            Clips::Nothing | Clips::Values => 1.0,
            Clips::Together | Clips::EachAlone => scale(norm(&updated)),
        };
        let of = |(n, of): (usize, &Vec<f64>)| {
            let own = scale(norm(&|other| other == n));
            let by = |g: &f64| match self.rules.clips {
                Clips::EachAlone => g * own,
                Clips::Values => g.clamp(-clip, clip),
                Clips::Together | Clips::Nothing | Clips::FrozenToo | Clips::Always => g * together,
            };
            of.iter().map(by).collect()
        };
        gradients.iter().enumerate().map(of).collect()
    }

    fn step(&mut self, step: usize) {
        let settings = self.case.get("settings");
        let [rate, warm_up, decay] = [0, 1, 2].map(|at| settings.at(&[at]));
        let [epochs, batches] = ["epochs", "batches"].map(|of| self.case.get_size(of));
        let rate = rate * share(self.rules.rate, step, epochs, batches, warm_up);
        let gradients = self.clipped(step);
        let stays: Vec<bool> = (0..NAMES.len())
            .map(|n| !self.learns(n) && self.rules.frozen == Frozen::Stay)
            .collect();
        let decays = self.rules.decays;
        let those = self.numbers.iter_mut().zip(gradients).zip(stays);
        for ((numbers, gradients), _) in those.filter(|(_, stays)| !stays) {
            for (number, mut g) in numbers.iter_mut().zip(gradients) {
                match decays {
                    Decays::Apart => number.value *= 1.0 - rate * decay,
                    Decays::Coupled => g += decay * number.value,
                    Decays::Never => {}
                }
                number.steps += 1.0;
                number.first += 0.1 * (g - number.first);
                number.second += 0.001 * (g * g - number.second);
                let first = number.first / (1.0 - 0.9_f64.powf(number.steps));
                let second = number.second / (1.0 - 0.999_f64.powf(number.steps));
                number.value -= rate * first / (second.sqrt() + 1e-8);
            }
        }
    }

    fn values(&self) -> Vec<f64> {
        self.numbers.iter().flatten().map(|number| number.value).collect()
    }
}

/// Whether an epoch's loss is a new best.
fn is_best(rule: Best, loss: f64, best: Option<f64>) -> bool {
    match (rule, best) {
        (Best::StuckAtNaN | Best::NaNWins, None) => true,
        (Best::NaNWinsFromInfinity, None) => loss.is_nan() || loss < f64::INFINITY,
        (Best::NaNWins | Best::NaNWinsFromInfinity, Some(before)) => {
            loss.is_nan() || before.is_nan() || loss < before
        }
        (Best::BelowInfinity, None) => loss < f64::INFINITY,
        (_, None) => !loss.is_nan(),
        (Best::LastLowest, Some(before)) => loss <= before,
        (Best::Highest, Some(before)) => loss > before,
        (Best::FirstLowest | Best::StuckAtNaN | Best::BelowInfinity, Some(before)) => loss < before,
    }
}

/// What a loop by these rules gives in answer.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the rules of the other parts")]
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let start = case.get("start");
    let begin = |value: f64| Number { value, first: 0.0, second: 0.0, steps: 0.0 };
    let rows = start.values().chunks(start.dim(1).max(1));
    let numbers = rows.map(|row| row.iter().map(|value| begin(*value)).collect()).collect();
    let mut running = Loop { rules, case, numbers };
    let [epochs, batches, patience] = ["epochs", "batches", "patience"].map(|of| case.get_size(of));
    let losses = case.get("losses");
    let (mut kept, mut best) = (running.values(), None);
    let (mut since, mut lost, mut worsening, mut not_below) = (0, 0, 0, 0);
    let (mut visited, mut reported, mut looks) = (Vec::new(), Vec::new(), Vec::new());
    for epoch in 0..epochs {
        if rules.renews {
            for number in running.numbers.iter_mut().flatten() {
                *number = begin(number.value);
            }
        }
        let before = running.values();
        for batch in 0..batches {
            visited.push(batch as f64);
            running.step(epoch * batches + batch);
        }
        looks.extend(running.values());
        let loss = losses.at(&[epoch]);
        let worse = reported.last().is_some_and(|last| loss > *last);
        worsening = if worse { worsening + 1 } else { 0 };
        let below = reported.last().is_none_or(|last| loss < *last) && !loss.is_nan();
        not_below = if below { 0 } else { not_below + 1 };
        reported.push(loss);
        if is_best(rules.best, loss, best.map(|(_, loss)| loss)) {
            best = Some((epoch, loss));
            kept = if rules.ends == Ends::BeforeBest { before } else { running.values() };
            since = 0;
        } else {
            (since, lost) = (since + 1, lost + 1);
        }
        let ends = match rules.patience {
            Patience::InARow => since >= patience,
            Patience::OneMore => since > patience,
            Patience::OneLess => since > 0 && since + 1 >= patience,
            Patience::Altogether => lost >= patience,
            Patience::Worsening => worsening >= patience,
            Patience::NotBelowTheLast => not_below >= patience,
            Patience::Never => false,
        };
        if ends {
            break;
        }
    }
    if runs_into_error(case, [visited.len(), reported.len()]) {
        return Response::Refused;
    }
    let values = match (rules.ends, best) {
        (Ends::Last, _) | (Ends::BestOrLast, None) => running.values(),
        (Ends::Best | Ends::BeforeBest | Ends::BestOrLast, _) => kept,
    };
    let flat = |values: Vec<f64>| Array::new(&[values.len()], values);
    let one = |value: f64| flat(vec![value]);
    Response::Outputs(BTreeMap::from([
        ("values".to_owned(), Array::new(start.shape(), values)),
        ("looks".to_owned(), Array::new(&[reported.len(), start.dim(0), start.dim(1)], looks)),
        ("visited".to_owned(), flat(visited)),
        ("validated".to_owned(), one(reported.len() as f64)),
        ("validation_losses".to_owned(), flat(reported)),
        ("best".to_owned(), one(best.map_or(-1.0, |(epoch, _)| epoch as f64))),
    ]))
}
