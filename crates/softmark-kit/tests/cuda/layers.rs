//! Each layer on the GPU: outputs and gradients.

use candle_core::{DType, Device, Module, Result, Tensor};
use softmark_kit::nn::attention::{attention_weights, scaled_dot_product_attention};
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::nn::{Activation, Embedding, LayerNorm, Linear, ops, pooling};

use crate::edge_cases::edge_cases;
use crate::golden_cases::{golden_cases, hold, magnitude};
use crate::gpu::{gpu, report};
use crate::operation::{Case, cases, cotangent, gradients, numbers, run};
use crate::slopes::{analytic, wrong};

/// Tolerance in double precision: sums of some dozen numbers; scores of 10⁴ round to 10⁻¹².
const DOUBLE: f64 = 1e-10;

/// Tolerance in single precision: no case adds more than two dozen numbers, or has more than a dozen operations
/// one after the other. Each of these is off by at most 2 units in the last place, 2⁻²²: 8.6·10⁻⁶. The
/// numbers in between are up to 4 times as large as the result, but their roundings point in either direction:
/// a factor of 2 is left for both.
const SINGLE: f64 = 2e-5;

#[test]
fn layers_agree_with_pytorch_in_double_precision() {
    let Some(gpu) = gpu() else { return };
    let mut largest = 0.0_f64;
    for (n, golden) in golden_cases().iter().enumerate() {
        let what = format!("case {n}, {}", golden.case.op);
        let variables = golden.case.variables_on(DType::F64, &gpu);
        let output = run(&golden.case, &variables);
        assert!(output.device().is_cuda(), "{what}");
        assert_eq!(output.dims(), golden.output.shape, "{what}");
        largest = largest.max(hold(&what, &output, &golden.output.values, DOUBLE));
        let gradients = gradients(&output, &golden.cotangent.tensor().to_device(&gpu).unwrap());
        for (name, want) in &golden.gradients {
            let got = gradients.get(&variables[name]).unwrap();
            let what = format!("{what}, gradient of {name}");
            largest = largest.max(hold(&what, got, &want.values, DOUBLE));
        }
    }
    report("layers, double precision", largest, DOUBLE);
}

/// Compares a case in single precision on the GPU with double precision on the CPU; returns the largest difference
/// relative to the tolerance.
fn compare(case: &Case, gpu: &Device) -> f64 {
    let what = format!("{} {}", case.op, case.options);
    let (single, double) = (case.variables_on(DType::F32, gpu), case.variables(DType::F64));
    let (got, want) = (run(case, &single), run(case, &double));
    assert!(got.device().is_cuda(), "{what}");
    let allowed = SINGLE * magnitude(case);
    let mut largest = hold(&what, &got, &numbers(&want), allowed);
    let (back, want) = (gradients(&got, &cotangent(&got)), gradients(&want, &cotangent(&want)));
    for name in case.leaves() {
        let want = numbers(want.get(&double[name]).unwrap());
        let what = format!("{what}, gradient of {name}");
        largest = largest.max(hold(&what, back.get(&single[name]).unwrap(), &want, allowed));
    }
    largest / allowed
}

#[test]
fn layers_agree_with_the_cpu_in_single_precision() {
    let Some(gpu) = gpu() else { return };
    let golden = golden_cases().into_iter().map(|golden| golden.case);
    let all = golden.chain(cases()).map(Case::in_single_precision);
    let largest = all.fold(0.0_f64, |largest, case| largest.max(compare(&case, &gpu)));
    report("layers, single precision", largest * SINGLE, SINGLE);
}

#[test]
fn layers_agree_with_the_cpu_at_the_edges() {
    let Some(gpu) = gpu() else { return };
    let all = edge_cases().into_iter().map(Case::in_single_precision);
    let largest = all.fold(0.0_f64, |largest, case| largest.max(compare(&case, &gpu)));
    report("layers, edges", largest * SINGLE, SINGLE);
}

#[test]
fn gradients_are_slopes() {
    let Some(gpu) = gpu() else { return };
    for mut case in cases() {
        for (name, gradient) in analytic(&case, &gpu) {
            let wrong = wrong(&mut case, &name, &gradient, &gpu);
            assert_eq!(wrong, None, "{} {}", case.op, case.options);
        }
    }
}

/// Returns a tensor of this shape in `f64`, the same on every device.
fn drawn(shape: &[usize], device: &Device) -> Tensor {
    cotangent(&Tensor::zeros(shape, DType::F64, device).unwrap())
}

#[test]
fn layers_without_a_golden_case_agree_with_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let all = |device: &Device| -> Vec<Tensor> {
        let x = drawn(&[2, 3, 5, 8], device);
        let weight = drawn(&[8], device);
        let kinds = [
            Activation::Gelu,
            Activation::NewGelu,
            Activation::GeluPytorchTanh,
            Activation::Relu,
            Activation::Silu,
            Activation::Sigmoid,
        ];
        let mut outputs = vec![
            LayerNorm::rms_norm(weight.clone(), 1e-5).forward(&x).unwrap(),
            LayerNorm::new_no_bias(weight, 1e-5).forward(&x).unwrap(),
            ops::softmax_last_dim(&x).unwrap(),
            attention_weights(&x, &x, None).unwrap(),
        ];
        outputs.extend(kinds.iter().map(|kind| kind.forward(&x).unwrap()));
        outputs
    };
    for (n, (got, want)) in all(&gpu).iter().zip(all(&Device::Cpu)).enumerate() {
        assert!(got.device().is_cuda());
        hold(&format!("layer {n}"), got, &numbers(&want), DOUBLE);
    }
}

#[test]
fn views_give_what_copies_give() {
    let Some(gpu) = gpu() else { return };
    let x = drawn(&[4, 6, 5], &gpu);
    let (weight, bias) = (drawn(&[6], &gpu), drawn(&[6], &gpu));
    let matrix = drawn(&[3, 6], &gpu);
    let mask = Tensor::new(&[1_u8, 0, 1, 1, 0], &gpu).unwrap().broadcast_as((4, 5)).unwrap();
    let apply = |x: &Tensor| -> Vec<Tensor> {
        let results: Result<Vec<Tensor>> = [
            Linear::new(matrix.clone(), None).forward(x),
            LayerNorm::new(weight.clone(), bias.clone(), 1e-5).forward(x),
            ops::softmax(x, 1),
            ops::log_softmax(x, 2),
            ops::gelu(x),
            ops::sigmoid(x),
            pooling::masked_mean(x, &mask),
            pooling::masked_max(x, &mask),
            pooling::masked_first(x, &mask),
        ]
        .into_iter()
        .collect();
        results.unwrap()
    };
    let view = x.transpose(1, 2).unwrap();
    let pairs = apply(&view).into_iter().zip(apply(&view.contiguous().unwrap()));
    for (n, (got, want)) in pairs.enumerate() {
        assert_eq!(numbers(&got), numbers(&want), "layer {n}");
    }
    let heads = drawn(&[2, 7, 3, 4], &gpu);
    for view in [heads.transpose(1, 2).unwrap(), heads.permute((0, 3, 2, 1)).unwrap()] {
        let attend = |x: &Tensor| scaled_dot_product_attention(x, x, x, None, 0.0, false).unwrap();
        assert_eq!(numbers(&attend(&view)), numbers(&attend(&view.contiguous().unwrap())));
    }
}

/// An assertion that fails in a kernel makes the GPU useless for the rest of the process.
#[test]
fn ids_and_targets_that_do_not_exist_are_errors_and_the_gpu_goes_on() {
    let Some(gpu) = gpu() else { return };
    let says = |result: Result<Tensor>, words: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    let ids = |ids: &[u32]| Tensor::new(ids, &gpu).unwrap();
    let table = Embedding::new(drawn(&[5, 2], &gpu), 2);
    says(table.forward(&ids(&[0, 5])), "id 5");
    says(table.forward(&ids(&[u32::MAX])), "5 rows");
    says(cross_entropy(&drawn(&[3, 4], &gpu), &ids(&[0, 4, 1])), "row 1");
    let found = table.forward(&ids(&[4])).unwrap();
    assert_eq!(numbers(&found), numbers(&table.embeddings().get(4).unwrap()));
}
