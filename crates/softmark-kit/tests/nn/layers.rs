//! Construction of the layers: names and shapes of parameters, and agreement with candle-nn.

use std::collections::BTreeMap;

use candle_core::{DType, Device, IndexOp, Module, Tensor, Var};
use candle_nn::VarBuilder;
use softmark_kit::nn::attention::{attention_side_by_side, scaled_dot_product_attention};
use softmark_kit::nn::{Activation, LayerNormConfig, dropout, ops};
use softmark_kit::nn::{embedding, embedding_with_padding, layer_norm, layer_norm_no_bias};
use softmark_kit::nn::{linear, linear_b, linear_no_bias};
use softmark_kit::rng::Stream;

fn drawn(shape: &[usize], name: &str) -> Tensor {
    let mut stream = Stream::derive(8, name, 0);
    let values: Vec<f32> =
        (0..shape.iter().product()).map(|_| stream.uniform() * 2.0 - 1.0).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn builder(named: &[(&str, &[usize])]) -> VarBuilder<'static> {
    let tensors = named.iter().map(|(name, shape)| ((*name).to_owned(), drawn(shape, name)));
    VarBuilder::from_tensors(tensors.collect(), DType::F32, &Device::Cpu)
}

fn values(x: &Tensor) -> Vec<f32> {
    x.flatten_all().unwrap().to_vec1().unwrap()
}

#[track_caller]
fn close(got: &Tensor, want: &Tensor) {
    assert_eq!(got.dims(), want.dims());
    for (got, want) in values(got).iter().zip(values(want)) {
        assert!((got - want).abs() < 2e-6, "{got} {want}");
    }
}

#[test]
fn they_are_candle_nns_layers() {
    let x = drawn(&[3, 5, 4], "x");
    let vb = builder(&[("weight", &[6, 4]), ("bias", &[6])]);
    let ours = linear(4, 6, vb.clone()).unwrap().forward(&x).unwrap();
    close(&ours, &candle_nn::linear(4, 6, vb.clone()).unwrap().forward(&x).unwrap());
    let ours = linear_no_bias(4, 6, vb.clone()).unwrap().forward(&x).unwrap();
    close(&ours, &candle_nn::linear_no_bias(4, 6, vb.clone()).unwrap().forward(&x).unwrap());
    assert!(linear_b(4, 6, false, vb).unwrap().bias().is_none());

    let vb = builder(&[("weight", &[4]), ("bias", &[4])]);
    let ours = layer_norm(4, 1e-5, vb.clone()).unwrap().forward(&x).unwrap();
    close(&ours, &candle_nn::layer_norm(4, 1e-5, vb.clone()).unwrap().forward(&x).unwrap());
    let config = LayerNormConfig { remove_mean: false, affine: false, eps: 1e-3 };
    let ours = layer_norm(4, config, vb.clone()).unwrap().forward(&x).unwrap();
    close(&ours, &candle_nn::layer_norm(4, config, vb.clone()).unwrap().forward(&x).unwrap());
    let ours = layer_norm_no_bias(4, 1e-5, vb.clone()).unwrap().forward(&x).unwrap();
    close(&ours, &candle_nn::layer_norm_no_bias(4, 1e-5, vb).unwrap().forward(&x).unwrap());

    let ids = Tensor::new(&[[0_u32, 4], [2, 2]], &Device::Cpu).unwrap();
    let vb = builder(&[("weight", &[5, 3])]);
    let ours = embedding(5, 3, vb.clone()).unwrap().forward(&ids).unwrap();
    close(&ours, &candle_nn::embedding(5, 3, vb.clone()).unwrap().forward(&ids).unwrap());
    let padded = embedding_with_padding(5, 3, 2, vb).unwrap().forward(&ids).unwrap();
    assert_eq!(values(&padded)[6..], [0.0; 6]);
    assert_eq!(values(&padded)[..6], values(&ours)[..6]);
}

#[test]
fn older_names_of_a_layer_norm_are_found() {
    let vb = builder(&[("gamma", &[4]), ("beta", &[4])]);
    let layer = layer_norm(4, 1e-5, vb.clone()).unwrap();
    assert_eq!(values(layer.weight()), values(&vb.get(4, "gamma").unwrap()));
    assert_eq!(values(layer.bias().unwrap()), values(&vb.get(4, "beta").unwrap()));
}

#[test]
fn activations_are_candle_nns() {
    let x = (drawn(&[200], "x") * 6.0).unwrap();
    let pairs = [
        (Activation::Gelu, candle_nn::Activation::Gelu),
        (Activation::NewGelu, candle_nn::Activation::NewGelu),
        (Activation::GeluPytorchTanh, candle_nn::Activation::GeluPytorchTanh),
        (Activation::Relu, candle_nn::Activation::Relu),
        (Activation::Silu, candle_nn::Activation::Silu),
        (Activation::Sigmoid, candle_nn::Activation::Sigmoid),
    ];
    for (ours, theirs) in pairs {
        close(&ours.forward(&x).unwrap(), &theirs.forward(&x).unwrap());
    }
}

#[test]
fn views_give_what_copies_give() {
    let x = drawn(&[4, 6, 5], "x");
    let vb = builder(&[("weight", &[3, 6]), ("bias", &[3])]);
    let layer = linear(6, 3, vb).unwrap();
    let view = x.transpose(1, 2).unwrap();
    close(&layer.forward(&view).unwrap(), &layer.forward(&view.contiguous().unwrap()).unwrap());
    let part = x.i((1..3, .., 1..4)).unwrap();
    let whole = part.contiguous().unwrap();
    close(&ops::softmax(&part, 2).unwrap(), &ops::softmax(&whole, 2).unwrap());
    close(&ops::softmax(&part, 0).unwrap(), &candle_nn::ops::softmax(&whole, 0).unwrap());
    close(&ops::gelu(&part).unwrap(), &ops::gelu(&whole).unwrap());
    let heads = drawn(&[2, 7, 3, 4], "heads");
    let view = heads.transpose(1, 2).unwrap(); // rows in one piece
    let odd = heads.permute((0, 3, 2, 1)).unwrap(); // rows that are not
    for view in [view, odd] {
        let whole = view.contiguous().unwrap();
        let got = scaled_dot_product_attention(&view, &view, &view, None, 0.0, false).unwrap();
        let want = scaled_dot_product_attention(&whole, &whole, &whole, None, 0.0, false).unwrap();
        assert_eq!(values(&got), values(&want));
    }
}

#[test]
fn what_is_masked_changes_not_a_bit() {
    let (query, key) = (drawn(&[1, 2, 5, 4], "query"), drawn(&[1, 2, 6, 4], "key"));
    let mask = Tensor::new(&[1_u8, 0, 1, 1, 0, 1], &Device::Cpu).unwrap();
    let seen = mask.broadcast_as((1, 2, 6)).unwrap().unsqueeze(3).unwrap();
    let seen = seen.broadcast_as(key.shape()).unwrap();
    let other = seen.where_cond(&key, &(&key * 1e4).unwrap()).unwrap();
    let mask = mask.broadcast_as((1, 1, 5, 6)).unwrap();
    let attend = |key: &Tensor| {
        values(&scaled_dot_product_attention(&query, key, key, Some(&mask), 0.0, false).unwrap())
    };
    assert_eq!(attend(&key), attend(&other));
}

#[test]
fn what_does_not_learn_gets_no_gradient() {
    let frozen = drawn(&[3, 4], "weight");
    let x = Var::from_tensor(&drawn(&[2, 4], "x")).unwrap();
    let layer = softmark_kit::nn::Linear::new(frozen.clone(), Some(drawn(&[3], "bias")));
    let grads = layer.forward(&x).unwrap().sum_all().unwrap().backward().unwrap();
    assert!(grads.get(&frozen).is_none());
    assert!(grads.get(&x).is_some());
    let learning: BTreeMap<&str, Var> =
        [("weight", Var::from_tensor(&frozen).unwrap())].into_iter().collect();
    let layer = softmark_kit::nn::Linear::new(learning["weight"].as_tensor().clone(), None);
    let grads = layer.forward(&x.detach()).unwrap().sum_all().unwrap().backward().unwrap();
    assert!(grads.get(&learning["weight"]).is_some());
}

#[test]
fn heads_side_by_side_are_heads_that_were_split() {
    let [query, key, value] =
        [("query", 5), ("key", 7), ("value", 7)].map(|(name, t)| drawn(&[2, t, 12], name));
    let split = |x: &Tensor| x.reshape((2, (), 3, 4)).unwrap().transpose(1, 2).unwrap();
    dropout::begin_step(2, 2);
    let (q, k, v) = (split(&query), split(&key), split(&value));
    let apart = scaled_dot_product_attention(&q, &k, &v, None, 0.4, true).unwrap();
    let apart = apart.transpose(1, 2).unwrap().reshape((2, 5, 12)).unwrap();
    dropout::begin_step(2, 2);
    let beside = attention_side_by_side(&query, &key, &value, 3, None, Some(0.4)).unwrap();
    assert_eq!(values(&beside), values(&apart));
    let [query, key, value] = [query, key, value].map(|x| x.to_dtype(DType::BF16).unwrap());
    dropout::begin_step(2, 2);
    let composed = attention_side_by_side(&query, &key, &value, 3, None, Some(0.4)).unwrap();
    for (got, want) in values(&composed.to_dtype(DType::F32).unwrap()).iter().zip(values(&beside)) {
        assert!((got - want).abs() < 0.05, "{got} {want}");
    }
    assert!(attention_side_by_side(&query, &key, &value, 5, None, None).is_err());
}
