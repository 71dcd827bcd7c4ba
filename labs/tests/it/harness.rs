//! The harness: saved runs, keys, checkpoints, and the same bytes for the same command.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use candle_core::{Device, Module as _, Result, Tensor};
use softmark_kit::init::Parameters;
use softmark_kit::nn::embedding;
use softmark_kit::train::{Examples, Limits, Recipe};
use softmark_labs::{Arguments, Lab, Measures, Network, Parts, RunRecord, Setting, Training};

fn examples(count: u32) -> Examples {
    let ids = (0..count).map(|n| vec![2 + n % 2, 4 + n % 5]).collect();
    Examples { ids, labels: (0..count).map(|n| n % 2).collect() }
}

fn parts() -> Parts {
    let classes = vec!["a".to_owned(), "b".to_owned()];
    Parts { train: examples(40), validation: examples(10), test: examples(12), classes }
}

fn training(parts: &Parts) -> Training<'_> {
    Training {
        name: "run".to_owned(),
        settings: vec![Setting::new("rate", 0.1)],
        recipe: Recipe { epochs: 3, batch_size: 8, learning_rate: 0.1, ..Recipe::default() },
        parts,
        context: String::new(),
    }
}

/// Builds a mean of embeddings whose rows are the logits.
fn build(device: &Device) -> anyhow::Result<Network> {
    let parameters = Parameters::new(1, device);
    let table = embedding(10, 2, parameters.builder())?;
    let model =
        move |ids: &Tensor, _: &Tensor, _: bool| -> Result<Tensor> { table.forward(ids)?.mean(1) };
    Ok(Network::new(model, parameters))
}

fn train(out: &Path, training: &Training<'_>) -> anyhow::Result<RunRecord> {
    Lab::open("test", &Arguments::new(out, out), 1)?.train(training, build)
}

#[test]
fn finished_runs_are_not_trained_again() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts();
    let first = train(folder.path(), &training(&parts)).unwrap();
    assert!(first.epochs[2].train_loss < first.epochs[0].train_loss);
    assert_eq!(first.validation.accuracy, 1.0);
    // A changed record shows that it is read, and not trained anew.
    let path = folder.path().join("runs/run.json");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"stopped_early\": false", "\"stopped_early\": true")).unwrap();
    let second = train(folder.path(), &training(&parts)).unwrap();
    assert_eq!(second, RunRecord { stopped_early: true, ..first });
    assert_eq!(fs::read_dir(folder.path().join("runs")).unwrap().count(), 1, "no checkpoint stays");
}

#[test]
fn other_settings_data_or_parameters_are_trained_anew() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts();
    let usual = training(&parts);
    let key = |training: &Training<'_>| train(folder.path(), training).unwrap().key;
    let first = key(&usual);
    let other_data = Parts { test: examples(14), ..parts.clone() };
    let changed = [
        Training { settings: vec![Setting::new("rate", 0.2)], ..usual.clone() },
        Training { recipe: Recipe { seed: 5, ..usual.recipe.clone() }, ..usual.clone() },
        Training { context: "other vectors".to_owned(), ..usual.clone() },
        Training { parts: &other_data, ..usual.clone() },
    ];
    for training in &changed {
        assert_ne!(key(training), first, "{training:?}");
    }
    assert_eq!(key(&usual), first, "the record of another key is replaced");
    let mut lab = Lab::open("test", &Arguments::new(folder.path(), folder.path()), 1).unwrap();
    let other = lab.train(&usual, |device| {
        let network = build(device)?;
        network.parameters.vars()["weight"].set(&Tensor::ones(
            (10, 2),
            candle_core::DType::F32,
            device,
        )?)?;
        Ok(network)
    });
    assert_ne!(other.unwrap().key, first, "initial parameters are part of the key");
}

#[test]
fn interrupted_trainings_end_with_the_same_record() {
    let (whole, cut) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let parts = parts();
    let want = train(whole.path(), &training(&parts)).unwrap();
    let mut interrupted = training(&parts);
    interrupted.recipe.limits = Limits { steps: Some(7), ..Limits::default() };
    let error = train(cut.path(), &interrupted).unwrap_err();
    assert!(format!("{error:#}").starts_with("run run: "), "{error:#}");
    let files = || fs::read_dir(cut.path().join("runs")).unwrap();
    let names: Vec<_> = files().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.len() == 1 && names[0].ends_with(".checkpoint"), "{names:?}");
    fs::write(cut.path().join("runs/run.0123456789ab.checkpoint"), "of other settings").unwrap();
    fs::write(cut.path().join("runs/run.a.0123456789ab.checkpoint"), "of another run").unwrap();
    assert_eq!(train(cut.path(), &training(&parts)).unwrap(), want);
    let mut left: Vec<_> =
        files().map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["run.a.0123456789ab.checkpoint", "run.json"]);
}

#[test]
fn measurements_are_taken_of_the_trained_model_once() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts();
    let taken = std::rc::Rc::new(Cell::new(0));
    for _ in 0..2 {
        let mut lab = Lab::open("test", &Arguments::new(folder.path(), folder.path()), 1).unwrap();
        let count = std::rc::Rc::clone(&taken);
        let run = lab.train(&training(&parts), move |device| {
            let mut network = build(device)?;
            network.measure = Some(Box::new(move || {
                count.set(count.get() + 1);
                Ok(Measures::from([("entropy".to_owned(), vec![0.1 + 0.2, 1.0 / 3.0])]))
            }));
            Ok(network)
        });
        assert_eq!(run.unwrap().measures["entropy"], [0.1 + 0.2, 1.0 / 3.0]);
    }
    assert_eq!(taken.get(), 1);
}

#[test]
fn a_broken_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("runs")).unwrap();
    fs::write(folder.path().join("runs/run.json"), "{").unwrap();
    let error = format!("{:#}", train(folder.path(), &training(&parts())).unwrap_err());
    assert!(error.contains("run.json is not the record of a run; remove it"), "{error}");
}

#[test]
fn an_unknown_device_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = Arguments::new(folder.path(), folder.path());
    arguments.device = "tpu".to_owned();
    assert!(Lab::open("test", &arguments, 1).is_err());
}
