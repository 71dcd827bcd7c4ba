//! Gradients of an oracle in `f64`, from central differences.

use std::collections::BTreeMap;

use softmark_checks::case::InputKind;
use softmark_checks::{Array, Case, defect};

/// Cotangents: for each output, the weights of its values in the sum that is differentiated.
pub type Cotangents = Vec<(&'static str, Array)>;

/// Half the distance between the two points of a central difference.
///
/// The error is about `h²/6 · f‴ + 2⁻⁵² · f / h`. With `f` and its derivatives up to a hundred,
/// 10⁻⁵ leaves about 10⁻⁸ of the first kind and 10⁻⁹ of the second: a hundred times finer than the
/// resolution of `f32`.
const STEP: f64 = 1e-5;

/// Returns the sum of each output's values, weighted with its cotangent, in the order of the
/// cotangents.
fn weighted_sums(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
) -> Vec<f64> {
    let outputs = oracle(case);
    let each = cotangents.iter();
    each.map(|(name, weights)| weighted_sum(name, outputs.get(name), weights)).collect()
}

fn weighted_sum(name: &str, output: Option<&Array>, weights: &Array) -> f64 {
    // A missing output would add nothing to the slope, so that no gradient would be expected.
    if output.is_none_or(|output| output.shape() != weights.shape()) {
        let shape = weights.shape();
        defect::note(|| format!("the oracle has no `{name}` of shape {shape:?}"));
    }
    let output = output.map(Array::values).unwrap_or_default();
    output.iter().zip(weights.values()).map(|(x, w)| x * w).sum()
}

/// Computes the gradient of `Σ output · cotangent` with respect to every numeric input and every
/// parameter, by name, from central differences.
pub fn numeric_gradients(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
) -> BTreeMap<String, Array> {
    numeric_gradients_of(case, oracle, cotangents, &|_| true)
}

/// Like [`numeric_gradients`], with respect to the inputs and the trainable parameters alone.
pub(super) fn numeric_gradients_of(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
    learns: &dyn Fn(&str) -> bool,
) -> BTreeMap<String, Array> {
    let sum = |case: &Case| vec![weighted_sums(case, oracle, cotangents).into_iter().sum()];
    differences(case, &sum, learns).pop().unwrap_or_default()
}

/// Computes the gradient of each `output · cotangent` separately, in the order of the cotangents,
/// with respect to every input and to the `wanted` parameters. Their sum over the cotangents is
/// [`numeric_gradients`].
pub fn gradients_by_output(
    case: &Case,
    oracle: &dyn Fn(&Case) -> BTreeMap<&'static str, Array>,
    cotangents: &Cotangents,
    wanted: &dyn Fn(&str) -> bool,
) -> Vec<BTreeMap<String, Array>> {
    differences(case, &|case| weighted_sums(case, oracle, cotangents), wanted)
}

/// Computes the gradient of each of the `values` of a case, with respect to every numeric input and
/// every trainable parameter, from central differences.
fn differences(
    case: &Case,
    values: &dyn Fn(&Case) -> Vec<f64>,
    learns: &dyn Fn(&str) -> bool,
) -> Vec<BTreeMap<String, Array>> {
    let mut gradients: Vec<BTreeMap<String, Array>> = vec![BTreeMap::new(); values(case).len()];
    let inputs = case.inputs.iter().enumerate();
    let inputs = inputs.filter(|(_, input)| input.kind == InputKind::Numbers);
    let inputs = inputs.map(|(at, input)| (input.name.to_owned(), Place::Input(at)));
    let parameters = case.parameters.iter().enumerate().filter(|(_, (name, _))| learns(name));
    let parameters = parameters.map(|(at, (name, _))| (name.clone(), Place::Parameter(at)));
    let mut changed = case.clone();
    for (name, place) in inputs.chain(parameters) {
        add_differences(&mut gradients, &name, (&mut changed, place), values);
    }
    gradients
}

/// Place of an array in a case.
#[derive(Clone, Copy)]
enum Place {
    Input(usize),
    Parameter(usize),
}

impl Place {
    /// Returns the array of a case.
    fn array(self, case: &mut Case) -> Option<&mut Array> {
        match self {
            Self::Input(at) => case.inputs.get_mut(at).map(|input| &mut input.array),
            Self::Parameter(at) => case.parameters.get_mut(at).map(|(_, array)| array),
        }
    }
}

/// Adds the gradient of each of the `values` of the case with respect to one of its arrays, called `name`. The case is
/// changed in place, which saves a copy for each evaluation; in the end it is what it was.
fn add_differences(
    gradients: &mut [BTreeMap<String, Array>],
    name: &str,
    (case, place): (&mut Case, Place),
    values: &dyn Fn(&Case) -> Vec<f64>,
) {
    let Some(array) = place.array(case).cloned() else { return };
    let mut slopes = vec![Vec::new(); gradients.len()];
    for (at, value) in array.values().iter().enumerate() {
        set(place.array(case), at, value + STEP);
        let up = values(case);
        set(place.array(case), at, value - STEP);
        let down = values(case);
        for ((slopes, up), down) in slopes.iter_mut().zip(up).zip(down) {
            slopes.push((up - down) / (2.0 * STEP));
        }
        set(place.array(case), at, *value);
    }
    for (gradients, slopes) in gradients.iter_mut().zip(slopes) {
        gradients.insert(name.to_owned(), Array::new(array.shape(), slopes));
    }
}

/// Sets the value at position `at` of an array.
fn set(array: Option<&mut Array>, at: usize, value: f64) {
    if let Some(place) = array.and_then(|array| array.values_mut().get_mut(at)) {
        *place = value;
    }
}
