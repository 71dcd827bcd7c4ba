//! Pretrained encoders: from a folder, from the Hub, and built in.

use std::fs;
use std::path::Path;

use candle_core::{Device, Tensor};
use softmark_data::pretrained::{LoadError, Pretrained, builtin, read};
use softmark_kit::data::{corpus, questions};
use softmark_kit::pretrained::PretrainedEncoder;

use crate::encoder::{VOCABULARY, files};

pub(crate) fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files() {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn from(folder: &Path) -> Result<Pretrained, LoadError> {
    read(folder, &Device::Cpu)
}

/// Returns an encoder's output for a question.
pub(crate) fn encoded(pretrained: &Pretrained, text: &str) -> Vec<Vec<f32>> {
    let ids = pretrained.tokenizer.encode(text).unwrap();
    let ids = Tensor::new(vec![ids], &Device::Cpu).unwrap();
    let encoder = PretrainedEncoder::new(pretrained.config, pretrained.weights.builder()).unwrap();
    let output = encoder.forward(&ids, &ids.ones_like().unwrap(), false).unwrap();
    output.get(0).unwrap().to_vec2().unwrap()
}

#[test]
fn a_folder_is_read_with_either_tokenizer() {
    let folder = folder();
    let by_json = from(folder.path()).unwrap();
    assert_eq!(by_json.tokenizer.encode("Which cities?").unwrap(), [2, 4, 1, 6, 3]);
    assert_eq!(by_json.tokenizer.encode("cityies").unwrap(), [2, 5, 7, 3]);
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    fs::write(folder.path().join("vocab.txt"), VOCABULARY).unwrap();
    let by_list = from(folder.path()).unwrap();
    assert_eq!(encoded(&by_json, "Which city?"), encoded(&by_list, "Which city?"));
    fs::write(folder.path().join("tokenizer_config.json"), r#"{"do_lower_case": false}"#).unwrap();
    let as_written = from(folder.path()).unwrap();
    assert_eq!(as_written.tokenizer.encode("Which which").unwrap(), [2, 1, 4, 3]);
}

#[test]
fn a_folder_that_is_no_encoder_says_which_file_is_to_blame() {
    let said = |file: &str, bytes: Option<&[u8]>| {
        let folder = folder();
        let path = folder.path().join(file);
        match bytes {
            Some(bytes) => fs::write(&path, bytes).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let error = from(folder.path()).unwrap_err();
        assert!(error.to_string().contains(file), "{error}");
        error
    };
    said("config.json", None);
    said("config.json", Some(b"{}"));
    let gone = said("model.safetensors", None).to_string();
    assert!(gone.contains("model.safetensors: it cannot be read: No such file"), "{gone}");
    let whole = files()["model.safetensors"].clone();
    let cut = said("model.safetensors", Some(&whole[..whole.len() - 1]));
    assert!(cut.to_string().contains("cut off"), "{cut}");
    said("tokenizer.json", Some(b"{"));
    let folder = folder();
    fs::remove_file(folder.path().join("tokenizer.json")).unwrap();
    let longer = format!("{VOCABULARY}one\n");
    fs::write(folder.path().join("vocab.txt"), longer).unwrap();
    let error = from(folder.path()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tokenizer has 9 tokens and the encoder rows for 8; are the files of one model?"
    );
}

/// The built-in encoder knows every word of the built-in texts, under the same id as the kit's own
/// vocabulary.
#[test]
fn the_built_in_encoder_knows_the_built_in_words() {
    let pretrained = builtin(&Device::Cpu).unwrap();
    let vocabulary = corpus::vocabulary();
    let end = u32::try_from(vocabulary.len()).unwrap();
    assert_eq!(pretrained.config.vocabulary, vocabulary.len() + 3);
    for question in questions::generate(7, 300) {
        let ids = pretrained.tokenizer.encode(&question.text).unwrap();
        assert_eq!(ids, [vec![end], vocabulary.encode(&question.text), vec![end + 1]].concat());
        assert!(!ids.contains(&pretrained.tokenizer.unknown()));
    }
    assert_eq!(encoded(&pretrained, "which city ?").len(), 5);
}
