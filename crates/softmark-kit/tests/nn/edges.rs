//! In single precision the fused and the composed layers agree with double precision at the edges, too.

use std::collections::BTreeMap;

use candle_core::{DType, Tensor, Var};

use crate::edge_cases::edge_cases;
use crate::golden_cases::hold;
use crate::operation::{Case, cotangent, gradients, numbers, run, run_composed};

/// Tolerance: no case adds more than a dozen numbers, or has more than a dozen operations. Each is off by at most 2 units
/// in the last place, 2⁻²², and the numbers in between are at most 4 times as large as the result: 1.2·10⁻⁵.
const ALLOWED: f64 = 1.2e-5;

fn compare(run: impl Fn(&Case, &BTreeMap<String, Var>) -> Tensor) {
    for (n, case) in edge_cases().into_iter().enumerate() {
        let case = case.in_single_precision();
        let what = format!("case {n}, {} {}", case.op, case.options);
        let (single, double) = (case.variables(DType::F32), case.variables(DType::F64));
        let (got, want) = (run(&case, &single), crate::operation::run(&case, &double));
        hold(&what, &got, &numbers(&want), ALLOWED);
        let (back, want) = (gradients(&got, &cotangent(&got)), gradients(&want, &cotangent(&want)));
        for name in case.leaves() {
            let want = numbers(want.get(&double[name]).unwrap());
            let got = back.get(&single[name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want, ALLOWED);
        }
    }
}

#[test]
fn fused_layers_hold_at_the_edges() {
    compare(run);
}

#[test]
fn composed_layers_hold_at_the_edges() {
    compare(|case, inputs| run_composed(case, inputs).unwrap());
}
