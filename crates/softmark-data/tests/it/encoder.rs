//! The files of a small pretrained encoder.

use std::collections::BTreeMap;

use candle_core::{Device, Tensor};
use softmark_data::tokenize::{Case, word_piece};
use softmark_kit::pretrained::{PretrainedConfig, published_name};
use softmark_kit::rng::Stream;

/// Content of the encoder's `config.json`.
pub(crate) const CONFIG: &str = r#"{
    "model_type": "bert", "vocab_size": 8, "hidden_size": 12, "num_hidden_layers": 2,
    "num_attention_heads": 3, "intermediate_size": 16, "hidden_act": "gelu",
    "max_position_embeddings": 10, "type_vocab_size": 2
}"#;

/// Content of the encoder's `vocab.txt`.
pub(crate) const VOCABULARY: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nwhich\ncity\n?\n##ies\n";

fn weights() -> Vec<u8> {
    let config = PretrainedConfig::from_json(CONFIG).unwrap();
    let tensor = |(ours, shape): (String, Vec<usize>)| {
        let mut stream = Stream::derive(6, &ours, 0);
        let numbers = (0..shape.iter().product()).map(|_| stream.uniform());
        let tensor = Tensor::from_vec(numbers.collect::<Vec<f32>>(), shape, &Device::Cpu).unwrap();
        (published_name(config.family, &ours).unwrap(), tensor)
    };
    let all: BTreeMap<String, Tensor> = config.parameters().into_iter().map(tensor).collect();
    safetensors::serialize(&all, None).unwrap()
}

/// Returns all files of the encoder by name.
pub(crate) fn files() -> BTreeMap<&'static str, Vec<u8>> {
    let tokens = VOCABULARY.lines().map(str::to_owned).collect();
    let tokenizer = word_piece(tokens, Case::Lowered).unwrap().json().unwrap();
    BTreeMap::from([
        ("config.json", CONFIG.into()),
        ("model.safetensors", weights()),
        ("tokenizer.json", tokenizer.into()),
    ])
}
