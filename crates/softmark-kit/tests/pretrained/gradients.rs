//! Trained and frozen layers: equal outputs, and gradients exactly where they belong.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use softmark_kit::nn::dropout;
use softmark_kit::pretrained::{Family, PretrainedConfig, PretrainedEncoder};
use softmark_kit::rng::Stream;

use crate::sample::{batch, config, distance, weights};

/// Returns the parameters in `dtype`; those below `learns` as variables.
fn parameters(
    config: &PretrainedConfig,
    dtype: DType,
    learns: &[&str],
) -> (BTreeMap<String, Tensor>, BTreeMap<String, Var>) {
    let mut vars = BTreeMap::new();
    let all = weights(config).tensors().clone().into_iter().map(|(name, tensor)| {
        let tensor = tensor.to_dtype(dtype).unwrap();
        if learns.iter().any(|learns| name.starts_with(learns)) {
            let var = Var::from_tensor(&tensor).unwrap();
            vars.insert(name.clone(), var.clone());
            return (name, var.as_tensor().clone());
        }
        (name, tensor)
    });
    let all = all.collect();
    (all, vars)
}

fn encoder(
    config: PretrainedConfig,
    dtype: DType,
    all: BTreeMap<String, Tensor>,
) -> PretrainedEncoder {
    let vb = VarBuilder::from_tensors(all.into_iter().collect(), dtype, &Device::Cpu);
    PretrainedEncoder::new(config, vb).unwrap()
}

/// Returns an input `[3, 7, 24]`, weights of a sum of its elements that are zero at padding, and the mask.
fn inputs(dtype: DType) -> (Var, Tensor, Tensor) {
    let draw = |name: &str| {
        let mut stream = Stream::derive(4, name, 0);
        let numbers: Vec<f32> = (0..3 * 7 * 24).map(|_| stream.uniform() * 2.0 - 1.0).collect();
        Tensor::from_vec(numbers, (3, 7, 24), &Device::Cpu).unwrap().to_dtype(dtype).unwrap()
    };
    let (_, mask) = batch();
    let real = mask.to_dtype(dtype).unwrap().unsqueeze(2).unwrap();
    let counts = draw("cotangent").broadcast_mul(&real).unwrap();
    (Var::from_tensor(&draw("x")).unwrap(), counts, mask)
}

/// In f64 both ways to compute a layer agree except for the last digits, forward and backward.
#[test]
fn frozen_layers_compute_what_learning_ones_do() {
    for (family, activation) in
        [(Family::Bert, "gelu"), (Family::Bert, "gelu_new"), (Family::DistilBert, "relu")]
    {
        let config = config(family, activation);
        let (x, counts, mask) = inputs(DType::F64);
        let mut found = Vec::new();
        for learns in [&[][..], &["layers."]] {
            let (all, _) = parameters(&config, DType::F64, learns);
            let y = encoder(config, DType::F64, all).encode(&x, &mask, false).unwrap();
            let sum = (&y * &counts).unwrap().sum_all().unwrap();
            let gradients = sum.backward().unwrap();
            found.push((y, gradients.get(&x).unwrap().clone()));
        }
        let (frozen, back) = &found[0];
        let (learning, want) = &found[1];
        assert!(distance(frozen, learning, &mask) < 1e-12, "{family:?} {activation}");
        assert!(distance(back, want, &mask) < 1e-12, "{family:?} {activation}");
        assert!(distance(back, &back.zeros_like().unwrap(), &mask) > 0.1, "something flows");
    }
}

/// Compares the gradient with central differences of a few elements of the input.
#[test]
fn the_gradient_is_that_of_differences() {
    let config = config(Family::Bert, "gelu");
    let (x, counts, mask) = inputs(DType::F64);
    let (all, _) = parameters(&config, DType::F64, &[]);
    let encoder = encoder(config, DType::F64, all);
    let sum = |x: &Tensor| {
        let y = encoder.encode(x, &mask, false).unwrap();
        (y * &counts).unwrap().sum_all().unwrap()
    };
    let gradients = sum(&x).backward().unwrap();
    let gradient = gradients.get(&x).unwrap().flatten_all().unwrap().to_vec1::<f64>().unwrap();
    let numbers = x.flatten_all().unwrap().to_vec1::<f64>().unwrap();
    let step = 1e-5;
    for at in [0, 25, 100, 168, 200, 340, 400, 430] {
        let moved = |by: f64| {
            let mut moved = numbers.clone();
            moved[at] += by;
            let x = Tensor::from_vec(moved, (3, 7, 24), &Device::Cpu).unwrap();
            sum(&x).to_scalar::<f64>().unwrap()
        };
        let slope = (moved(step) - moved(-step)) / (2.0 * step);
        // The error of the formula is the third derivative times step² / 6, and the rounding of a sum of some
        // hundred numbers divided by the step: 1e-9 and 1e-9.
        assert!((slope - gradient[at]).abs() < 1e-7, "{at}: {slope} {}", gradient[at]);
    }
}

#[test]
fn only_what_can_learn_has_a_gradient() {
    let config = config(Family::Bert, "gelu");
    let (all, vars) = parameters(&config, DType::F32, &["layers.2."]);
    let encoder = encoder(config, DType::F32, all);
    let (ids, mask) = batch();
    let y = encoder.forward(&ids, &mask, false).unwrap();
    // The plain sum of a norm's outputs is a constant, so its gradient would be zero.
    let (_, counts, _) = inputs(DType::F32);
    let gradients = (y * counts).unwrap().sum_all().unwrap().backward().unwrap();
    assert_eq!(vars.len(), 16);
    for (name, var) in &vars {
        let gradient = gradients.get(var).unwrap();
        let largest: f32 =
            gradient.abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap();
        // A shift of all keys does not change the weights of attention.
        assert_eq!(largest > 1e-4, name != "layers.2.self_attn.k_proj.bias", "{name}: {largest}");
    }
}

#[test]
fn dropout_drops_in_training_alone() {
    let config = config(Family::Bert, "gelu");
    let (all, _) = parameters(&config, DType::F32, &[]);
    let encoder = encoder(config, DType::F32, all);
    let (ids, mask) = batch();
    let run = |seed: u64, train: bool| {
        dropout::begin_step(seed, 0);
        encoder.forward(&ids, &mask, train).unwrap()
    };
    let rests = run(1, false);
    assert_eq!(distance(&rests, &run(2, false), &mask), 0.0);
    assert!(distance(&rests, &run(1, true), &mask) > 1e-2);
    assert!(distance(&run(1, true), &run(2, true), &mask) > 1e-2);
    assert_eq!(distance(&run(2, true), &run(2, true), &mask), 0.0);
}

/// Values at padding do not change a bit of a real token, and other texts have no influence.
#[test]
fn padding_and_other_texts_play_no_part() {
    let config = config(Family::Bert, "gelu");
    let (all, _) = parameters(&config, DType::F32, &[]);
    let encoder = encoder(config, DType::F32, all);
    let (x, _, mask) = inputs(DType::F32);
    let whole = encoder.encode(&x, &mask, false).unwrap();
    let hidden = mask.eq(0_u8).unwrap().to_dtype(DType::F32).unwrap().unsqueeze(2).unwrap();
    let moved = x.broadcast_add(&(hidden * 3.0).unwrap()).unwrap();
    assert_eq!(distance(&whole, &encoder.encode(&moved, &mask, false).unwrap(), &mask), 0.0);
    let alone = encoder.encode(&x.narrow(0, 1, 1).unwrap(), &mask.narrow(0, 1, 1).unwrap(), false);
    let of_batch = whole.narrow(0, 1, 1).unwrap();
    // Products of other sizes may be summed in another order.
    assert!(distance(&of_batch, &alone.unwrap(), &mask.narrow(0, 1, 1).unwrap()) < 1e-5);
}

/// A text of padding alone gives zeros and does not affect other texts.
#[test]
fn a_text_without_a_token_is_no_fault() {
    let config = config(Family::Bert, "gelu");
    let (all, _) = parameters(&config, DType::F32, &[]);
    let encoder = encoder(config, DType::F32, all);
    let (x, counts, mask) = inputs(DType::F32);
    let whole = encoder.encode(&x, &mask, false).unwrap();
    let bits = [[1_u8; 7], [0; 7], [1, 1, 0, 1, 1, 0, 0]];
    let emptied = Tensor::new(&bits, &Device::Cpu).unwrap();
    let output = encoder.encode(&x, &emptied, false).unwrap();
    let numbers = |it: &Tensor, text: usize| it.get(text).unwrap().to_vec2::<f32>().unwrap();
    assert!(numbers(&output, 1).iter().flatten().all(|x| *x == 0.0));
    assert!(distance(&whole, &output, &emptied) < 1e-5, "sums of another order");
    let sum = (&output * &counts).unwrap().sum_all().unwrap();
    let gradients = sum.backward().unwrap();
    let gradient = gradients.get(&x).unwrap();
    assert!(numbers(gradient, 1).iter().flatten().all(|x| *x == 0.0));
    assert!(numbers(gradient, 0).iter().flatten().all(|x| x.is_finite()));
}
