//! A capture by changeable rules.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};
use softmark_exam::Response;

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
    /// All but those whose numbers were kept before.
    Distinct,
    /// The last of each shape, in the order of the shapes.
    OneOfEachShape,
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

/// Handling of a call that shows no weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unnamed {
    /// An error, as it should be.
    Refused,
    /// The call is left out.
    PassedOver,
}

/// Handling of the epoch's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// It is returned, as it should be.
    Passed,
    /// Nothing: what was captured is returned.
    Swallowed,
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
    pub(crate) unnamed: Unnamed,
    pub(crate) errors: Errors,
    /// True if an epoch without a call is an error.
    pub(crate) refuses_nothing: bool,
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
    unnamed: Unnamed::Refused,
    errors: Errors::Passed,
    refuses_nothing: false,
    both_modules: false,
    averages: false,
    epochs: 1,
};

/// The weights of one call: the first texts and tokens of what stands for it.
fn shown(case: &Case, call: usize) -> Array {
    let weights = case.get("weights");
    let count = |name: &str, most: usize| {
        let said = case.get(name).at(&[call]);
        (0..=most).find(|n| *n as f64 == said).unwrap_or(0)
    };
    let (texts, t) = (count("batches", weights.dim(1)), count("lengths", weights.dim(3)));
    Array::from_fn(&[texts, weights.dim(2), t, t], |at| weights.at(&[&[call], at].concat()))
}

fn averaged(call: &Array) -> Array {
    let heads = call.dim(1);
    Array::from_fn(&[call.dim(0), 1, call.dim(2), call.dim(3)], |at| match *at {
        [b, _, i, j] => (0..heads).map(|h| call.at(&[b, h, i, j])).sum::<f64>() / heads as f64,
        _ => f64::NAN,
    })
}

/// Those of the calls that are kept.
fn kept(keeps: Keeps, all: Vec<Array>) -> Vec<Array> {
    match keeps {
        Keeps::All => all,
        Keeps::First => all.into_iter().take(1).collect(),
        Keeps::Last => all.last().cloned().into_iter().collect(),
        Keeps::Backwards => all.into_iter().rev().collect(),
        Keeps::Distinct => {
            let mut kept: Vec<Array> = Vec::new();
            for call in all {
                if !kept.contains(&call) {
                    kept.push(call);
                }
            }
            kept
        }
        Keeps::OneOfEachShape => {
            let by_shape = all.into_iter().map(|call| (call.shape().to_vec(), call));
            by_shape.collect::<BTreeMap<_, _>>().into_values().collect()
        }
        Keeps::Nothing => Vec::new(),
    }
}

/// What a capture by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let (module, fails) = (case.get_size("module"), case.get_size("fails") == 1);
    let calls = case.get("calls");
    let inside = case.get_size("before")..calls.dim(0) - case.get_size("after");
    let known = module < 2;
    let runs = known || rules.unknown != Unknown::Refused;
    let of_module = |call: &usize| calls.at(&[*call]) == module as f64;
    let unnamed = inside.clone().rev().find(of_module).filter(|_| case.get_size("unnamed") == 1);
    let watches = known && runs && rules.keeps != Keeps::Nothing;
    // A hook that finds no weights ends the epoch.
    let breaks = unnamed.is_some() && watches && rules.unnamed == Unnamed::Refused;
    let failed_as_the_epoch = fails && !breaks && runs && rules.errors == Errors::Passed;
    let errors_pass = rules.errors != Errors::Swallowed;
    let epochs = if runs { rules.epochs } else { 0 };
    // An epoch that fails is not run again.
    let epochs = if fails || breaks { epochs.min(1) } else { epochs };
    let wanted =
        |call: &usize| (rules.both_modules || of_module(call)) && Some(*call) != unnamed && known;
    let once: Vec<Array> = inside.filter(wanted).map(|call| shown(case, call)).collect();
    let all: Vec<Array> = (0..epochs).flat_map(|_| once.clone()).collect();
    let failed = ((fails || breaks) && errors_pass && runs)
        || (!known && rules.unknown != Unknown::Ignored)
        || (rules.refuses_nothing && all.is_empty());
    let mut kept = kept(rules.keeps, all);
    if failed {
        kept.clear();
    }
    if rules.averages {
        kept = kept.iter().map(averaged).collect();
    }
    let left = match rules.leaves {
        Leaves::Nothing => false,
        Leaves::Always => known,
        Leaves::OnError => known && (fails || breaks),
    };
    let flat = |values: Vec<f64>| Array::new(&[values.len()], values);
    let one = |n: usize| Array::new(&[1], vec![n as f64]);
    let modules = if rules.both_modules { 2 } else { 1 };
    let shapes = kept.iter().flat_map(|it| it.shape().iter().map(|size| *size as f64)).collect();
    let values = kept.iter().flat_map(|it| it.values().iter().copied()).collect();
    let outputs = [
        ("count", one(kept.len())),
        ("shapes", flat(shapes)),
        ("values", flat(values)),
        ("with_history", one(if rules.history { kept.len() } else { 0 })),
        ("of_other_type", one(0)),
        ("watched_inside", one(usize::from(watches && epochs > 0) * modules)),
        ("still_watched", one(usize::from(left) * modules)),
        ("epochs", one(epochs)),
        ("failed", one(usize::from(failed))),
        ("failed_as_the_epoch", one(usize::from(failed_as_the_epoch && known))),
    ];
    Response::from(BTreeMap::from(outputs))
}
