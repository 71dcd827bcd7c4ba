//! Agreement with the forward pass of `candle-transformers` on the same weights.

use candle_core::{DType, Device, Tensor};
use candle_nn::VarBuilder;
use candle_transformers::models::{bert, distilbert};
use serde_json::Value;
use softmark_kit::pretrained::{Family, PretrainedEncoder};

use crate::sample::{batch, config, config_json, distance, published, weights};

/// Tolerance: outputs are normalized, so they are near 1, and three layers round some hundred times, each by
/// up to 6e-8.
const NEAR: f64 = 1e-5;

fn ours(family: Family, activation: &str) -> Tensor {
    let config = config(family, activation);
    let encoder = PretrainedEncoder::new(config, weights(&config).builder()).unwrap();
    let (ids, mask) = batch();
    encoder.forward(&ids, &mask, false).unwrap()
}

fn theirs(family: Family, activation: &str, json: &Value) -> Tensor {
    let config = config(family, activation);
    let vb = VarBuilder::from_tensors(
        published(&config).into_iter().collect(),
        DType::F32,
        &Device::Cpu,
    );
    let (ids, mask) = batch();
    match family {
        Family::Bert => {
            let config = serde_json::from_value(json.clone()).unwrap();
            let model = bert::BertModel::load(vb, &config).unwrap();
            model.forward(&ids, &ids.zeros_like().unwrap(), Some(&mask)).unwrap()
        }
        Family::DistilBert => {
            let config = serde_json::from_value(json.clone()).unwrap();
            let model = distilbert::DistilBertModel::load(vb, &config).unwrap();
            // `candle-transformers` uses 1 for masked keys.
            let hidden = mask.eq(0_u8).unwrap().reshape((3, 1, 1, 7)).unwrap();
            model.forward(&ids, &hidden).unwrap()
        }
    }
}

#[test]
fn both_families_agree_with_candle_transformers() {
    let (_, mask) = batch();
    for (family, activation) in
        [(Family::Bert, "gelu"), (Family::Bert, "relu"), (Family::DistilBert, "relu")]
    {
        let theirs = theirs(family, activation, &config_json(family, activation));
        let away = distance(&ours(family, activation), &theirs, &mask);
        assert!(away < NEAR, "{family:?} {activation}: {away}");
    }
}

/// candle-transformers computes `DistilBERT`'s `gelu` by a hyperbolic tangent, which `transformers` calls
/// `gelu_new`; the kit gives each name its meaning in `transformers`.
#[test]
fn gelu_is_the_exact_one() {
    let (_, mask) = batch();
    let family = Family::DistilBert;
    let theirs = theirs(family, "gelu", &config_json(family, "gelu"));
    let by_name = distance(&ours(family, "gelu"), &theirs, &mask);
    let by_tangent = distance(&ours(family, "gelu_new"), &theirs, &mask);
    assert!(by_tangent < NEAR, "{by_tangent}");
    assert!(by_name > NEAR, "{by_name}: the two can be told apart");
}

/// Guards the other tests: an encoder that ignores its mask or its positions would agree with itself.
#[test]
fn masks_and_positions_matter() {
    let (ids, mask) = batch();
    let config = config(Family::Bert, "gelu");
    let encoder = PretrainedEncoder::new(config, weights(&config).builder()).unwrap();
    let whole = encoder.forward(&ids, &mask, false).unwrap();
    let open = encoder.forward(&ids, &mask.ones_like().unwrap(), false).unwrap();
    assert!(distance(&whole, &open, &mask) > 1e-3);
    let turned = Tensor::cat(&[&ids.narrow(1, 1, 6).unwrap(), &ids.narrow(1, 0, 1).unwrap()], 1);
    let turned = encoder.forward(&turned.unwrap(), &mask.ones_like().unwrap(), false).unwrap();
    let back =
        Tensor::cat(&[&turned.narrow(1, 6, 1).unwrap(), &turned.narrow(1, 0, 6).unwrap()], 1);
    assert!(distance(&open, &back.unwrap(), &mask) > 1e-3);
}
