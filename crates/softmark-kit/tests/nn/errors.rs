//! Invalid inputs are rejected, and the message names the cause.

use candle_core::{DType, Device, Module, Result, Tensor};
use softmark_kit::nn::attention::scaled_dot_product_attention;
use softmark_kit::nn::loss::{CrossEntropyOptions, cross_entropy, cross_entropy_with};
use softmark_kit::nn::{Dropout, Embedding, LayerNorm, Linear, ops, pooling};

fn zeros(shape: &[usize]) -> Tensor {
    Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap()
}

fn ids(ids: &[u32]) -> Tensor {
    Tensor::new(ids, &Device::Cpu).unwrap()
}

#[track_caller]
fn says(result: Result<Tensor>, words: &[&str]) {
    let message = result.unwrap_err().to_string();
    for word in words {
        assert!(message.contains(word), "{message:?} does not say {word:?}");
    }
}

#[test]
fn targets_and_ids_have_to_exist() {
    says(cross_entropy(&zeros(&[3, 4]), &ids(&[0, 4, 1])), &["row 1", "4 classes"]);
    says(cross_entropy(&zeros(&[3, 4]), &ids(&[0, 1])), &["[3, 4]", "[3]"]);
    says(cross_entropy(&zeros(&[3, 4, 2]), &ids(&[0, 1, 2])), &["[N, C]"]);
    let options = CrossEntropyOptions { label_smoothing: 1.0, ..Default::default() };
    says(cross_entropy_with(&zeros(&[1, 4]), &ids(&[0]), options), &["smoothing", "1"]);
    let table = Embedding::new(zeros(&[5, 2]), 2);
    says(table.forward(&ids(&[0, 5])), &["id 5", "5 rows"]);
}

#[test]
fn shapes_have_to_fit() {
    says(Linear::new(zeros(&[4, 3]), None).forward(&zeros(&[2, 4])), &["from 3 to 4", "[2, 4]"]);
    let norm = LayerNorm::new(zeros(&[3]), zeros(&[3]), 1e-5);
    says(norm.forward(&zeros(&[2, 4])), &["4 channels", "[3]"]);
    says(pooling::masked_mean(&zeros(&[2, 3, 4]), &zeros(&[2, 4])), &["[2, 3]", "[2, 4]"]);
    let attend = |query: &[usize], key: &[usize], mask: &[usize]| {
        let (query, key, mask) = (zeros(query), zeros(key), zeros(mask));
        scaled_dot_product_attention(&query, &key, &key, Some(&mask), 0.0, true)
    };
    says(attend(&[1, 2, 3, 4], &[1, 2, 5, 3], &[1, 1, 3, 5]), &["width", "[1, 2, 5, 3]"]);
    says(attend(&[1, 2, 3, 4], &[1, 2, 5, 4], &[1, 1, 5, 3]), &["mask", "[1, 1, 5, 3]"]);
}

#[test]
fn a_probability_is_below_one() {
    for p in [1.0, -0.1, f32::NAN] {
        says(Dropout::new(p).forward(&zeros(&[2]), true), &["probability"]);
    }
}

#[test]
fn there_has_to_be_such_an_axis() {
    assert!(ops::softmax(&zeros(&[2, 3]), 2).is_err());
    assert!(ops::softmax_last_dim(&zeros(&[])).is_err());
    assert!(ops::log_softmax(&zeros(&[]), 0).is_err());
}

#[test]
fn nothing_at_all_is_computed_as_nothing() {
    assert_eq!(ops::softmax(&zeros(&[0, 3]), 1).unwrap().dims(), [0, 3]);
    assert_eq!(ops::softmax(&zeros(&[3, 0]), 1).unwrap().dims(), [3, 0]);
    assert_eq!(ops::gelu(&zeros(&[0])).unwrap().dims(), [0]);
    assert_eq!(
        Linear::new(zeros(&[4, 3]), Some(zeros(&[4]))).forward(&zeros(&[0, 3])).unwrap().dims(),
        [0, 4]
    );
    let (query, key) = (zeros(&[1, 2, 3, 4]), zeros(&[1, 2, 0, 4]));
    let y = scaled_dot_product_attention(&query, &key, &key, None, 0.0, false).unwrap();
    assert_eq!(y.flatten_all().unwrap().to_vec1::<f32>().unwrap(), [0.0; 24]);
    let y = pooling::masked_max(&zeros(&[2, 0, 3]), &zeros(&[2, 0])).unwrap();
    assert_eq!(y.dims(), [2, 3]);
}

#[test]
fn a_loss_of_nothing_is_nothing() {
    let options = CrossEntropyOptions { ignore_index: Some(1), ..Default::default() };
    let loss = cross_entropy_with(&zeros(&[2, 3]), &ids(&[1, 1]), options).unwrap();
    assert_eq!(loss.to_scalar::<f32>().unwrap(), 0.0);
}

#[test]
fn layers_without_channels_are_empty() {
    let norm = LayerNorm::new(zeros(&[0]), zeros(&[0]), 1e-5);
    assert_eq!(norm.forward(&zeros(&[2, 0])).unwrap().dims(), [2, 0]);
    let layer = Linear::new(zeros(&[0, 3]), Some(zeros(&[0])));
    assert_eq!(layer.forward(&zeros(&[2, 3])).unwrap().dims(), [2, 0]);
    assert!(Linear::new(zeros(&[3, 0]), None).forward(&zeros(&[2, 0])).is_err());
}
