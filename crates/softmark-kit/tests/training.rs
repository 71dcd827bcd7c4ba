//! Training learns, stops when it should, and reports errors.

#![expect(clippy::unwrap_used, reason = "a test's helpers")]

use std::collections::BTreeMap;

use candle_core::{DType, Device, Module as _, Result, Tensor, Var};
use candle_nn::Embedding;
use softmark_kit::init::Parameters;
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{
    EpochRecord, Examples, History, Limits, Model, Monitor, Observer, Plan, Recipe, StepRecord,
    TrainError, evaluate, fit, pad, predict,
};
use support::{bits, examples, tiny};

mod support;

fn recipe() -> Recipe {
    Recipe { epochs: 4, batch_size: 16, learning_rate: 0.01, seed: 5, ..Recipe::default() }
}

#[test]
fn a_model_learns_what_can_be_learned() {
    let (train, validation) = (examples(256, 1), examples(100, 2));
    let (parameters, model) = tiny(1, 16, 0.1);
    let recipe =
        Recipe { epochs: 12, clip_norm: Some(1.0), schedule: Schedule::cosine(0.1), ..recipe() };
    let history =
        fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ()).unwrap();
    let last = history.epochs.last().unwrap();
    assert_eq!((history.epochs.len(), history.steps.len()), (12, 12 * 16));
    assert!(last.validation_accuracy.unwrap() >= 0.98, "{last:?}");
    assert!(last.train_loss < 0.2 * history.epochs[0].train_loss);
    assert!(history.steps.iter().all(|step| step.gradient_norm.is_some()));
    assert_eq!(history.without_gradient, Vec::<String>::new());
    let found = evaluate(&model, &validation, &recipe, &Device::Cpu).unwrap();
    assert_eq!(Some(found.accuracy), last.validation_accuracy);
    assert_eq!(Some(found.loss), last.validation_loss);
    let predicted = predict(&model, &validation.ids, &recipe, &Device::Cpu).unwrap();
    assert_eq!(predicted, found.predictions);
}

/// Compares a step of the trainer with a step written by hand.
#[test]
fn a_step_is_what_the_recipe_says() {
    let train = Examples { ids: vec![vec![1, 4], vec![2]], labels: vec![0, 1] };
    let (parameters, model) = tiny(3, 8, 0.0);
    let recipe = Recipe { epochs: 1, batch_size: 2, optimizer: Rule::SGD, ..recipe() };
    let (by_hand, same_model) = tiny(3, 8, 0.0);
    let history = fit(&model, &parameters.vars(), &train, None, &recipe, &mut ()).unwrap();
    // The order of the batch changes sums in their last bit, so the shuffled order is used.
    let order = softmark_kit::train::shuffled(2, 5, 0);
    let train = train.subset(&order);
    let rows: Vec<&[u32]> = train.ids.iter().map(Vec::as_slice).collect();
    let (ids, mask) = pad(&rows, 128, &Device::Cpu).unwrap();
    let logits = same_model.logits(&ids, &mask, true).unwrap();
    let labels = Tensor::new(train.labels.as_slice(), &Device::Cpu).unwrap();
    let loss = candle_nn::loss::cross_entropy(&logits, &labels).unwrap();
    let gradients = loss.backward().unwrap();
    assert!((history.steps[0].loss - f64::from(loss.to_scalar::<f32>().unwrap())).abs() < 1e-6);
    for (name, var) in by_hand.vars() {
        let want = (var.as_tensor() - (gradients.get(&var).unwrap() * 0.01).unwrap()).unwrap();
        let got = parameters.vars()[&name].as_tensor().clone();
        let gap = (want - got).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap();
        assert!(gap.to_scalar::<f32>().unwrap() < 1e-6, "{name}");
    }
}

#[test]
fn patience_ends_a_training_and_the_best_weights_come_back() {
    let (train, validation) = (examples(64, 1), examples(64, 2));
    let (parameters, model) = tiny(1, 16, 0.0);
    // With such a high learning rate, the validation soon gets worse.
    let recipe = Recipe { epochs: 60, learning_rate: 0.5, patience: Some(2), ..recipe() };
    let history =
        fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ()).unwrap();
    assert!(history.stopped_early && history.epochs.len() < 60, "{:?}", history.epochs.len());
    let best = history.best(Monitor::Accuracy).unwrap();
    assert_eq!(history.restored_epoch, Some(best.epoch));
    assert_eq!(best.epoch, history.epochs.len() - 3);
    let found = evaluate(&model, &validation, &recipe, &Device::Cpu).unwrap();
    assert_eq!(Some(found.accuracy), best.validation_accuracy);
    assert_eq!(Some(found.loss), best.validation_loss);
    // Training for this number of epochs, without patience, gives the same weights.
    let (again, model) = tiny(1, 16, 0.0);
    let shorter = Recipe { epochs: best.epoch + 1, patience: None, ..recipe };
    fit(&model, &again.vars(), &train, None, &shorter, &mut ()).unwrap();
    assert_eq!(bits(&again.vars()), bits(&parameters.vars()));
}

/// The first epoch below the threshold is the last one, and its weights stay.
#[test]
fn a_loss_below_the_threshold_ends_a_training() {
    let train = examples(64, 1);
    let trained = |stopping_threshold: Option<f64>, epochs: usize| {
        let (parameters, model) = tiny(1, 16, 0.0);
        let recipe = Recipe { epochs, stopping_threshold, ..recipe() };
        let history = fit(&model, &parameters.vars(), &train, None, &recipe, &mut ()).unwrap();
        (history, bits(&parameters.vars()))
    };
    let (whole, _) = trained(None, 4);
    let losses: Vec<f64> = whole.epochs.iter().map(|epoch| epoch.train_loss).collect();
    assert!(losses[1] < losses[0] && !whole.stopped_early, "{losses:?}");
    let (stopped, weights) = trained(Some(losses[1].next_up()), 4);
    assert!(stopped.stopped_early);
    assert_eq!(stopped.epochs, whole.epochs[..2]);
    // Exactly the threshold is not below it.
    let (later, _) = trained(Some(losses[1]), 4);
    assert_eq!(later.epochs.len(), if losses[2] < losses[1] { 3 } else { 4 });
    // A threshold that the last epoch reaches ends nothing early.
    let (last, same) = trained(Some(losses[1].next_up()), 2);
    assert_eq!((last.stopped_early, same), (false, weights));
}

/// Returns the error of training a faulty model.
fn error(recipe: &Recipe, train: &Examples) -> TrainError {
    let (parameters, model) = tiny(1, 8, 0.0);
    fit(&model, &parameters.vars(), train, None, recipe, &mut ()).unwrap_err()
}

#[test]
fn limits_end_a_training_and_say_what_was_allowed() {
    let train = examples(64, 1);
    let limited = |limits| error(&Recipe { limits, ..recipe() }, &train).to_string();
    let none = Limits::default();
    let steps = limited(Limits { steps: Some(3), ..none });
    assert_eq!(steps, "the training was ended after 3 steps, which is all that is allowed");
    let parameters = limited(Limits { parameters: Some(100), ..none });
    assert_eq!(parameters, "the model has 379 trainable parameters; 100 are allowed");
    let seconds = limited(Limits { cpu_seconds: Some(0.0), ..none });
    assert!(seconds.contains("of processor time, and 0 s are allowed"), "{seconds}");
    let memory = limited(Limits { memory_mebibytes: Some(1), ..none });
    assert!(memory.contains("MiB of memory, and 1 MiB are allowed"), "{memory}");
    let (parameters, model) = tiny(1, 8, 0.0);
    let limits = Limits {
        steps: Some(16),
        parameters: Some(379),
        cpu_seconds: Some(1e6),
        memory_mebibytes: Some(1 << 30),
    };
    let recipe = Recipe { limits, ..recipe() };
    assert!(fit(&model, &parameters.vars(), &train, None, &recipe, &mut ()).is_ok());
}

#[test]
fn what_makes_no_sense_is_named_before_anything_is_trained() {
    let train = examples(8, 1);
    let of = |recipe: Recipe| error(&recipe, &train).to_string();
    assert_eq!(
        of(Recipe { batch_size: 0, ..recipe() }),
        "the recipe's batch_size is 0; it should be at least 1"
    );
    assert!(of(Recipe { learning_rate: f64::NAN, ..recipe() }).contains("learning_rate is NaN"));
    assert!(of(Recipe { label_smoothing: 1.0, ..recipe() }).contains("label_smoothing"));
    assert!(of(Recipe { clip_norm: Some(0.0), ..recipe() }).contains("clip_norm"));
    assert!(of(Recipe { schedule: Schedule::warm_up(2.0), ..recipe() }).contains("warm_up"));
    let optimizer = Rule::Adam { beta1: 0.9, beta2: 1.0, epsilon: 1e-8 };
    assert!(of(Recipe { optimizer, ..recipe() }).contains("beta2"));
    let none = error(&recipe(), &Examples::default()).to_string();
    assert_eq!(none, "there are no training examples");
    let unpaired = Examples { ids: vec![vec![1]], labels: vec![] };
    assert!(error(&recipe(), &unpaired).to_string().contains("1 training sequences, but 0 labels"));
    let label = Examples { ids: vec![vec![1]], labels: vec![7] };
    let label = error(&recipe(), &label).to_string();
    assert_eq!(label, "an example has the label 7, but the model has logits for 3 classes");
}

/// Returns a model that is a table of logits.
fn table() -> (BTreeMap<String, Var>, Tensor) {
    let parameters = Parameters::new(1, &Device::Cpu);
    let init = candle_nn::Init::Randn { mean: 0.0, stdev: 1.0 };
    let table = parameters.builder().get_with_hints((20, 3), "table", init).unwrap();
    (parameters.vars(), table)
}

#[test]
fn a_loss_that_is_no_number_says_when_and_where_to_look() {
    let (vars, table) = table();
    let model = |ids: &Tensor, _: &Tensor, _: bool| {
        (Embedding::new(table.clone(), 3).forward(ids)?.mean(1)? / 0.0)?.sqrt()
    };
    let error = fit(&model, &vars, &examples(8, 1), None, &recipe(), &mut ()).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, TrainError::NotFinite { step: 0, .. }), "{text}");
    assert!(text.starts_with("the loss is NaN at step 0 (epoch 0, learning rate 1e-2)"), "{text}");
    assert!(text.contains("masked everywhere"), "{text}");
}

#[test]
fn a_gradient_that_is_no_number_is_noticed_where_it_is_clipped() {
    let (vars, table) = table();
    // √(x − x) is 0, and so is its contribution; its slope is 0 · ∞.
    let model = |ids: &Tensor, _: &Tensor, _: bool| {
        let x = Embedding::new(table.clone(), 3).forward(ids)?.mean(1)?;
        &x + (&x - &x)?.sqrt()?
    };
    let recipe = Recipe { clip_norm: Some(1.0), ..recipe() };
    let before = bits(&vars);
    let error = fit(&model, &vars, &examples(8, 1), None, &recipe, &mut ()).unwrap_err();
    assert!(error.to_string().starts_with("the norm of the gradients is NaN at step 0"), "{error}");
    assert_eq!(bits(&vars), before, "no step is taken that would destroy the weights");
}

#[test]
fn a_cut_graph_is_an_error_and_a_cut_parameter_is_listed() {
    let (mut vars, table) = table();
    let cut =
        |ids: &Tensor, _: &Tensor, _: bool| Embedding::new(table.detach(), 3).forward(ids)?.mean(1);
    let error = fit(&cut, &vars, &examples(8, 1), None, &recipe(), &mut ()).unwrap_err();
    assert!(error.to_string().contains("candle_nn::ops::softmax_last_dim"), "{error}");
    vars.insert("unused".into(), Var::zeros(3, DType::F32, &Device::Cpu).unwrap());
    let whole =
        |ids: &Tensor, _: &Tensor, _: bool| Embedding::new(table.clone(), 3).forward(ids)?.mean(1);
    let history = fit(&whole, &vars, &examples(8, 1), None, &recipe(), &mut ()).unwrap();
    assert_eq!(history.without_gradient, ["unused"]);
}

#[test]
fn logits_of_another_shape_are_named() {
    let (vars, table) = table();
    let model = |ids: &Tensor, _: &Tensor, _: bool| -> Result<Tensor> {
        Embedding::new(table.clone(), 3).forward(ids)
    };
    let train = Examples { ids: vec![vec![1, 2]], labels: vec![0] };
    let error = fit(&model, &vars, &train, None, &recipe(), &mut ()).unwrap_err().to_string();
    assert_eq!(error, "the model's logits are [1, 2, 3]; for a batch of 1 they should be [1, C]");
    let error = fit(&model, &BTreeMap::new(), &train, None, &recipe(), &mut ()).unwrap_err();
    assert!(error.to_string().contains("no trainable parameters"), "{error}");
}

#[test]
fn sequences_are_cut_and_padded_and_empty_ones_have_a_shape() {
    let (ids, mask) = pad(&[&[7, 8, 9], &[], &[5]], 2, &Device::Cpu).unwrap();
    assert_eq!(ids.to_vec2::<u32>().unwrap(), [[7, 8], [0, 0], [5, 0]]);
    assert_eq!(mask.to_vec2::<u8>().unwrap(), [[1, 1], [0, 0], [1, 0]]);
    let (ids, mask) = pad(&[&[], &[]], 9, &Device::Cpu).unwrap();
    assert_eq!((ids.dims(), mask.to_vec2::<u8>().unwrap()), (&[2, 1][..], vec![vec![0], vec![0]]));
}

#[derive(Default)]
struct Counting {
    plan: Option<Plan>,
    steps: Vec<StepRecord>,
    epochs: Vec<EpochRecord>,
    ended: bool,
}

impl Observer for Counting {
    fn begins(&mut self, plan: &Plan) {
        self.plan = Some(*plan);
    }
    fn step(&mut self, record: &StepRecord) {
        self.steps.push(*record);
    }
    fn epoch(&mut self, record: &EpochRecord) {
        self.epochs.push(*record);
    }
    fn ends(&mut self, _: &History) {
        self.ended = true;
    }
}

#[test]
fn an_observer_sees_what_the_history_keeps() {
    let (parameters, model) = tiny(1, 8, 0.0);
    let mut seen = Counting::default();
    // 50 examples in batches of 16: the last has 2.
    let history =
        fit(&model, &parameters.vars(), &examples(50, 1), None, &recipe(), &mut seen).unwrap();
    let plan = Plan { epochs: 4, steps_an_epoch: 4, done: 0, parameters: 379 };
    assert_eq!((seen.plan, seen.ended), (Some(plan), true));
    assert_eq!((&seen.steps, &seen.epochs), (&history.steps, &history.epochs));
    let sizes: Vec<usize> = history.steps.iter().take(4).map(|step| step.examples).collect();
    assert_eq!(sizes, [16, 16, 16, 2]);
    let first = &history.steps[..4];
    let sum: f64 = first.iter().map(|step| step.loss * step.examples as f64).sum();
    assert!((history.epochs[0].train_loss - sum / 50.0).abs() < 1e-12);
}
