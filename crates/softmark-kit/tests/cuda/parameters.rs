//! Random numbers and steps of the optimizers on the GPU.

use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Tensor, Var};
use candle_nn::Init;
use candle_nn::init::{DEFAULT_KAIMING_NORMAL, DEFAULT_KAIMING_UNIFORM};
use softmark_kit::init::Parameters;
use softmark_kit::nn::dropout;
use softmark_kit::optim::{Optimizer, Rule, clip_gradients, global_norm};
use softmark_kit::rng::Stream;

use crate::golden_cases::hold;
use crate::gpu::{gpu, report};
use crate::operation::numbers;
use crate::support::bits;

#[test]
fn initial_parameters_have_the_bits_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let drawn = |device: &Device, seed| {
        let parameters = Parameters::new(seed, device);
        let inits = [
            ("const", Init::Const(0.1)),
            ("uniform", Init::Uniform { lo: -0.3, up: 0.7 }),
            ("normal", Init::Randn { mean: 0.1, stdev: 0.02 }),
            ("kaiming_normal", DEFAULT_KAIMING_NORMAL),
            ("kaiming_uniform", DEFAULT_KAIMING_UNIFORM),
        ];
        for (name, init) in inits {
            let tensor = parameters.builder().get_with_hints((37, 19), name, init).unwrap();
            assert!(tensor.device().same_device(device));
        }
        bits(&parameters.vars())
    };
    assert_eq!(drawn(&gpu, 7), drawn(&Device::Cpu, 7));
    assert_ne!(drawn(&gpu, 8), drawn(&Device::Cpu, 7));
}

#[test]
fn dropout_has_the_bits_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    // More than two streams of random numbers.
    let values: Vec<f32> = (0..20_000).map(|n| 1.0 + n as f32).collect();
    let dropped = |device: &Device, step| {
        dropout::begin_step(3, step);
        let x = Tensor::new(values.as_slice(), device).unwrap();
        let dropped = dropout::dropout(&x, 0.3).unwrap();
        assert!(dropped.device().same_device(device));
        dropped.to_vec1::<f32>().unwrap()
    };
    assert_eq!(dropped(&gpu, 1), dropped(&Device::Cpu, 1));
    assert_ne!(dropped(&gpu, 2), dropped(&Device::Cpu, 1));
}

fn drawn(name: &str, step: u64, shape: &[usize], device: &Device) -> Tensor {
    let mut stream = Stream::derive(4, name, step);
    let values: Vec<f32> =
        (0..shape.iter().product()).map(|_| stream.uniform() * 2.0 - 1.0).collect();
    Tensor::from_vec(values, shape, device).unwrap()
}

/// A matrix and a vector as parameters.
fn parameters(device: &Device) -> BTreeMap<String, Var> {
    [("matrix", &[7, 33][..]), ("vector", &[5])]
        .map(|(name, shape)| {
            (name.to_owned(), Var::from_tensor(&drawn(name, 0, shape, device)).unwrap())
        })
        .into()
}

/// Returns gradients; that of the matrix is a transposed view, as a linear layer's is.
fn gradients(vars: &BTreeMap<String, Var>, step: u64, device: &Device) -> GradStore {
    let nothing = Var::zeros((), DType::F32, device).unwrap();
    let mut store = nothing.sqr().unwrap().backward().unwrap();
    store.remove(&nothing);
    store.insert(&vars["matrix"], drawn("matrix", step, &[33, 7], device).t().unwrap());
    store.insert(&vars["vector"], drawn("vector", step, &[5], device));
    store
}

/// Performs the steps `from` to `to` with clipped gradients.
fn train(
    optimizer: &mut Optimizer,
    vars: &BTreeMap<String, Var>,
    steps: std::ops::RangeInclusive<u64>,
    device: &Device,
) {
    for step in steps {
        let mut gradients = gradients(vars, step, device);
        clip_gradients(vars, &mut gradients, 5.0).unwrap();
        optimizer.step(vars, &gradients, 0.01).unwrap();
    }
}

const RULES: [(Rule, f64); 6] = [
    (Rule::SGD, 0.0),
    (Rule::Sgd { momentum: 0.9 }, 0.1),
    (Rule::ADAM, 0.0),
    (Rule::ADAM, 0.1),
    (Rule::ADAM_W, 0.0),
    (Rule::ADAM_W, 0.1),
];

/// Tolerance: in each of eight steps a parameter below 2 is rounded twice on either device, each time by at most
/// 2⁻²⁴ of its size: 4·10⁻⁶ at worst, and half of that where roundings point in either direction. The roundings of
/// the update itself count a hundredth, the learning rate.
const STEPS: f64 = 2e-6;

#[test]
fn optimizers_step_as_on_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut largest = 0.0_f64;
    for (rule, decay) in RULES {
        let (here, there) = (parameters(&Device::Cpu), parameters(&gpu));
        let (mut cpu, mut cuda) = (Optimizer::new(rule, decay), Optimizer::new(rule, decay));
        train(&mut cpu, &here, 1..=8, &Device::Cpu);
        train(&mut cuda, &there, 1..=8, &gpu);
        for (name, want) in &here {
            let what = format!("{rule:?} {decay} {name}");
            assert_ne!(numbers(want), numbers(&parameters(&Device::Cpu)[name]), "{what}");
            largest = largest.max(hold(&what, &there[name], &numbers(want), STEPS));
        }
    }
    report("optimizers", largest, STEPS);
}

#[test]
fn state_of_an_optimizer_moves_between_devices() {
    let Some(gpu) = gpu() else { return };
    for (rule, decay) in RULES {
        let (here, there) = (parameters(&Device::Cpu), parameters(&gpu));
        let (mut cpu, mut cuda) = (Optimizer::new(rule, decay), Optimizer::new(rule, decay));
        train(&mut cpu, &here, 1..=4, &Device::Cpu);
        train(&mut cuda, &there, 1..=2, &gpu);
        for (name, var) in &here {
            there[name].set(&var.to_device(&gpu).unwrap()).unwrap();
        }
        cuda.restore(&there, &cpu.state().unwrap()).unwrap();
        train(&mut cpu, &here, 5..=8, &Device::Cpu);
        train(&mut cuda, &there, 5..=8, &gpu);
        for (name, want) in &here {
            hold(&format!("{rule:?} {decay} {name}"), &there[name], &numbers(want), STEPS);
        }
    }
}

/// The sum of 236 squares in single precision is off by at most 236 · 2⁻²⁴, and its root by half of that, 7·10⁻⁶.
#[test]
fn gradients_have_the_norm_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let norm = |device: &Device| {
        let vars = parameters(device);
        global_norm(&vars, &gradients(&vars, 1, device)).unwrap()
    };
    let (got, want) = (norm(&gpu), norm(&Device::Cpu));
    assert!((got / want - 1.0).abs() < 7e-6, "{got} {want}");
}
