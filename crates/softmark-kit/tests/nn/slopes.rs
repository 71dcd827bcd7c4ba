//! Gradients of the backward pass, and a comparison of them with central differences.

use candle_core::{DType, Device, Var};

use crate::operation::{Case, cotangent, gradients, numbers, run};

/// Step of the differences: 10⁻⁵ gives about 10⁻⁹ of accuracy where third derivatives are around 1.
const STEP: f64 = 1e-5;
const ALLOWED: f64 = 1e-7;

/// Computes Σ output · cotangent.
fn weighted(case: &Case, device: &Device) -> f64 {
    let output = run(case, &case.variables_on(DType::F64, device));
    let weights = numbers(&cotangent(&output));
    numbers(&output).iter().zip(weights).map(|(y, w)| y * w).sum()
}

/// Finds the first element of an input whose gradient differs from the slope.
pub(crate) fn wrong(
    case: &mut Case,
    name: &str,
    gradient: &[f64],
    device: &Device,
) -> Option<String> {
    let count = case.inputs[name].values.len();
    assert_eq!(count, gradient.len());
    (0..count).find_map(|n| {
        let mut at = |move_by: f64| {
            let x = &mut case.inputs.get_mut(name).unwrap().values[n];
            let kept = *x;
            *x += move_by;
            let sum = weighted(case, device);
            case.inputs.get_mut(name).unwrap().values[n] = kept;
            sum
        };
        let slope = (at(STEP) - at(-STEP)) / (2.0 * STEP);
        let off = (slope - gradient[n]).abs();
        (off > ALLOWED * (1.0 + slope.abs()))
            .then(|| format!("{name} [{n}]: {}, the slope is {slope}", gradient[n]))
    })
}

/// Returns the gradients of each input that has any.
pub(crate) fn analytic(case: &Case, device: &Device) -> Vec<(String, Vec<f64>)> {
    let variables = case.variables_on(DType::F64, device);
    let output = run(case, &variables);
    let gradients = gradients(&output, &cotangent(&output));
    let of = |name: &str| {
        let var: &Var = &variables[name];
        let gradient = gradients.get(var).unwrap_or_else(|| panic!("{} cuts {name}", case.op));
        (name.to_owned(), numbers(gradient))
    };
    case.leaves().map(of).collect()
}
