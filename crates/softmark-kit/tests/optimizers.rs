//! Optimizers step as PyTorch's do, in place, with the same result by kernel and by tensor operations.

#![expect(clippy::unwrap_used, reason = "a test's helpers")]

use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{DType, Device, Tensor, Var};
use proptest::prelude::*;
use softmark_kit::optim::{Optimizer, Rule, clip_gradients, global_norm};
use softmark_kit::rng::Stream;

const START: [f64; 5] = [0.5, -1.25, 2.0, -0.001, 3.0];

const GRADIENTS: [[f64; 5]; 4] = [
    [0.1, -0.2, 0.3, 1e-4, -5.0],
    [0.2, 0.1, -0.3, 0.0, 4.0],
    [-0.05, 0.0, 0.7, 2e-4, 1.0],
    [0.3, 0.3, 0.3, -1e-4, 0.5],
];

fn vars(of: &[(&str, &Var)]) -> BTreeMap<String, Var> {
    of.iter().map(|(name, var)| ((*name).to_owned(), (*var).clone())).collect()
}

/// Returns a store with exactly these gradients.
fn gradients(of: &[(&Var, Tensor)]) -> GradStore {
    let nothing = Var::zeros((), DType::F32, &Device::Cpu).unwrap();
    let mut store = nothing.sqr().unwrap().backward().unwrap();
    store.remove(&nothing);
    for (var, gradient) in of {
        store.insert(var, gradient.clone());
    }
    store
}

fn var(values: &[f64], dtype: DType) -> Var {
    Var::from_tensor(&Tensor::new(values, &Device::Cpu).unwrap().to_dtype(dtype).unwrap()).unwrap()
}

fn values(of: &Tensor) -> Vec<f64> {
    of.to_dtype(DType::F64).unwrap().flatten_all().unwrap().to_vec1().unwrap()
}

/// Returns the parameter after four steps.
fn stepped(rule: Rule, decay: f64, rate: f64, dtype: DType) -> Vec<f64> {
    let parameter = var(&START, dtype);
    let mut optimizer = Optimizer::new(rule, decay);
    for gradient in GRADIENTS {
        let gradient = Tensor::new(&gradient, &Device::Cpu).unwrap().to_dtype(dtype).unwrap();
        let store = gradients(&[(&parameter, gradient)]);
        optimizer.step(&vars(&[("p", &parameter)]), &store, rate).unwrap();
    }
    values(&parameter)
}

/// Compares four steps with those of `torch.optim.…` in `f64`, by the kernel (`f32`) and by tensor operations (`f64`).
///
/// The kernel rounds about ten times per step, each time by at most 2⁻²⁴ of 3, and there are four steps:
/// 8·10⁻⁶.
fn check(rule: Rule, decay: f64, rate: f64, want: [f64; 5]) {
    for (dtype, allowed) in [(DType::F32, 8e-6), (DType::F64, 1e-12)] {
        for (got, want) in stepped(rule, decay, rate, dtype).into_iter().zip(want) {
            assert!((got - want).abs() < allowed, "{rule:?} {dtype:?}: {got} for {want}");
        }
    }
}

#[test]
fn each_rule_steps_as_pytorch_does() {
    let descended = [
        0.443_067_948_010_500_03,
        -1.265_047_445_021_25,
        1.892_111_932_032_000_1,
        -0.001_015_956_025_990_999_9,
        2.937_419_087_502_999_3,
    ];
    check(Rule::SGD, 0.01, 0.1, descended);
    let with_momentum = [
        0.386_553_634_660_499_97,
        -1.227_168_525_146_25,
        1.797_286_405_631_999_7,
        -0.001_053_244_580_291,
        3.365_501_919_402_999_6,
    ];
    check(Rule::Sgd { momentum: 0.9 }, 0.01, 0.1, with_momentum);
    let adam = [
        0.332_960_695_784_217_6,
        -1.184_035_041_242_847_3,
        1.889_978_147_313_934_8,
        0.026_700_070_695_739_358,
        3.044_536_198_781_314,
    ];
    check(Rule::ADAM, 0.01, 0.05, adam);
    let decoupled = [
        0.326_036_487_018_871,
        -1.170_780_573_305_663_3,
        1.857_309_336_850_497_2,
        -0.141_482_555_258_226_78,
        2.985_426_677_977_293,
    ];
    check(Rule::ADAM_W, 0.1, 0.05, decoupled);
}

/// A parameter's buffer is changed in place: other handles to the tensor see the new numbers.
#[test]
fn a_step_is_in_place() {
    let parameter = var(&START, DType::F32);
    let held = parameter.as_tensor().clone();
    let store = gradients(&[(&parameter, Tensor::ones(5, DType::F32, &Device::Cpu).unwrap())]);
    let mut optimizer = Optimizer::new(Rule::ADAM, 0.0);
    optimizer.step(&vars(&[("p", &parameter)]), &store, 0.5).unwrap();
    // Adam's first step has the size of the learning rate, along the gradient's sign.
    let moved: Vec<f64> = START.iter().map(|x| x - 0.5).collect();
    assert!(values(&held).iter().zip(&moved).all(|(a, b)| (a - b).abs() < 1e-6));
}

#[test]
fn a_transposed_gradient_is_read_as_what_it_is() {
    let gradient = Tensor::new(&[[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]], &Device::Cpu).unwrap();
    for rule in [Rule::SGD, Rule::Sgd { momentum: 0.5 }, Rule::ADAM] {
        let step = |gradient: Tensor| {
            let parameter = Var::zeros((2, 3), DType::F32, &Device::Cpu).unwrap();
            let store = gradients(&[(&parameter, gradient)]);
            let mut optimizer = Optimizer::new(rule, 0.0);
            optimizer.step(&vars(&[("p", &parameter)]), &store, 0.1).unwrap();
            values(&parameter)
        };
        let copied = gradient.t().unwrap().contiguous().unwrap();
        assert_eq!(step(gradient.t().unwrap()), step(copied));
    }
}

#[test]
fn without_a_gradient_nothing_moves_and_a_wrong_shape_is_named() {
    let (one, two) = (var(&START, DType::F32), var(&START, DType::F32));
    let both = vars(&[("one", &one), ("two", &two)]);
    let ones = Tensor::ones(5, DType::F32, &Device::Cpu).unwrap();
    let mut optimizer = Optimizer::new(Rule::ADAM_W, 0.5);
    optimizer.step(&both, &gradients(&[(&one, ones)]), 0.1).unwrap();
    assert_eq!(values(&two), values(&var(&START, DType::F32)));
    assert_ne!(values(&one), values(&two));
    let state: Vec<String> = optimizer.state().unwrap().into_keys().collect();
    assert_eq!(state, ["moments/one", "steps/one"]);
    let wrong = Tensor::ones(4, DType::F32, &Device::Cpu).unwrap();
    let error = optimizer.step(&both, &gradients(&[(&two, wrong)]), 0.1).unwrap_err();
    assert_eq!(error.to_string(), "parameter `two` is [5], its gradient [4]");
}

#[test]
fn a_restored_optimizer_goes_on_to_the_same_bits() {
    for rule in [Rule::SGD, Rule::Sgd { momentum: 0.9 }, Rule::ADAM, Rule::ADAM_W] {
        let parameter = var(&START, DType::F32);
        let named = vars(&[("p", &parameter)]);
        let mut optimizer = Optimizer::new(rule, 0.01);
        for (i, gradient) in GRADIENTS.iter().enumerate() {
            if i == 2 {
                let state = optimizer.state().unwrap();
                optimizer = Optimizer::new(rule, 0.01);
                optimizer.restore(&named, &state).unwrap();
            }
            let gradient = Tensor::new(gradient, &Device::Cpu).unwrap();
            let store = gradients(&[(&parameter, gradient.to_dtype(DType::F32).unwrap())]);
            optimizer.step(&named, &store, 0.1).unwrap();
        }
        let rate = 0.1;
        assert_eq!(values(&parameter), stepped(rule, 0.01, rate, DType::F32), "{rule:?}");
    }
}

#[test]
fn a_state_that_does_not_fit_is_named() {
    let parameter = var(&START, DType::F32);
    let named = vars(&[("p", &parameter)]);
    let mut optimizer = Optimizer::new(Rule::ADAM, 0.0);
    let tensor = |shape: &[usize]| Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap();
    let mut error = |of: &[(&str, Tensor)]| {
        let state = of.iter().map(|(name, it)| ((*name).to_owned(), it.clone())).collect();
        optimizer.restore(&named, &state).unwrap_err().to_string()
    };
    let steps = Tensor::new(3_u32, &Device::Cpu).unwrap();
    let shape = error(&[("moments/p", tensor(&[1, 5])), ("steps/p", steps.clone())]);
    assert_eq!(shape, "`moments/p` is [1, 5], but should be [2, 5]");
    assert_eq!(error(&[("moments/p", tensor(&[2, 5]))]), "there is `moments/p`, but no `steps/p`");
    assert_eq!(error(&[("steps/p", steps.clone())]), "there is `steps/p`, but no `moments/p`");
    assert_eq!(error(&[("steps/q", steps)]), "`steps/q` is of no parameter of this model");
    assert_eq!(error(&[("velocity", tensor(&[1]))]), "`velocity` is no optimizer's");
}

#[test]
fn gradients_are_clipped_by_their_common_norm() {
    let (one, two) = (var(&[0.0, 0.0], DType::F32), var(&[0.0], DType::F32));
    let both = vars(&[("one", &one), ("two", &two)]);
    let mut store = gradients(&[
        (&one, Tensor::new(&[3.0_f32, 4.0], &Device::Cpu).unwrap()),
        (&two, Tensor::new(&[12.0_f32], &Device::Cpu).unwrap()),
    ]);
    // 3² + 4² + 12² = 13²; PyTorch's clip_grad_norm_ scales the gradients to 1.5, 2 and 6.
    assert_eq!(clip_gradients(&both, &mut store, 20.0).unwrap(), 13.0);
    assert_eq!(values(store.get(&one).unwrap()), [3.0, 4.0]);
    assert_eq!(clip_gradients(&both, &mut store, 6.5).unwrap(), 13.0);
    let clipped = [values(store.get(&one).unwrap()), values(store.get(&two).unwrap())].concat();
    assert!(clipped.iter().zip([1.5, 2.0, 6.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{clipped:?}");
    assert!((global_norm(&both, &store).unwrap() - 6.5).abs() < 1e-5);
}

proptest! {
    /// Scaling during the step equals scaling before it.
    #[test]
    fn a_scaled_step_is_a_step_with_scaled_gradients(
        seed: u64,
        size in 1_usize..70,
        rule in prop::sample::select(vec![
            Rule::SGD, Rule::Sgd { momentum: 0.9 }, Rule::ADAM, Rule::ADAM_W,
        ]),
    ) {
        let mut stream = Stream::derive(seed, "step", 0);
        let mut draw = || (0..size).map(|_| f64::from(stream.uniform()) - 0.5).collect::<Vec<_>>();
        let (start, gradient) = (draw(), draw());
        // A factor of one quarter is exact, so both ways give the same numbers.
        let step = |before: f64, on_the_way: f64| {
            let parameter = var(&start, DType::F32);
            let scaled = (var(&gradient, DType::F32).as_detached_tensor() * before).unwrap();
            let store = gradients(&[(&parameter, scaled)]);
            let mut optimizer = Optimizer::new(rule, 0.125);
            optimizer.step_scaled(&vars(&[("p", &parameter)]), &store, 0.1, on_the_way).unwrap();
            values(&parameter)
        };
        prop_assert_eq!(step(0.25, 1.0), step(1.0, 0.25));
    }

    /// Compares the kernel's sum, whose order has lanes and a remainder, with the plain sum.
    #[test]
    fn the_norm_is_the_root_of_the_sum_of_squares(seed: u64, sizes in prop::collection::vec(1_usize..70, 1..4)) {
        let mut stream = Stream::derive(seed, "norm", 0);
        let mut sum = 0.0_f64;
        let mut named = BTreeMap::new();
        let mut pairs = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let drawn: Vec<f64> = (0..*size).map(|_| f64::from(stream.uniform())).collect();
            sum += drawn.iter().map(|x| x * x).sum::<f64>();
            let parameter = var(&drawn, DType::F32);
            named.insert(i.to_string(), parameter.clone());
            pairs.push((parameter, var(&drawn, DType::F32).as_detached_tensor()));
        }
        let pairs: Vec<(&Var, Tensor)> = pairs.iter().map(|(var, it)| (var, it.clone())).collect();
        let norm = global_norm(&named, &gradients(&pairs)).unwrap();
        prop_assert!((norm - sum.sqrt()).abs() < 1e-12 * sum.sqrt());
    }
}
