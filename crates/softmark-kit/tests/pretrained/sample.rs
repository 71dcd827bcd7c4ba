//! Small encoders with weights from streams, and batches of texts.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Tensor};
use serde_json::{Value, json};
use softmark_kit::pretrained::{Family, PretrainedConfig, Weights, published_name};
use softmark_kit::rng::Stream;

/// Returns the `config.json` of a small encoder.
pub(crate) fn config_json(family: Family, activation: &str) -> Value {
    match family {
        Family::Bert => json!({
            "model_type": "bert", "vocab_size": 23, "hidden_size": 24, "num_hidden_layers": 3,
            "num_attention_heads": 4, "intermediate_size": 40, "hidden_act": activation,
            "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
            "max_position_embeddings": 16, "type_vocab_size": 2, "initializer_range": 0.02,
            "layer_norm_eps": 1e-12, "pad_token_id": 0
        }),
        Family::DistilBert => json!({
            "model_type": "distilbert", "vocab_size": 23, "dim": 24, "n_layers": 3, "n_heads": 4,
            "hidden_dim": 40, "activation": activation, "dropout": 0.1, "attention_dropout": 0.1,
            "max_position_embeddings": 16, "initializer_range": 0.02, "pad_token_id": 0
        }),
    }
}

pub(crate) fn config(family: Family, activation: &str) -> PretrainedConfig {
    PretrainedConfig::from_json(&config_json(family, activation).to_string()).unwrap()
}

/// Returns weights by their published names; those of norms are near 1.
pub(crate) fn published(config: &PretrainedConfig) -> BTreeMap<String, Tensor> {
    let tensor = |(ours, shape): (String, Vec<usize>)| {
        let mut stream = Stream::derive(9, &ours, 0);
        let middle = if ours.contains("norm") && ours.ends_with("weight") { 1.0 } else { 0.0 };
        let count = shape.iter().product::<usize>();
        let numbers = (0..count).map(|_| middle + (stream.uniform() - 0.5) * 0.6);
        let tensor = Tensor::from_vec(numbers.collect(), shape, &Device::Cpu).unwrap();
        (published_name(config.family, &ours).unwrap(), tensor)
    };
    config.parameters().into_iter().map(tensor).collect()
}

/// Returns the bytes of a safetensors file.
pub(crate) fn bytes(tensors: &BTreeMap<String, Tensor>) -> Vec<u8> {
    safetensors::serialize(tensors, None).unwrap()
}

pub(crate) fn weights(config: &PretrainedConfig) -> Weights {
    weights_on(&Device::Cpu, config)
}

pub(crate) fn weights_on(device: &Device, config: &PretrainedConfig) -> Weights {
    Weights::from_bytes(&bytes(&published(config)), config, device).unwrap()
}

/// Returns ids and mask of three texts, with padding at the end of two and in the middle of one.
pub(crate) fn batch() -> (Tensor, Tensor) {
    let mut stream = Stream::derive(3, "ids", 0);
    let ids = (0..3 * 7).map(|_| u32::try_from(stream.below(23)).unwrap());
    let ids = Tensor::from_vec(ids.collect(), (3, 7), &Device::Cpu).unwrap();
    let mask = Tensor::new(
        &[[1_u8, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 0]],
        &Device::Cpu,
    );
    (ids, mask.unwrap())
}

/// Returns the largest difference between two tensors at the real tokens.
pub(crate) fn distance(a: &Tensor, b: &Tensor, mask: &Tensor) -> f64 {
    let mask = mask.to_dtype(DType::F64).unwrap().unsqueeze(2).unwrap();
    let [a, b] = [a, b].map(|it| it.to_dtype(DType::F64).unwrap());
    let away = (a - b).unwrap().abs().unwrap().broadcast_mul(&mask).unwrap();
    away.flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}
