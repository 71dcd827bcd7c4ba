//! A capture by changeable rules.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};

use crate::suite::Given;

/// Which calls are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    /// All, in their order, as they should be.
    All,
    /// The first.
    First,
    /// The last.
    Last,
    /// All, the last one first.
    Backwards,
    /// None.
    Nothing,
}

/// Whether the hook is still there in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leaves {
    /// It is gone, as it should be.
    Nothing,
    /// It is.
    Always,
    /// Where the epoch failed.
    OnError,
}

/// What comes of a module that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// An error, before anything is run, as it should be.
    Refused,
    /// An error, after the epoch.
    RefusedLate,
    /// The epoch is run, and nothing comes back.
    Ignored,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) keeps: Keeps,
    pub(crate) leaves: Leaves,
    pub(crate) unknown: Unknown,
    /// Whether what is kept has its history.
    pub(crate) history: bool,
    /// Whether an epoch's error is passed on.
    pub(crate) passes_errors: bool,
    /// Whether calls of the other module are kept as well.
    pub(crate) both_modules: bool,
    /// Whether the heads are averaged to one.
    pub(crate) averages: bool,
    /// How often the epoch is run.
    pub(crate) epochs: usize,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    keeps: Keeps::All,
    leaves: Leaves::Nothing,
    unknown: Unknown::Refused,
    history: false,
    passes_errors: true,
    both_modules: false,
    averages: false,
    epochs: 1,
};

/// The weights of one call: the first texts of what stands for it.
fn shown(case: &Case, call: usize) -> Array {
    let (weights, batches) = (case.get("weights"), case.get("batches"));
    let texts = (0..=weights.dim(1)).find(|n| *n as f64 == batches.at(&[call])).unwrap_or(0);
    let shape = [texts, weights.dim(2), weights.dim(3), weights.dim(4)];
    Array::from_fn(&shape, |at| weights.at(&[&[call], at].concat()))
}

fn averaged(call: &Array) -> Array {
    let heads = call.dim(1);
    Array::from_fn(&[call.dim(0), 1, call.dim(2), call.dim(3)], |at| match *at {
        [b, _, i, j] => (0..heads).map(|h| call.at(&[b, h, i, j])).sum::<f64>() / heads as f64,
        _ => f64::NAN,
    })
}

/// What a capture by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Given {
    let (module, fails) = (case.get_size("module"), case.get_size("fails") == 1);
    let calls = case.get("calls");
    let inside = case.get_size("before")..calls.dim(0) - case.get_size("after");
    let known = module < 2;
    let runs = known || rules.unknown != Unknown::Refused;
    let epochs = if runs { rules.epochs } else { 0 };
    let failed =
        (fails && rules.passes_errors && runs) || (!known && rules.unknown != Unknown::Ignored);
    // An epoch that fails is not run again.
    let epochs = if fails { epochs.min(1) } else { epochs };
    let wanted = |call: &usize| rules.both_modules || calls.at(&[*call]) == module as f64;
    let once: Vec<Array> =
        inside.filter(wanted).map(|call| shown(case, call)).filter(|_| known).collect();
    let all: Vec<Array> = (0..epochs).flat_map(|_| once.clone()).collect();
    let mut kept: Vec<Array> = match rules.keeps {
        Keeps::All => all,
        Keeps::First => all.into_iter().take(1).collect(),
        Keeps::Last => all.last().cloned().into_iter().collect(),
        Keeps::Backwards => all.into_iter().rev().collect(),
        Keeps::Nothing => Vec::new(),
    };
    if failed {
        kept.clear();
    }
    if rules.averages {
        kept = kept.iter().map(averaged).collect();
    }
    let left = match rules.leaves {
        Leaves::Nothing => false,
        Leaves::Always => known,
        Leaves::OnError => known && fails,
    };
    let flat = |values: Vec<f64>| Array::new(&[values.len()], values);
    let one = |n: usize| Array::new(&[1], vec![n as f64]);
    let shapes = kept.iter().flat_map(|it| it.shape().iter().map(|size| *size as f64)).collect();
    let values = kept.iter().flat_map(|it| it.values().iter().copied()).collect();
    let outputs = [
        ("count", one(kept.len())),
        ("shapes", flat(shapes)),
        ("values", flat(values)),
        ("with_history", one(if rules.history { kept.len() } else { 0 })),
        ("still_watched", one(usize::from(left) * if rules.both_modules { 2 } else { 1 })),
        ("epochs", one(epochs)),
        ("failed", one(usize::from(failed))),
        ("failed_as_the_epoch", one(usize::from(failed && fails && known))),
    ];
    let named = outputs.into_iter().map(|(name, array)| (name.to_owned(), array));
    Given::Outputs(named.collect::<BTreeMap<_, _>>())
}
