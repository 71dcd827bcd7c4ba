//! Every backward pass compared with central differences, in double precision.

use candle_core::{DType, Device};

use crate::operation::{cases, numbers, run};
use crate::slopes::{analytic, wrong};

#[test]
fn every_gradient_is_the_slope() {
    for mut case in cases() {
        for (name, gradient) in analytic(&case, &Device::Cpu) {
            let wrong = wrong(&mut case, &name, &gradient, &Device::Cpu);
            assert_eq!(wrong, None, "{} {}", case.op, case.options);
        }
    }
}

#[test]
fn a_gradient_that_is_off_in_one_place_is_found() {
    for mut case in cases() {
        for (name, mut gradient) in analytic(&case, &Device::Cpu) {
            let last = gradient.len() - 1;
            gradient[last] += 1e-5 * (1.0 + gradient[last].abs());
            let wrong = wrong(&mut case, &name, &gradient, &Device::Cpu);
            assert!(wrong.is_some(), "{} {} {name}", case.op, case.options);
        }
    }
}

#[test]
fn no_gradient_is_all_zeros() {
    for case in cases() {
        for (name, gradient) in analytic(&case, &Device::Cpu) {
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
