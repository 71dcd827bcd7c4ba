//! Published files, and malformed files.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Tensor};
use serde_json::json;
use softmark_kit::pretrained::{Family, PretrainedConfig, PretrainedError, Weights};

use crate::sample::{bytes, config, config_json, published, weights};

fn read(
    tensors: &BTreeMap<String, Tensor>,
    config: &PretrainedConfig,
) -> Result<Weights, PretrainedError> {
    Weights::from_bytes(&bytes(tensors), config, &Device::Cpu)
}

fn same(a: &Weights, b: &Weights) -> bool {
    let numbers = |it: &Tensor| it.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    a.tensors().keys().eq(b.tensors().keys())
        && a.tensors().values().zip(b.tensors().values()).all(|(a, b)| numbers(a) == numbers(b))
}

#[test]
fn names_of_every_time_are_read() {
    for (family, whole) in [(Family::Bert, "bert."), (Family::DistilBert, "distilbert.")] {
        let config = config(family, "gelu");
        let usual = published(&config);
        let want = weights(&config);
        assert_eq!(want.tensors().len(), config.parameters().len());
        let older = |name: &str| match name.rsplit_once('.') {
            Some((module, kind)) if module.to_lowercase().contains("norm") => {
                format!("{module}.{}", if kind == "weight" { "gamma" } else { "beta" })
            }
            _ => name.to_owned(),
        };
        let mut renamed: BTreeMap<String, Tensor> = usual
            .iter()
            .map(|(name, it)| (format!("{whole}{}", older(name)), it.clone()))
            .collect();
        // Tensors that do not belong to the encoder are ignored.
        let other = Tensor::zeros((2, 2), DType::I64, &Device::Cpu).unwrap();
        renamed.insert("cls.predictions.bias".to_owned(), other.clone());
        renamed.insert(format!("{whole}embeddings.position_ids"), other);
        assert!(same(&read(&renamed, &config).unwrap(), &want), "{family:?}");
    }
}

#[test]
fn half_precision_becomes_single() {
    let config = config(Family::Bert, "gelu");
    let half = |(name, it): (String, Tensor)| (name, it.to_dtype(DType::F16).unwrap());
    let halves: BTreeMap<String, Tensor> = published(&config).into_iter().map(half).collect();
    let weights = read(&halves, &config).unwrap();
    assert!(weights.tensors().values().all(|it| it.dtype() == DType::F32));
    let name = "layers.1.self_attn.q_proj.weight";
    let there = halves["encoder.layer.1.attention.self.query.weight"].to_dtype(DType::F32).unwrap();
    let rows = |it: &Tensor| it.to_vec2::<f32>().unwrap();
    assert_eq!(rows(&weights.tensors()[name]), rows(&there));
}

#[test]
fn what_is_missing_or_misshapen_is_named() {
    let config = config(Family::Bert, "gelu");
    let whole = published(&config);
    let name = "encoder.layer.2.intermediate.dense.weight";
    let mut without = whole.clone();
    let taken = without.remove(name).unwrap();
    let error = read(&without, &config).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the weights have no `encoder.layer.2.intermediate.dense.weight` (in this project's names \
         `layers.2.feed_forward.linear1.weight`)"
    );
    let mut turned = whole.clone();
    turned.insert(name.to_owned(), taken.t().unwrap().contiguous().unwrap());
    let error = read(&turned, &config).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`layers.2.feed_forward.linear1.weight` is [24, 40], and by the config [40, 24]"
    );
    let mut doubled = whole;
    doubled.insert(format!("bert.{name}"), taken);
    let error = read(&doubled, &config).unwrap_err();
    assert!(matches!(error, PretrainedError::Twice { .. }), "{error}");
}

/// A file that is cut off or too long is rejected, whatever its header claims, and no memory is allocated for
/// claimed sizes.
#[test]
fn files_that_are_not_whole_are_refused() {
    let config = config(Family::DistilBert, "gelu");
    let whole = bytes(&published(&config));
    let refused = |bytes: &[u8]| {
        let error = Weights::from_bytes(bytes, &config, &Device::Cpu).unwrap_err();
        assert!(matches!(error, PretrainedError::Weights(_)), "{error}");
    };
    for end in [0, 1, 7, 8, 9, 100, whole.len() / 2, whole.len() - 1] {
        refused(&whole[..end]);
    }
    refused(&[whole.as_slice(), &[0]].concat());
    for length in [u64::MAX, u64::MAX - 8, 1 << 40, 99_999_999] {
        refused(&[&length.to_le_bytes(), &whole[8..]].concat());
    }
    let claims = |entry: &str| {
        let header = format!(r#"{{"embeddings.word_embeddings.weight":{entry}}}"#);
        let length = u64::try_from(header.len()).unwrap();
        [&length.to_le_bytes(), header.as_bytes(), &[0; 8]].concat()
    };
    let huge = u64::MAX / 2;
    for entry in [
        format!(r#"{{"dtype":"F32","shape":[{huge},{huge}],"data_offsets":[0,8]}}"#),
        format!(r#"{{"dtype":"F32","shape":[2],"data_offsets":[0,{huge}]}}"#),
        r#"{"dtype":"F32","shape":[2],"data_offsets":[8,0]}"#.to_owned(),
        r#"{"dtype":"F32","shape":[3],"data_offsets":[0,8]}"#.to_owned(),
        r#"{"dtype":"F99","shape":[2],"data_offsets":[0,8]}"#.to_owned(),
        "[".repeat(100_000),
    ] {
        refused(&claims(&entry));
    }
}

#[test]
fn configs_of_other_encoders_are_refused() {
    let changed = |family: Family, key: &str, value: serde_json::Value| {
        let mut json = config_json(family, "gelu");
        json[key] = value;
        PretrainedConfig::from_json(&json.to_string()).unwrap_err().to_string()
    };
    assert_eq!(
        changed(Family::Bert, "model_type", json!("roberta")),
        "the encoder's `model_type` is `roberta`; here it can be `bert` or `distilbert`"
    );
    assert_eq!(
        changed(Family::Bert, "position_embedding_type", json!("relative_key")),
        "the encoder's `position_embedding_type` is relative_key; here it can be absolute"
    );
    assert_eq!(
        changed(Family::DistilBert, "activation", json!("swish")),
        "the encoder's `activation` is `swish`; here it can be `gelu`, `gelu_new`, \
         `gelu_pytorch_tanh` or `relu`"
    );
    for (key, value) in [
        ("num_attention_heads", json!(5)),
        ("num_attention_heads", json!(0)),
        ("hidden_size", json!(u64::MAX)),
        ("hidden_size", json!(-1)),
        ("type_vocab_size", json!(0)),
        ("hidden_dropout_prob", json!(1.0)),
        ("layer_norm_eps", json!(0.0)),
        ("vocab_size", json!("many")),
    ] {
        let said = changed(Family::Bert, key, value.clone());
        assert!(said.starts_with("this is no config.json of a BERT"), "{key} {value}: {said}");
    }
    assert!(PretrainedConfig::from_json("{}").is_err());
    assert!(PretrainedConfig::from_json("").is_err());
}
