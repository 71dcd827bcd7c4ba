//! The search by changeable rules.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::truth::is_misfit;

/// Which combinations are trained, and in which order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Visits {
    /// For each learning rate each batch size, as it should be.
    RatesFirst,
    /// For each batch size each learning rate.
    SizesFirst,
    /// The first with the first, the second with the second.
    Pairs,
    /// All but the last.
    AllButLast,
    /// The first of them twice.
    FirstTwice,
}

/// Which of the equals wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// The first, as it should.
    First,
    /// The last.
    Last,
}

/// What becomes of `NaN`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotANumber {
    /// It never wins.
    Loses,
    /// Where it stands first, nothing beats it.
    StaysFirst,
    /// It wins over every number.
    Wins,
    /// A panic.
    Panics,
}

/// What becomes of the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// It ends the search.
    Ends,
    /// It is not looked at.
    Ignored,
    /// One more is trained.
    OneMore,
    /// It bounds the batch sizes of each learning rate.
    EachRate,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    /// Which accuracy decides.
    pub(crate) by: &'static str,
    pub(crate) visits: Visits,
    pub(crate) tie: Tie,
    pub(crate) not_a_number: NotANumber,
    pub(crate) budget: Budget,
    /// Whether the lowest wins.
    pub(crate) lowest: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    by: "validation",
    visits: Visits::RatesFirst,
    tie: Tie::First,
    not_a_number: NotANumber::Loses,
    budget: Budget::Ends,
    lowest: false,
};

fn visited(rules: &Rules, case: &Case) -> Vec<[usize; 2]> {
    let (rates, sizes) = (case.get("learning_rates").dim(0), case.get("batch_sizes").dim(0));
    let each = |outer: usize, inner: usize| {
        (0..outer).flat_map(move |a| (0..inner).map(move |b| [a, b])).collect::<Vec<_>>()
    };
    let mut all: Vec<[usize; 2]> = match rules.visits {
        Visits::RatesFirst | Visits::AllButLast | Visits::FirstTwice => each(rates, sizes),
        Visits::SizesFirst => each(sizes, rates).into_iter().map(|[b, a]| [a, b]).collect(),
        Visits::Pairs => (0..rates.min(sizes)).map(|n| [n, n]).collect(),
    };
    match rules.visits {
        Visits::AllButLast => drop(all.pop()),
        Visits::FirstTwice => all.insert(0, [0, 0]),
        Visits::RatesFirst | Visits::SizesFirst | Visits::Pairs => {}
    }
    let budget = case.get_size("budget");
    match rules.budget {
        Budget::Ends => all.truncate(budget),
        Budget::Ignored => {}
        Budget::OneMore => all.truncate(budget + 1),
        Budget::EachRate => all.retain(|[_, size]| *size < budget),
    }
    all
}

/// The place of the best, by these rules; `None` is a panic.
fn best(rules: &Rules, scores: &[f64]) -> Option<f64> {
    let mut best: Option<(usize, f64)> = None;
    for (at, &score) in scores.iter().enumerate() {
        let score = if rules.lowest { -score } else { score };
        if score.is_nan() && rules.not_a_number == NotANumber::Panics && scores.len() > 1 {
            return None;
        }
        if score.is_nan() && rules.not_a_number == NotANumber::Loses {
            continue;
        }
        let wins = match best {
            None => true,
            Some((_, most)) if most.is_nan() => false,
            Some(_) if score.is_nan() => rules.not_a_number == NotANumber::Wins,
            Some((_, most)) if rules.tie == Tie::Last => score >= most,
            Some((_, most)) => score > most,
        };
        if wins {
            best = Some((at, score));
        }
    }
    Some(best.map_or(-1.0, |(at, _)| at as f64))
}

/// What a search by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if is_misfit(case) {
        return Response::Refused;
    }
    let (rates, sizes) = (case.get("learning_rates"), case.get("batch_sizes"));
    let visited = visited(rules, case);
    let of = |name: &str| -> Vec<f64> {
        let table = case.get(name);
        visited.iter().map(|place| table.at(place)).collect()
    };
    let Some(best) = best(rules, &of(rules.by)) else { return Response::Panicked };
    let pairs: Vec<f64> =
        visited.iter().flat_map(|[a, b]| [rates.at(&[*a]), sizes.at(&[*b])]).collect();
    let pairs = Array::new(&[visited.len(), 2], pairs);
    Response::Outputs(BTreeMap::from([
        ("trained".to_owned(), pairs.clone()),
        ("reported".to_owned(), pairs),
        ("accuracies".to_owned(), Array::new(&[visited.len()], of("validation"))),
        ("best".to_owned(), Array::new(&[1], vec![best])),
    ]))
}
