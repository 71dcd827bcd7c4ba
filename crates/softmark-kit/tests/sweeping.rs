//! A sweep runs no trial twice, survives being killed, and gives the same outcomes.

#![expect(clippy::indexing_slicing, reason = "a test's helpers")]

use std::fs;
use std::path::Path;

use softmark_kit::sweep::{Outcomes, Range, Space, Sweep, SweepError, Trial, TrialResult};
use softmark_kit::train::{Recipe, Trainer};
use support::{examples, tiny};
use tempfile::TempDir;

mod support;

fn trials() -> Vec<Trial> {
    Space::random(&[("learning_rate", Range::LogUniform(1e-4, 1e-1))], 6, 3)
}

fn result(trial: &Trial) -> TrialResult {
    let rate = trial.settings["learning_rate"];
    TrialResult { validation_accuracy: 1.0 - rate, validation_loss: rate / 3.0, epochs: trial.id }
}

/// Runs trials up to `stop`, which fails; returns the trials that ran and the outcomes.
fn run(path: &Path, trials: &[Trial], stop: usize) -> (Vec<usize>, Result<Outcomes, SweepError>) {
    let mut ran = Vec::new();
    let outcomes = Sweep::new(path).run(trials, |trial| {
        if trial.id == stop {
            return Err("out of electricity".into());
        }
        ran.push(trial.id);
        Ok(result(trial))
    });
    (ran, outcomes)
}

#[test]
fn an_interrupted_sweep_goes_on_and_ends_the_same() {
    let folder = TempDir::new().unwrap();
    let (path, other) = (folder.path().join("one.jsonl"), folder.path().join("two.jsonl"));
    let (ran, whole) = run(&path, &trials(), 99);
    let whole = whole.unwrap();
    assert_eq!((ran, whole.all().len()), (vec![0, 1, 2, 3, 4, 5], 6));
    let (ran, error) = run(&other, &trials(), 3);
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("trial 3 (learning_rate=0."), "{error}");
    assert!(error.contains("out of electricity; trials before it are kept"), "{error}");
    assert_eq!(ran, [0, 1, 2]);
    let (ran, resumed) = run(&other, &trials(), 99);
    assert_eq!((ran, resumed.unwrap()), (vec![3, 4, 5], whole));
    assert!(fs::read(&path).unwrap() == fs::read(&other).unwrap());
    assert_eq!(run(&path, &trials(), 99).0, Vec::<usize>::new());
}

/// A journal that is cut off anywhere loses at most the trial of the incomplete line.
#[test]
fn a_torn_last_line_is_run_again() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sweep.jsonl");
    let whole = run(&path, &trials(), 99).1.unwrap();
    let bytes = fs::read(&path).unwrap();
    // Cut at every byte of the last two lines, and at some before.
    for cut in (0..bytes.len()).filter(|cut| cut % 37 == 0 || cut + 250 > bytes.len()) {
        fs::write(&path, &bytes[..cut]).unwrap();
        let kept = String::from_utf8_lossy(&bytes[..cut]).matches('\n').count();
        let (ran, outcomes) = run(&path, &trials(), 99);
        assert_eq!((ran.len(), outcomes.unwrap()), (6 - kept, whole.clone()), "{cut}");
        assert!(fs::read(&path).unwrap() == bytes, "{cut}");
    }
}

#[test]
fn a_loss_that_is_no_number_is_remembered_as_such() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sweep.jsonl");
    let one = Space::grid(&[("learning_rate", &[1.0 / 3.0])]);
    let diverged = TrialResult { validation_loss: f64::INFINITY, ..result(&one[0]) };
    Sweep::new(&path).run(&one, |_| Ok(diverged)).unwrap();
    let (ran, outcomes) = run(&path, &one, 99);
    assert_eq!(ran, Vec::<usize>::new());
    assert!(outcomes.unwrap().best().unwrap().result.validation_loss.is_nan());
}

#[test]
fn the_same_settings_are_run_once_whatever_their_number() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sweep.jsonl");
    let mut twice = trials();
    twice.extend(trials().into_iter().map(|trial| Trial { id: trial.id + 6, ..trial }));
    let (ran, outcomes) = run(&path, &twice, 99);
    assert_eq!((ran.len(), outcomes.unwrap().all().len()), (6, 6));
}

#[test]
fn a_broken_line_is_named() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("sweep.jsonl");
    run(&path, &trials(), 2).1.unwrap_err();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}nonsense\n")).unwrap();
    let error = run(&path, &trials(), 99).1.unwrap_err().to_string();
    assert!(error.contains("sweep.jsonl, line 3: this is no outcome of a trial"), "{error}");
}

#[test]
fn a_sweep_finds_the_learning_rate_that_learns() {
    let folder = TempDir::new().unwrap();
    let (train, validation) = (examples(96, 1), examples(60, 2));
    let rates: &[f64] = &[1e-6, 0.02];
    let trials = Space::grid(&[("learning_rate", rates), ("batch_size", &[8.0, 32.0])]);
    let outcomes = Sweep::new(&folder.path().join("sweep.jsonl")).run(&trials, |trial| {
        let (parameters, model) = tiny(1, 8, 0.0);
        let recipe = Recipe {
            epochs: 6,
            learning_rate: trial.get("learning_rate")?,
            batch_size: trial.count("batch_size")?,
            ..Recipe::default()
        };
        let vars = parameters.vars();
        let history =
            Trainer::new(&model, &vars, &recipe).fit(&train, Some(&validation), &mut ())?;
        let best = history.best(recipe.monitor).ok_or("no epoch")?;
        Ok(TrialResult {
            validation_accuracy: best.validation_accuracy.unwrap_or_default(),
            validation_loss: best.validation_loss.unwrap_or_default(),
            epochs: history.epochs.len(),
        })
    });
    let outcomes = outcomes.unwrap();
    assert_eq!(outcomes.best().unwrap().trial.settings["learning_rate"], 0.02);
    assert_eq!(outcomes.all().len(), 4);
}
