//! Holds reverse-mode gradients against central differences of an oracle.

use std::collections::BTreeMap;

use softmark_checks::case::InputKind;
use softmark_checks::check::{Judged, wrong};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, Subject};
use softmark_kit::compare::Tolerance;

use crate::check::against::{Oracle, is_right};

/// What each output is weighted with in the sum that is differentiated, by output.
pub type Cotangents = Vec<(&'static str, Array)>;

/// Half the distance between the two points of a central difference.
///
/// Its error is about `h²/6 · f‴ + 2⁻⁵² · f / h`. With `f` and its derivatives up to a hundred,
/// 10⁻⁵ leaves about 10⁻⁸ of the first kind and 10⁻⁹ of the second: a hundred times finer than
/// what `f32` can tell.
const STEP: f64 = 1e-5;

fn weighted_sum(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
) -> f64 {
    let outputs = oracle(case);
    let term = |(name, weights): &(&'static str, Array)| -> f64 {
        let output = outputs.get(name).map(Array::values).unwrap_or_default();
        output.iter().zip(weights.values()).map(|(x, w)| x * w).sum()
    };
    cotangents.iter().map(term).sum()
}

/// The gradient of `Σ output · cotangent` with respect to every input of numbers and every
/// parameter, by name, from central differences.
pub fn numeric_gradients(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
) -> BTreeMap<String, Array> {
    numeric_gradients_of(case, oracle, cotangents, &|_| true)
}

/// The same, with respect to those parameters alone that learn.
fn numeric_gradients_of(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
    learns: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, Array> {
    let difference = |array: &Array, changed: &dyn Fn(Array) -> Case| {
        Array::from_fn(array.shape(), |at| {
            let moved = |by: f64| {
                let mut point = array.clone();
                point.set(at, array.at(at) + by);
                weighted_sum(&changed(point), oracle, cotangents)
            };
            (moved(STEP) - moved(-STEP)) / (2.0 * STEP)
        })
    };
    let mut gradients = BTreeMap::new();
    for input in case.inputs.iter().filter(|input| input.kind == InputKind::Numbers) {
        let gradient = difference(&input.array, &|array| case.with(input.name, array));
        gradients.insert(input.name.to_owned(), gradient);
    }
    for (name, array) in case.parameters.iter().filter(|(name, _)| learns(name)) {
        let gradient = difference(array, &|array| case.with_parameter(name, &array));
        gradients.insert(name.clone(), gradient);
    }
    gradients
}

/// Holds that every gradient arrives, and is what the oracle's differences say.
///
/// Where the outputs are not the oracle's, neither can their slopes be. That is for other checks to
/// say, and here a gradient only has to arrive: on `open`, which is `case` without a mask, since a
/// mask that is read wrongly may leave nothing for a gradient to come from.
///
/// The first of the tolerances is for the outputs, the second for their slopes.
///
/// # Errors
///
/// The verdict, where one is missing or differs.
pub fn matches_gradients(
    subject: &mut Subject<'_>,
    (case, open): (&Case, &Case),
    oracle: Oracle,
    cotangents: &Cotangents,
    tolerances: (Tolerance, Tolerance),
) -> Judged {
    matches_gradients_of(subject, (case, open), oracle, cotangents, tolerances, &|_| true)
}

/// The same of a part only some of whose parameters learn; what arrives at the others is for
/// [`keeps_frozen`] to say.
///
/// # Errors
///
/// The verdict, where one is missing or differs.
pub fn matches_gradients_of(
    subject: &mut Subject<'_>,
    (case, open): (&Case, &Case),
    oracle: Oracle,
    cotangents: &Cotangents,
    (forward, tolerance): (Tolerance, Tolerance),
    learns: &dyn Fn(&str) -> bool,
) -> Judged {
    let is_right = is_right(subject, case, oracle, forward)?;
    let asked = if is_right { case } else { open };
    let came = subject.gradients(asked, cotangents)?;
    let wanted = numeric_gradients_of(asked, &oracle, cotangents, learns);
    let arrived = |name: &str| {
        let found = came.inputs.get(name).or_else(|| came.parameters.get(name));
        found.and_then(Option::as_ref)
    };
    // What should be zero may as well not arrive; and what is wrong may well be flat.
    let is_due = |want: &Array| want.magnitude() > tolerance.absolute;
    let is_cut = |name: &str| arrived(name).is_none_or(|got| is_right && got.magnitude() == 0.0);
    let cut = wanted.iter().filter(|(name, want)| is_due(want) && is_cut(name));
    let cut: Vec<&str> = cut.map(|(name, _)| name.as_str()).collect();
    if !cut.is_empty() {
        return Err(wrong(asked, missing(&cut)));
    }
    if !is_right {
        return Ok(());
    }
    for (name, want) in &wanted {
        let Some(got) = arrived(name) else { continue };
        let claim = format!(
            "The gradient of the weighted sum of the outputs with respect to `{name}` should be \
             its slope, measured by small steps"
        );
        let look = "The output is a different function of this tensor than it should be, or part \
                    of the way back is cut off.";
        compare(case, name, (got, want), tolerance, (&claim, look))?;
    }
    Ok(())
}

/// Checks that no gradient arrives at parameters that do not learn, and that one arrives at one that does.
///
/// # Errors
///
/// The verdict, if one arrives where it should not, or none at all.
pub fn keeps_frozen(
    subject: &mut Subject<'_>,
    case: &Case,
    cotangents: &Cotangents,
    learns: &dyn Fn(&str) -> bool,
) -> Judged {
    let came = subject.gradients(case, cotangents)?;
    let reached = |learned: bool| {
        let those = came.parameters.iter().filter(move |(name, _)| learns(name) == learned);
        let those = those.filter(|(_, gradient)| gradient.is_some());
        those.map(|(name, _)| name.clone()).collect::<Vec<String>>()
    };
    let thawed = reached(false);
    if !thawed.is_empty() {
        return Err(wrong(case, frozen(&thawed)));
    }
    if reached(true).is_empty() {
        let message = "No gradient arrives at any parameter that learns, so that nothing can be said of \
                       those that do not. Look at where the way back from the output ends.";
        return Err(wrong(case, message.to_owned()));
    }
    Ok(())
}

fn frozen(names: &[String]) -> String {
    let (few, more) = (names.iter().take(4), names.len().saturating_sub(4));
    let few: Vec<&str> = few.map(String::as_str).collect();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(
        "A gradient arrives at {}{more}, which should stay as it is: training would change it. Look at \
         where the encoder is made, and at what says there which of its parameters learn.",
        few.join(", ")
    )
}

fn missing(names: &[&str]) -> String {
    format!(
        "No gradient arrives at {}: what lies below would never learn. Nothing reports this; the \
         graph simply ends on the way. Look at each operation between there and the output. \
         candle_nn::ops::softmax_last_dim and candle_nn::LayerNorm have no gradient; \
         softmark_kit::nn::ops::softmax_last_dim, softmark_kit::nn::ops::softmax and \
         softmark_kit::nn::layer_norm take the same arguments and have one. A tensor that \
         is rebuilt from plain numbers, or detached, has none either.",
        names.join(", ")
    )
}
