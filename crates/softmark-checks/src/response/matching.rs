//! Comparison of two responses, up to rounding.

use std::collections::BTreeMap;

use crate::array::Array;
use crate::response::Response;

/// Most difference of a response in `f32` from its imitation in `f64`, relative to the larger of 1
/// and the imitation's value.
///
/// The value is much larger than a check's tolerance, since nothing is graded here: rounding in
/// these small cases stays below 10⁻⁵, and two mistakes differ by 10⁻² and more.
const SHARE: f64 = 1e-3;

/// Numbers below this count as the value of a masked score, whatever constant the code uses.
const VERY_NEGATIVE: f64 = -1e3;

/// True if the response `came` equals that of the imitation.
pub fn same(came: &Response, imitation: &Response) -> bool {
    match (came, imitation) {
        (Response::Outputs(a), Response::Outputs(b)) => {
            b.iter().all(|(name, want)| a.get(name).is_some_and(|got| same_array(got, want)))
        }
        (Response::Gradients(a), Response::Gradients(b)) => same_gradients(a, b),
        (Response::OtherType, Response::OtherType)
        | (Response::Refused, Response::Refused)
        | (Response::Panicked, Response::Panicked)
        | (Response::Nothing, Response::Nothing) => true,
        _ => false,
    }
}

/// Compares gradients; one that did not arrive equals one of zeros.
fn same_gradients(
    came: &BTreeMap<String, Option<Array>>,
    imitation: &BTreeMap<String, Option<Array>>,
) -> bool {
    let found = |name: &str| came.get(name).and_then(Option::as_ref);
    imitation.iter().all(|(name, want)| match (found(name), want) {
        (None, None) => true,
        (None, Some(array)) | (Some(array), None) => array.magnitude() <= SHARE,
        (Some(got), Some(want)) => same_array(got, want),
    })
}

fn same_array(got: &Array, want: &Array) -> bool {
    got.shape() == want.shape()
        && got.values().iter().zip(want.values()).all(|(&g, &w)| same_value(g, w))
}

fn same_value(got: f64, want: f64) -> bool {
    if want == f64::NEG_INFINITY {
        return got < VERY_NEGATIVE;
    }
    if want.is_nan() || got.is_nan() {
        return want.is_nan() && got.is_nan();
    }
    got == want || (got - want).abs() <= SHARE * want.abs().max(1.0)
}

/// Returns recorded answers with −∞ in place of very negative numbers, so that they equal every very negative number:
/// mutants and submissions hide scores with different constants.
pub fn with_masked_scores(recorded: Response) -> Response {
    let hidden =
        |array: Array| array.map(|x| if x < VERY_NEGATIVE { f64::NEG_INFINITY } else { x });
    match recorded {
        Response::Outputs(outputs) => Response::Outputs(
            outputs.into_iter().map(|(name, array)| (name, hidden(array))).collect(),
        ),
        Response::Gradients(gradients) => {
            let each = gradients.into_iter();
            Response::Gradients(each.map(|(name, array)| (name, array.map(hidden))).collect())
        }
        other @ (Response::OtherType
        | Response::Refused
        | Response::Panicked
        | Response::Nothing) => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Response {
        Response::output(Array::new(&[values.len()], values.to_vec()))
    }

    #[test]
    fn rounding_is_forgiven_and_a_hundredth_is_not() {
        assert!(same(&of(&[1.000_01, 0.0]), &of(&[1.0, 1e-6])));
        assert!(!same(&of(&[1.01]), &of(&[1.0])));
    }

    #[test]
    fn what_is_not_finite_matches_only_itself() {
        assert!(same(&of(&[f64::NAN]), &of(&[f64::NAN])));
        assert!(!same(&of(&[f64::NAN]), &of(&[0.0])));
        assert!(!same(&of(&[0.0]), &of(&[f64::NAN])));
        assert!(same(&of(&[-1e9]), &of(&[f64::NEG_INFINITY])));
        assert!(!same(&of(&[f64::INFINITY]), &of(&[1.0])));
    }

    #[test]
    fn recorded_scores_equal_those_with_another_constant() {
        let recorded = with_masked_scores(of(&[-1e9, 0.5]));
        assert!(same(&of(&[-1e9, 0.5]), &recorded) && same(&of(&[-1e4, 0.5]), &recorded));
        assert!(same(&of(&[f64::NEG_INFINITY, 0.5]), &recorded));
        assert!(!same(&of(&[-10.0, 0.5]), &recorded) && !same(&of(&[1e9, 0.5]), &recorded));
    }

    #[test]
    fn a_missing_gradient_is_one_of_zeros() {
        let response = |value: Option<f64>| {
            let array = value.map(|x| Array::full(&[2], x));
            Response::Gradients(BTreeMap::from([("query".to_owned(), array)]))
        };
        assert!(same(&response(None), &response(Some(0.0))));
        assert!(!same(&response(None), &response(Some(0.5))));
        assert!(!same(&response(Some(0.5)), &response(None)));
    }
}
