//! Whole trainings on the GPU.

use std::collections::BTreeMap;
use std::path::Path;

use candle_core::Device;
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{
    Examples, History, Limits, Recipe, TrainError, Trainer, evaluate, fit, predict,
};
use tempfile::TempDir;

use crate::golden_cases::hold;
use crate::gpu::{gpu, report};
use crate::model::classifier;
use crate::operation::numbers;
use crate::support::{bits, examples, tiny_on};

/// Three epochs of eight steps.
fn recipe(optimizer: Rule) -> Recipe {
    Recipe {
        epochs: 3,
        batch_size: 16,
        optimizer,
        learning_rate: 0.01,
        weight_decay: 0.01,
        schedule: Schedule::cosine(0.2),
        clip_norm: Some(1.0),
        label_smoothing: 0.1,
        seed: 11,
        ..Recipe::default()
    }
}

fn data() -> (Examples, Examples) {
    (examples(128, 1), examples(60, 2))
}

/// Tolerance of a loss: gradients are known to 2·10⁻⁵ of their size, as in `layers`. In 24 steps at a learning rate
/// of at most 0.01, which momentum multiplies by 10, parameters differ by up to 24 · 0.1 · 2·10⁻⁵ times the norm of a
/// gradient, which is clipped to 1: 5·10⁻⁵. The loss differs by that times its slope, at most 1. Adam divides a
/// gradient by its own size: where the gradient is rounding alone, so is the step, but such a parameter does not
/// change the loss. A wrong mask, layer or update changes losses by more than 10⁻³.
const LOSS: f64 = 5e-5;

#[test]
fn losses_are_those_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let (train, validation) = data();
    for optimizer in [Rule::Sgd { momentum: 0.9 }, Rule::ADAM, Rule::ADAM_W] {
        let recipe = recipe(optimizer);
        let on = |device: &Device| {
            let (parameters, model) = classifier(device, 1, 0.1);
            let vars = parameters.vars();
            let history = fit(&model, &vars, &train, Some(&validation), &recipe, &mut ()).unwrap();
            let found = evaluate(&model, &validation, &recipe, device).unwrap();
            (history, found.loss, vars)
        };
        let (want, want_loss, want_vars) = on(&Device::Cpu);
        let (got, got_loss, got_vars) = on(&gpu);
        assert_eq!(got.steps.len(), 24);
        assert_eq!(got.without_gradient, Vec::<String>::new());
        let off = |got: f64, want: f64| (got - want).abs();
        let steps = got.steps.iter().zip(&want.steps).map(|(got, want)| off(got.loss, want.loss));
        let largest = steps.fold(off(got_loss, want_loss), f64::max);
        assert!(largest <= LOSS, "{optimizer:?}: {largest}");
        report(&format!("losses, {optimizer:?}"), largest, LOSS);
        if matches!(optimizer, Rule::Sgd { .. }) {
            for (name, want) in &want_vars {
                hold(name, &got_vars[name], &numbers(want), LOSS);
            }
        }
    }
}

#[test]
fn a_model_learns_on_the_gpu_what_can_be_learned() {
    let Some(gpu) = gpu() else { return };
    let (train, validation) = (examples(256, 1), examples(100, 2));
    let (parameters, model) = tiny_on(&gpu, 1, 16, 0.1);
    let recipe = Recipe {
        epochs: 12,
        batch_size: 16,
        learning_rate: 0.01,
        seed: 5,
        clip_norm: Some(1.0),
        schedule: Schedule::cosine(0.1),
        patience: Some(12),
        ..Recipe::default()
    };
    let history =
        fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ()).unwrap();
    let best = history.best(recipe.monitor).unwrap();
    assert!(best.validation_accuracy.unwrap() >= 0.98, "{best:?}");
    let predicted = predict(&model, &validation.ids, &recipe, &gpu).unwrap();
    let right = predicted.iter().zip(&validation.labels).filter(|(got, want)| got == want).count();
    assert_eq!(Some(right as f64 / 100.0), best.validation_accuracy);
}

type Bits = BTreeMap<String, Vec<u32>>;

/// Trains on a device, with a checkpoint every third step; goes on from the checkpoint if there is one.
fn train(
    device: &Device,
    recipe: &Recipe,
    checkpoint: &Path,
) -> Result<(Bits, History), TrainError> {
    let (parameters, model) = classifier(device, 1, 0.2);
    let vars = parameters.vars();
    let mut trainer = Trainer::new(&model, &vars, recipe).checkpoints(checkpoint, 3);
    if checkpoint.exists() {
        trainer = trainer.resume();
    }
    let (train, validation) = data();
    let history = trainer.fit(&train, Some(&validation), &mut ())?;
    Ok((bits(&vars), history))
}

/// Returns the recipe with a limit of steps.
fn limited(recipe: &Recipe, steps: u64) -> Recipe {
    Recipe { limits: Limits { steps: Some(steps), ..Limits::default() }, ..recipe.clone() }
}

#[test]
fn trainings_on_one_gpu_end_with_the_same_bits_also_after_an_interruption() {
    let Some(gpu) = gpu() else { return };
    let folder = TempDir::new().unwrap();
    let recipe = recipe(Rule::ADAM_W);
    let path = |name: &str| folder.path().join(name);
    let whole = train(&gpu, &recipe, &path("whole")).unwrap();
    let again = train(&gpu, &recipe, &path("again")).unwrap();
    assert_eq!(again, whole, "twice");
    for stop in [3, 13] {
        let error = train(&gpu, &limited(&recipe, stop), &path("resumed")).unwrap_err();
        assert!(matches!(error, TrainError::Steps { .. }), "{error}");
    }
    assert_eq!(train(&gpu, &recipe, &path("resumed")).unwrap(), whole, "interrupted");
}

#[test]
fn a_training_goes_on_on_another_device() {
    let Some(gpu) = gpu() else { return };
    let folder = TempDir::new().unwrap();
    let recipe = recipe(Rule::Sgd { momentum: 0.9 });
    let path = |name: &str| folder.path().join(name);
    let (_, want) = train(&Device::Cpu, &recipe, &path("cpu")).unwrap();
    for (name, from, to) in [("to", &Device::Cpu, &gpu), ("back", &gpu, &Device::Cpu)] {
        train(from, &limited(&recipe, 12), &path(name)).unwrap_err();
        let (_, got) = train(to, &recipe, &path(name)).unwrap();
        for (got, want) in got.steps.iter().zip(&want.steps) {
            assert!((got.loss - want.loss).abs() <= LOSS, "{name}: {got:?} {want:?}");
        }
        assert_eq!(got.steps.len(), want.steps.len());
    }
}
