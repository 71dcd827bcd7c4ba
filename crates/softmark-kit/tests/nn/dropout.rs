//! Dropout: the share of dropped elements, and reproducible masks.

use candle_core::{DType, Device, Tensor};
use softmark_kit::nn::attention::scaled_dot_product_attention;
use softmark_kit::nn::{Dropout, composed, dropout};

fn ones(n: usize) -> Tensor {
    Tensor::ones(n, DType::F32, &Device::Cpu).unwrap()
}

fn values(x: &Tensor) -> Vec<f32> {
    x.flatten_all().unwrap().to_vec1().unwrap()
}

#[test]
fn it_drops_as_much_as_it_says_and_keeps_the_mean() {
    for p in [0.1_f32, 0.5, 0.9] {
        dropout::begin_step(11, 0);
        let y = values(&Dropout::new(p).forward(&ones(1 << 20), true).unwrap());
        let dropped = y.iter().filter(|&&y| y == 0.0).count() as f64 / y.len() as f64;
        let mean = y.iter().map(|&y| f64::from(y)).sum::<f64>() / y.len() as f64;
        // Tolerance: five standard deviations of a million draws.
        assert!((dropped - f64::from(p)).abs() < 2.5e-3, "{p}: {dropped}");
        assert!((mean - 1.0).abs() < 2.5e-3 / (1.0 - f64::from(p)), "{p}: {mean}");
        let scale = 1.0 / (1.0 - p);
        assert!(y.iter().all(|&y| y == 0.0 || (y - scale).abs() < 1e-6));
    }
}

#[test]
fn a_mask_hangs_on_seed_step_and_call() {
    let draw = |seed, step, calls: usize| {
        dropout::begin_step(seed, step);
        let layer = Dropout::new(0.5);
        let mut drawn = (0..=calls).map(|_| values(&layer.forward(&ones(200), true).unwrap()));
        drawn.nth(calls).unwrap()
    };
    let first = draw(1, 1, 0);
    assert_eq!(first, draw(1, 1, 0));
    for other in [draw(2, 1, 0), draw(1, 2, 0), draw(1, 1, 1)] {
        assert_ne!(first, other);
    }
}

#[test]
fn it_counts_by_thread() {
    let draw = || {
        dropout::begin_step(1, 1);
        values(&Dropout::new(0.5).forward(&ones(200), true).unwrap())
    };
    let here = draw();
    let there = std::thread::scope(|scope| scope.spawn(draw).join().unwrap());
    assert_eq!(here, there);
}

#[test]
fn outside_of_training_and_at_zero_it_does_nothing() {
    let x = ones(50);
    for (p, train) in [(0.5, false), (0.0, true)] {
        assert_eq!(values(&Dropout::new(p).forward(&x, train).unwrap()), values(&x));
    }
}

#[test]
fn attention_drops_weights_only_while_training() {
    let x = Tensor::new(&[[[[0.1_f32, 0.2], [0.3, -0.4], [0.5, 0.6]]]], &Device::Cpu).unwrap();
    let attend = |p, train| {
        dropout::begin_step(4, 4);
        values(&scaled_dot_product_attention(&x, &x, &x, None, p, train).unwrap())
    };
    let plain = values(&composed::attention(&x, &x, &x, None).unwrap());
    for (got, want) in attend(0.5, false).iter().zip(&plain) {
        assert!((got - want).abs() < 1e-6);
    }
    assert_ne!(attend(0.5, true), attend(0.5, false));
    assert_eq!(attend(0.5, true), attend(0.5, true));
}

#[test]
fn other_types_get_the_same_mask() {
    let draw = |dtype| {
        dropout::begin_step(9, 9);
        let x = ones(20_000).to_dtype(dtype).unwrap();
        let y = Dropout::new(0.25).forward(&x, true).unwrap();
        values(&y.ne(0.0).unwrap().to_dtype(DType::F32).unwrap())
    };
    let fused = draw(DType::F32);
    assert_eq!(fused, draw(DType::F64));
    assert_eq!(fused, draw(DType::BF16), "composed");
}

#[test]
fn attention_of_other_types_gets_the_same_mask() {
    // With uniform weights and values of one, an output is the number of kept weights times a constant.
    let attend = |dtype| {
        dropout::begin_step(9, 9);
        let query = Tensor::zeros((2, 3, 5, 4), dtype, &Device::Cpu).unwrap();
        let value = Tensor::ones((2, 3, 33, 4), dtype, &Device::Cpu).unwrap();
        let key = value.zeros_like().unwrap();
        let y = scaled_dot_product_attention(&query, &key, &value, None, 0.5, true).unwrap();
        values(&(y.to_dtype(DType::F32).unwrap() * 16.5).unwrap().round().unwrap())
    };
    let fused = attend(DType::F32);
    assert_eq!(fused, attend(DType::F64));
    assert_eq!(fused, attend(DType::BF16), "composed");
    assert!(fused.iter().any(|kept| kept != &fused[0]));
}
