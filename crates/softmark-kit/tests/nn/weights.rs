//! The weights of attention alone.

use candle_core::{DType, Device, Tensor, Var};
use softmark_kit::nn::attention::{attention_weights, scaled_dot_product_attention};
use softmark_kit::nn::composed;
use softmark_kit::rng::Stream;

use crate::operation::cotangent;

fn drawn(name: &str, dims: &[usize]) -> Var {
    let mut stream = Stream::derive(7, name, 0);
    let values = (0..dims.iter().product()).map(|_| stream.uniform() * 4.0 - 2.0).collect();
    Var::from_tensor(&Tensor::from_vec::<_, f32>(values, dims, &Device::Cpu).unwrap()).unwrap()
}

/// Returns a mask `[2, 1, 5, 7]`: a text of four keys with a fully masked query, and one of seven keys.
fn mask() -> Tensor {
    let sees = |text: usize, query: usize, key: usize| text == 1 || (key < 4 && query != 3);
    let bits = (0..2 * 5 * 7).map(|at| u8::from(sees(at / 35, at / 7 % 5, at % 7)));
    Tensor::from_vec(bits.collect(), (2, 1, 5, 7), &Device::Cpu).unwrap()
}

fn farthest(a: &Tensor, b: &Tensor) -> f32 {
    assert_eq!(a.dims(), b.dims());
    let far = (a - b).unwrap().abs().unwrap();
    far.flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}

/// Tolerance: rounding of some twenty steps in single precision, of 1.2e-7 each at numbers up to 1. A weight
/// at the wrong key differs by at least 0.01.
const ROUNDING: f32 = 2.4e-6;

#[test]
fn they_are_those_of_the_composed_road_and_so_are_their_gradients() {
    let (query, key) = (drawn("query", &[2, 3, 5, 4]), drawn("key", &[2, 3, 7, 4]));
    for mask in [None, Some(mask())] {
        let fused = attention_weights(&query, &key, mask.as_ref()).unwrap();
        let composed = composed::attention_weights(&query, &key, mask.as_ref()).unwrap();
        assert!(farthest(&fused, &composed) < ROUNDING);
        let gradients = [&fused, &composed].map(|weights| {
            let sum = (weights * cotangent(weights)).unwrap().sum_all().unwrap();
            let store = sum.backward().unwrap();
            [&query, &key].map(|var| store.get(var).unwrap().clone())
        });
        let [fused, composed] = gradients;
        for (fused, composed) in fused.iter().zip(&composed) {
            assert!(farthest(fused, composed) < 10.0 * ROUNDING);
        }
    }
}

#[test]
fn a_row_is_a_share_and_one_that_sees_nothing_is_zero() {
    let (query, key) = (drawn("query", &[2, 3, 5, 4]), drawn("key", &[2, 3, 7, 4]));
    let weights = attention_weights(&query, &key, Some(&mask())).unwrap();
    let sums = weights.sum(3).unwrap().to_vec3::<f32>().unwrap();
    for (text, heads) in sums.iter().enumerate() {
        for (query, sum) in heads.iter().flat_map(|sums| sums.iter().enumerate()) {
            let share = if text == 0 && query == 3 { 0.0 } else { 1.0 };
            assert!((sum - share).abs() < ROUNDING, "text {text}, query {query}: {sum}");
        }
    }
    let hidden = weights.narrow(0, 0, 1).unwrap().narrow(3, 4, 3).unwrap();
    assert_eq!(hidden.sum_all().unwrap().to_scalar::<f32>().unwrap(), 0.0);
}

#[test]
fn values_mixed_by_them_are_what_attention_gives() {
    let (query, key) = (drawn("query", &[2, 3, 5, 4]), drawn("key", &[2, 3, 7, 4]));
    let value = drawn("value", &[2, 3, 7, 6]);
    let mask = mask();
    let mixed = attention_weights(&query, &key, Some(&mask)).unwrap().matmul(&value).unwrap();
    let whole = scaled_dot_product_attention(&query, &key, &value, Some(&mask), 0.0, false);
    assert!(farthest(&mixed, &whole.unwrap()) < 10.0 * ROUNDING);
    let double = query.to_dtype(DType::F64).unwrap();
    assert!(attention_weights(&double, &double, None).is_ok());
}
