//! Every backward pass compared with central differences, in double precision.

use candle_core::{DType, Var};

use crate::operation::{Case, cases, cotangent, gradients, numbers, run};

/// Step of the differences: 10⁻⁵ gives about 10⁻⁹ of accuracy where third derivatives are around 1.
const STEP: f64 = 1e-5;
const ALLOWED: f64 = 1e-7;

/// Computes Σ output · cotangent.
fn weighted(case: &Case) -> f64 {
    let output = run(case, &case.variables(DType::F64));
    let weights = numbers(&cotangent(&output));
    numbers(&output).iter().zip(weights).map(|(y, w)| y * w).sum()
}

/// Finds the first element of an input whose gradient differs from the slope.
fn wrong(case: &mut Case, name: &str, gradient: &[f64]) -> Option<String> {
    let count = case.inputs[name].values.len();
    assert_eq!(count, gradient.len());
    (0..count).find_map(|n| {
        let mut at = |move_by: f64| {
            let x = &mut case.inputs.get_mut(name).unwrap().values[n];
            let kept = *x;
            *x += move_by;
            let sum = weighted(case);
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
fn analytic(case: &Case) -> Vec<(String, Vec<f64>)> {
    let variables = case.variables(DType::F64);
    let output = run(case, &variables);
    let gradients = gradients(&output, &cotangent(&output));
    let of = |name: &str| {
        let var: &Var = &variables[name];
        let gradient = gradients.get(var).unwrap_or_else(|| panic!("{} cuts {name}", case.op));
        (name.to_owned(), numbers(gradient))
    };
    case.leaves().map(of).collect()
}

#[test]
fn every_gradient_is_the_slope() {
    for mut case in cases() {
        for (name, gradient) in analytic(&case) {
            let wrong = wrong(&mut case, &name, &gradient);
            assert_eq!(wrong, None, "{} {}", case.op, case.options);
        }
    }
}

#[test]
fn a_gradient_that_is_off_in_one_place_is_found() {
    for mut case in cases() {
        for (name, mut gradient) in analytic(&case) {
            let last = gradient.len() - 1;
            gradient[last] += 1e-5 * (1.0 + gradient[last].abs());
            let wrong = wrong(&mut case, &name, &gradient);
            assert!(wrong.is_some(), "{} {} {name}", case.op, case.options);
        }
    }
}

#[test]
fn no_gradient_is_all_zeros() {
    for case in cases() {
        for (name, gradient) in analytic(&case) {
            let largest = gradient.iter().fold(0.0_f64, |largest, g| largest.max(g.abs()));
            assert!(largest > 1e-3, "{} {} {name}: {largest}", case.op, case.options);
        }
    }
}

#[test]
fn a_loss_can_be_scaled_and_differentiated_twice() {
    let case = cases().into_iter().find(|case| case.op == "cross_entropy").unwrap();
    for dtype in [DType::F32, DType::F64] {
        let variables = case.variables(dtype);
        let loss = run(&case, &variables);
        let once = loss.backward().unwrap();
        let again = (&loss * 3.0).unwrap().backward().unwrap();
        let [once, again] = [once, again].map(|g| numbers(g.get(&variables["logits"]).unwrap()));
        for (once, again) in once.iter().zip(again) {
            assert!((3.0 * once - again).abs() < 1e-6, "{once} {again}");
        }
    }
}
