//! Holds reverse-mode gradients against central differences of an oracle.

use std::collections::BTreeMap;

use softmark_checks::check::{Judged, Stop, wrong};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, Subject};
use softmark_kit::compare::{Tolerance, first_difference};

use crate::check::against::Oracle;

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

/// The gradient of `Σ output · cotangent` with respect to every input that is not a mask and every
/// parameter, by name, from central differences.
pub fn numeric_gradients(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
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
    for input in case.inputs.iter().filter(|input| !input.is_mask) {
        let gradient = difference(&input.array, &|array| case.with(input.name, array));
        gradients.insert(input.name.to_owned(), gradient);
    }
    for (name, array) in &case.parameters {
        let gradient = difference(array, &|array| case.with_parameter(name, &array));
        gradients.insert((*name).to_owned(), gradient);
    }
    gradients
}

/// Holds that every gradient arrives, and is what the oracle's differences say.
///
/// Where the outputs are not the oracle's, neither can their slopes be: that is for other checks to
/// say, and here a gradient only has to arrive.
///
/// # Errors
///
/// The verdict, where one is missing or differs.
pub fn matches_gradients(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    cotangents: &Cotangents,
    tolerance: Tolerance,
) -> Judged {
    let came = subject.gradients(case, cotangents)?;
    let wanted = numeric_gradients(case, &oracle, cotangents);
    // What should be zero may as well not arrive.
    let zero = |want: &Array| want.magnitude() <= tolerance.absolute;
    let arrived = |name: &str| {
        let found = came.inputs.get(name).or_else(|| came.parameters.get(name));
        found.and_then(Option::as_ref)
    };
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|(name, want)| {
            !zero(want) && arrived(name).is_none_or(|got| got.magnitude() == 0.0)
        })
        .map(|(name, _)| name.as_str())
        .collect();
    if !missing.is_empty() {
        let message = format!(
            "No gradient arrives at {}: what lies below would never learn. Nothing reports this; \
             the graph simply ends on the way. Look at each operation between there and the \
             output. candle_nn::ops::softmax_last_dim and candle_nn::LayerNorm have no gradient \
             (candle_nn::ops::softmax has), and neither has a tensor that is rebuilt from plain \
             numbers or detached.",
            missing.join(", ")
        );
        return Err(wrong(case, message));
    }
    if !is_right(subject, case, oracle, tolerance)? {
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

/// Whether the outputs are the oracle's.
fn is_right(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    tolerance: Tolerance,
) -> Result<bool, Stop> {
    let answer = subject.forward(case)?;
    Ok(oracle(case).iter().all(|(name, want)| {
        answer.get(case, name, want.shape()).is_ok_and(|got| {
            first_difference(got.values(), want.values(), want.shape(), tolerance).is_none()
        })
    }))
}
