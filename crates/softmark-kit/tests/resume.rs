//! A training that was interrupted ends with the same bits, and a checkpoint that does not match is rejected.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test's helpers")]

use std::fs;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use proptest::prelude::*;
use serde_json::json;
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::checkpoint::{Checkpoint, TensorFile, load_weights, save_weights};
use softmark_kit::train::{Examples, History, Limits, Recipe, TrainError, Trainer};
use support::{bits, examples, tiny};
use tempfile::TempDir;

mod support;

fn recipe(optimizer: Rule) -> Recipe {
    Recipe {
        epochs: 6,
        batch_size: 16,
        optimizer,
        learning_rate: 0.02,
        weight_decay: 0.01,
        schedule: Schedule::cosine(0.2),
        clip_norm: Some(0.8),
        label_smoothing: 0.1,
        patience: Some(5),
        seed: 11,
        ..Recipe::default()
    }
}

fn checkpoint(folder: &TempDir) -> PathBuf {
    folder.path().join("checkpoint.safetensors")
}

type Bits = std::collections::BTreeMap<String, Vec<u32>>;

/// Trains a fresh model on 50 examples, four steps per epoch, with dropout; if `resume`, from the checkpoint at `path`.
fn train(recipe: &Recipe, path: &Path, resume: bool) -> Result<(Bits, History), TrainError> {
    let (parameters, model) = tiny(1, 8, 0.2);
    let vars = parameters.vars();
    let mut trainer = Trainer::new(&model, &vars, recipe).checkpoints(path, 3);
    if resume {
        trainer = trainer.resume();
    }
    let history = trainer.fit(&examples(50, 1), Some(&examples(30, 2)), &mut ())?;
    Ok((bits(&vars), history))
}

fn limited(recipe: &Recipe, steps: u64) -> Recipe {
    Recipe { limits: Limits { steps: Some(steps), ..Limits::default() }, ..recipe.clone() }
}

#[test]
fn an_interrupted_training_ends_with_the_same_bits() {
    for optimizer in [Rule::ADAM_W, Rule::ADAM, Rule::Sgd { momentum: 0.9 }, Rule::SGD] {
        let recipe = recipe(optimizer);
        let folder = TempDir::new().unwrap();
        let whole = train(&recipe, &checkpoint(&folder), false).unwrap();
        // Interrupted within an epoch, at its end, at the first step, and several times.
        for stops in [vec![6], vec![8], vec![1], vec![0, 3, 4, 13, 23]] {
            let folder = TempDir::new().unwrap();
            for &stop in &stops {
                let error = train(&limited(&recipe, stop), &checkpoint(&folder), true).unwrap_err();
                assert!(matches!(error, TrainError::Steps { .. }), "{error}");
            }
            let resumed = train(&recipe, &checkpoint(&folder), true).unwrap();
            assert_eq!(resumed.0, whole.0, "{optimizer:?} {stops:?}");
            assert_eq!(resumed.1, whole.1, "{optimizer:?} {stops:?}");
        }
    }
}

/// A killed process cannot write: the checkpoint is the last one that was due.
#[test]
fn a_training_goes_on_from_an_earlier_checkpoint() {
    let recipe = recipe(Rule::ADAM);
    let folder = TempDir::new().unwrap();
    let whole = train(&recipe, &checkpoint(&folder), false).unwrap();
    let killed = TempDir::new().unwrap();
    train(&limited(&recipe, 9), &checkpoint(&killed), true).unwrap_err();
    let at_nine = fs::read(checkpoint(&killed)).unwrap();
    train(&limited(&recipe, 17), &checkpoint(&killed), true).unwrap_err();
    fs::write(checkpoint(&killed), at_nine).unwrap();
    assert_eq!(train(&recipe, &checkpoint(&killed), true).unwrap(), whole);
}

#[test]
fn a_finished_training_is_not_begun_again() {
    let recipe = recipe(Rule::ADAM);
    let folder = TempDir::new().unwrap();
    let whole = train(&recipe, &checkpoint(&folder), false).unwrap();
    let no_steps = limited(&recipe, 0);
    assert_eq!(train(&no_steps, &checkpoint(&folder), true).unwrap(), whole);
}

#[test]
fn two_checkpoints_of_the_same_training_are_the_same_bytes() {
    let recipe = recipe(Rule::ADAM);
    let write = || {
        let folder = TempDir::new().unwrap();
        train(&recipe, &checkpoint(&folder), false).unwrap();
        let names = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["checkpoint.safetensors"], "no litter");
        fs::read(checkpoint(&folder)).unwrap()
    };
    assert!(write() == write());
}

#[test]
fn a_checkpoint_says_where_it_stands() {
    let folder = TempDir::new().unwrap();
    let recipe = recipe(Rule::ADAM);
    train(&limited(&recipe, 10), &checkpoint(&folder), false).unwrap_err();
    let file = TensorFile::read(&checkpoint(&folder), &Device::Cpu).unwrap();
    let entry = |key: &str| file.metadata.get(key).unwrap().clone();
    assert_eq!(
        [entry("format_version"), entry("step"), entry("epoch")],
        [json!(1), json!(10), json!(2)]
    );
    let there = Checkpoint::read(&checkpoint(&folder), &Device::Cpu).unwrap();
    let best = there.history.best(recipe.monitor).unwrap().validation_accuracy;
    assert_eq!(entry("best_score").as_f64(), best);
    let written: serde_json::Value =
        serde_json::from_str(entry("recipe").as_str().unwrap()).unwrap();
    assert_eq!(written["optimizer"]["rule"], "adam");
    assert_eq!(written["seed"], 11);
}

/// Returns a checkpoint of ten steps, for tests to damage.
fn ten_steps() -> (TempDir, Recipe) {
    let folder = TempDir::new().unwrap();
    let recipe = recipe(Rule::ADAM);
    train(&limited(&recipe, 10), &checkpoint(&folder), false).unwrap_err();
    (folder, recipe)
}

/// Returns the error of resuming from a changed file; the model must be unchanged.
fn changed(change: impl FnOnce(&mut TensorFile)) -> String {
    let (folder, recipe) = ten_steps();
    let path = checkpoint(&folder);
    let mut file = TensorFile::read(&path, &Device::Cpu).unwrap();
    change(&mut file);
    file.write().unwrap();
    let (parameters, model) = tiny(1, 8, 0.2);
    let vars = parameters.vars();
    let before = bits(&vars);
    let trainer = Trainer::new(&model, &vars, &recipe).checkpoints(&path, 3).resume();
    let error = trainer.fit(&examples(50, 1), Some(&examples(30, 2)), &mut ()).unwrap_err();
    assert_eq!(bits(&vars), before, "{error}");
    let text = error.to_string();
    text.strip_prefix(&format!("{}: ", path.display())).expect("the error names the file").into()
}

#[test]
fn a_checkpoint_that_does_not_fit_is_named() {
    let zeros = |shape: &[usize]| Tensor::zeros(shape, DType::F32, &Device::Cpu).unwrap();
    let lacking = changed(|it| drop(it.tensors.remove("weights/q_proj.weight")));
    assert!(
        lacking.starts_with("the parameter `q_proj.weight` is missing; there are: c"),
        "{lacking}"
    );
    let alien = changed(|it| drop(it.tensors.insert("weights/w_query".into(), zeros(&[2]))));
    assert!(alien.starts_with("the model has no parameter `w_query`"), "{alien}");
    let shape = changed(|it| drop(it.tensors.insert("weights/v_proj.weight".into(), zeros(&[8]))));
    assert_eq!(shape, "`v_proj.weight` is [8] f32, but the model's is [8, 8] f32");
    let best = changed(|it| drop(it.tensors.remove("best/q_proj.weight")));
    assert!(best.starts_with("the parameter `best/q_proj.weight` is missing"), "{best}");
    let moments = changed(|it| drop(it.tensors.remove("optimizer/moments/classifier.bias")));
    assert!(moments.starts_with("there is `steps/classifier.bias`, but no"), "{moments}");
    let other = changed(|it| drop(it.tensors.insert("surprise".into(), zeros(&[1]))));
    assert!(other.starts_with("the model has no parameter `surprise`"), "{other}");
    let history = changed(|it| drop(it.tensors.insert("history/steps".into(), zeros(&[1, 7]))));
    assert!(history.starts_with("`history/steps` should be [n, 7] in f64"), "{history}");
    let version = changed(|it| it.metadata["format_version"] = json!(2));
    assert_eq!(version, "this checkpoint has format version 2; this program reads 1");
    let weights = changed(|it| it.metadata = json!({}));
    assert_eq!(weights, "these are weights, but no checkpoint of a training");
}

#[test]
fn a_checkpoint_of_another_training_says_what_differs() {
    let (folder, recipe) = ten_steps();
    let resumed =
        |recipe: &Recipe| train(recipe, &checkpoint(&folder), true).unwrap_err().to_string();
    let seed = resumed(&Recipe { seed: 12, ..recipe });
    assert!(seed.contains("the recipe's seed differs (there 11, here 12)"), "{seed}");
    let rate = resumed(&Recipe { learning_rate: 0.03, ..recipe });
    assert!(rate.contains("learning_rate differs (there 0.02, here 0.03)"), "{rate}");
    let (parameters, model) = tiny(1, 8, 0.2);
    let vars = parameters.vars();
    let trainer =
        Trainer::new(&model, &vars, &recipe).checkpoints(&checkpoint(&folder), 3).resume();
    let error = trainer.fit(&examples(50, 9), None, &mut ()).unwrap_err().to_string();
    assert!(error.contains("the training data differs"), "{error}");
    let nothing = Examples { ids: vec![vec![1]], labels: vec![0] };
    assert!(trainer.fit(&nothing, None, &mut ()).is_err());
}

#[test]
fn weights_alone_are_saved_and_loaded_by_name() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("weights.safetensors");
    let (saved, _) = tiny(1, 8, 0.0);
    save_weights(&path, &saved.vars(), &json!({ "d_model": 8 })).unwrap();
    let (loaded, _) = tiny(2, 8, 0.0);
    assert_ne!(bits(&saved.vars()), bits(&loaded.vars()));
    assert_eq!(load_weights(&path, &loaded.vars()).unwrap(), json!({ "d_model": 8 }));
    assert_eq!(bits(&saved.vars()), bits(&loaded.vars()));
    let (wider, _) = tiny(1, 9, 0.0);
    let error = load_weights(&path, &wider.vars()).unwrap_err().to_string();
    assert!(error.contains("is [3, 8] f32, but the model's is [3, 9] f32"), "{error}");
    let missing = load_weights(&folder.path().join("none"), &loaded.vars()).unwrap_err();
    assert!(missing.to_string().contains("none: No such file"), "{missing}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A file with any byte changed gives an error or is read, never a panic; a file that is cut off always
    /// gives an error.
    #[test]
    fn a_damaged_checkpoint_never_passes_for_a_whole_one(at: prop::sample::Index, flip in 1_u8..) {
        use std::sync::OnceLock;
        static WHOLE: OnceLock<Vec<u8>> = OnceLock::new();
        let whole = WHOLE.get_or_init(|| fs::read(checkpoint(&ten_steps().0)).unwrap());
        let folder = TempDir::new().unwrap();
        let path = checkpoint(&folder);
        let at = at.index(whole.len());
        fs::write(&path, &whole[..at]).unwrap();
        let error = Checkpoint::read(&path, &Device::Cpu).unwrap_err().to_string();
        prop_assert!(error.contains("this is no whole safetensors file"), "{}", error);
        let mut bytes = whole.clone();
        bytes[at] ^= flip;
        fs::write(&path, &bytes).unwrap();
        if let Err(error) = Checkpoint::read(&path, &Device::Cpu) {
            prop_assert!(error.to_string().contains("checkpoint.safetensors"), "{}", error);
        }
    }
}
