//! Training to a band: right work reaches it, mistakes that show do not, and neither the number of
//! jobs nor a worker that dies changes a digit.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use softmark::assignment::{self, TrainingRules};
use softmark::calibrate::{Kind, Trainer, Trial, TrialId, Variant, variants};
use softmark::pipeline::bands_of;
use softmark::session::Remote;
use softmark_exam::check::Plan;
use softmark_exam::{Program, Suite, Training};
use softmark_kit::init::Parameters;
use softmark_kit::nn::ops::relu;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{embedding, linear};
use softmark_kit::prelude::{self as kit, Device, Module};
use softmark_kit::train;
use softmark_sandbox::Level;
use softmark_wire::{Attempt, Construction, Data, Input, Recipe, Reply, Request, Session, Tensor};

use crate::support::exams::{project, suite, suites};
use crate::support::notice::skipped;
use crate::support::pack::{HOME, files, pack, tools};
use crate::support::processes;

/// The seed of what is trained here; many are for `grade calibrate`.
const SEED: u64 = 1;

/// One of the other ways of being right, and some mistakes of different kinds: enough to see that
/// bands tell them apart, and few enough to be trained in a test.
const CHOSEN: [(&str, &str, &[&str]); 5] = [
    (
        "attention",
        "training",
        &["classifier-in-plain-candle", "texts-without-positions", "attention-detached"],
    ),
    (
        "encoder",
        "training",
        &["plain-candle", "both-residuals-missing", "positions-missing", "layer-mask-inverted"],
    ),
    ("debugging", "training", &["norm-by-hand-of-encoder", "buggy-layer-kept"]),
    ("prefix-tuning", "prefix-training", &["prefix-text-by-text", "prefix-detached"]),
    ("prefix-tuning", "training", &["head-by-hand", "head-alone-learns"]),
];

fn rules(id: &str) -> TrainingRules {
    assignment::load(Path::new(HOME), id).unwrap().training.unwrap()
}

/// The training of a task.
fn training(id: &str, task: &str) -> &'static Training {
    suite(id).trainings.iter().find(|training| training.task == task).unwrap()
}

fn trained((id, task): (&str, &str), chosen: &[Variant], jobs: usize) -> Vec<Trial> {
    let (suite, training) = (suite(id), training(id, task));
    let scratch = tempfile::tempdir().unwrap();
    let tools = tools();
    let (sandbox, pack, rules) = (&tools.sandbox, pack(), &rules(id));
    let trainer = Trainer { sandbox, pack, scratch: scratch.path(), suite, training, rules };
    let jobs = NonZeroUsize::new(jobs).unwrap();
    trainer.measure(chosen, &TrialId::all(chosen.len(), &[SEED]), jobs, &mut |_| ()).unwrap()
}

#[test]
fn right_work_reaches_every_band_and_mistakes_do_not() {
    for (id, task, names) in CHOSEN {
        let all = variants(project(), (id, training(id, task)), false).unwrap();
        let chosen = |variant: &Variant| {
            variant.kind == Kind::Solution || names.contains(&variant.name.as_str())
        };
        let chosen: Vec<Variant> = all.into_iter().filter(chosen).collect();
        assert_eq!(chosen.len(), names.len() + 1, "those of {id} that their patches let take part");
        let trials = trained((id, task), &chosen, 2);
        let assignment = assignment::load(Path::new(HOME), id).unwrap();
        let bands: Vec<_> = bands_of(&assignment, task).iter().map(|it| it.band).collect();
        for (variant, trial) in chosen.iter().zip(&trials) {
            let (name, accuracy) = (&variant.name, trial.accuracy());
            assert_eq!(trial.fault, None, "{id}, {task}: {name}");
            let reached = bands.iter().filter(|band| band.is_reached(accuracy)).count();
            match variant.kind {
                Kind::Solution | Kind::Accepted => {
                    assert_eq!(reached, bands.len(), "{id}, {task}: {name} gets {accuracy}");
                }
                Kind::Mutant | Kind::Unmarked => {
                    assert!(reached < bands.len(), "{id}, {task}: {name} gets {accuracy}");
                }
            }
        }
        let first = &chosen[..1];
        assert_eq!(trained((id, task), first, 1)[0].right, trials[0].right, "{id} alone");
    }
}

/// An attack that is stopped is stopped by the secret, and not by a slip in it: whoever knows the seed
/// has every answer. `tests/it/attacks.rs` sees that it earns nothing.
#[test]
fn whoever_knows_the_seed_has_the_answers() {
    let mut source = files("solutions/attention");
    source.extend(files("fixtures/attacks/answers-from-the-generator"));
    let attack = Variant { name: "attack".to_owned(), kind: Kind::Unmarked, source };
    let trials = trained(("attention", "training"), &[attack], 1);
    assert_eq!((trials[0].accuracy(), trials[0].fault.as_deref()), (1.0, None));
}

/// The share of unseen texts that a bag of words gets right: rows of words, their mean, and a hidden
/// layer, trained for as many epochs as the assignment is, and then for five times as many.
fn bag_of_words(plan: &Plan, seed: u64) -> [f64; 2] {
    [1, 5].map(|times| {
        let parameters = Parameters::new(seed, &Device::Cpu);
        let (vb, width) = (parameters.builder(), 64);
        let words = embedding(plan.vocabulary as usize, width, vb.pp("words")).unwrap();
        let hidden = linear(width, width, vb.pp("hidden")).unwrap();
        let head = linear(width, plan.classes.len(), vb.pp("head")).unwrap();
        let model = |ids: &kit::Tensor, mask: &kit::Tensor, _: bool| {
            let mean = masked_mean(&words.forward(ids)?, mask)?;
            head.forward(&relu(&hidden.forward(&mean)?)?)
        };
        let planned = plan.recipe.as_ref().unwrap();
        let recipe = train::Recipe {
            epochs: planned.epochs as usize * times,
            batch_size: planned.batch_size as usize,
            // A prefix is trained at a rate that is too high for rows of words.
            learning_rate: planned.learning_rate.min(1e-2),
            seed,
            ..train::Recipe::default()
        };
        let vars = parameters.vars();
        train::fit(&model, &vars, &plan.train, None, &recipe, &mut ()).unwrap();
        train::evaluate(&model, &plan.unseen, &recipe, &Device::Cpu).unwrap().accuracy
    })
}

/// Share of right answers that words alone allow. A text names two things, and words do not tell which of them counts:
/// whoever knows all words is right half of the time, give or take five deviations of 600 draws. In `modern` a text has six
/// symbols, and words tell which ones and how often: about one answer of four is right.
fn by_words_alone(id: &str) -> std::ops::Range<f64> {
    if id == "modern" { 0.1..0.4 } else { 0.4..0.6 }
}

#[test]
fn words_alone_do_not_give_the_answer() {
    for suite in suites() {
        for training in suite.trainings {
            for seed in 0..5 {
                let plan = (training.plan)(seed);
                for reached in bag_of_words(&plan, seed) {
                    let expected = by_words_alone(suite.id);
                    assert!(expected.contains(&reached), "{} seed {seed}: {reached}", suite.id);
                }
            }
        }
    }
}

#[test]
fn no_text_is_both_learned_and_asked_about() {
    for suite in suites() {
        for training in suite.trainings {
            let plan = (training.plan)(SEED);
            let learned: BTreeSet<_> = plan.train.ids.iter().collect();
            assert!(plan.train.len() >= 3000 && plan.unseen.len() == 600, "{}", suite.id);
            assert!(plan.unseen.ids.iter().all(|ids| !learned.contains(ids)), "{}", suite.id);
            let longest = plan.config.iter().find(|(name, _)| *name == "max_len");
            let longest = longest.map_or(usize::MAX, |(_, length)| *length);
            let mut texts = plan.train.ids.iter().chain(&plan.unseen.ids);
            assert!(texts.all(|ids| ids.len() <= longest), "{}", suite.id);
        }
    }
}

/// A suite's program with the submission's own parts, under a name that no other test's has.
fn program(suite: &Suite, name: &str) -> (std::path::PathBuf, tempfile::TempDir) {
    let scratch = tempfile::tempdir().unwrap();
    let (_, mut spec) = (suite.programs)().into_iter().find(|it| it.0 == Program::Own).unwrap();
    name.clone_into(&mut spec.name);
    let solution = files(&format!("solutions/{}", suite.id));
    let mut built =
        pack().compile(&solution, &[spec], scratch.path()).unwrap().into_result().unwrap();
    (built.programs.remove(name).unwrap(), scratch)
}

fn ids(name: &str, shape: &[usize], values: impl Iterator<Item = u32>) -> Input {
    let tensor = Tensor::new(shape, Data::U32(values.collect())).unwrap();
    Input { name: name.to_owned(), tensor, strided: false }
}

fn ones(shape: &[usize]) -> Input {
    let tensor = Tensor::u8(shape, vec![1; shape.iter().product()]).unwrap();
    Input { name: "mask".to_owned(), tensor, strided: false }
}

/// A small classifier, trained for two epochs on nothing in particular, and its logits.
fn logits_after_training(session: &mut Remote, between: impl FnOnce()) -> Tensor {
    let [training] = suite("encoder").trainings else { panic!("one training") };
    let plan = (training.plan)(SEED);
    let parameters = plan.parameters.iter().map(|(name, (shape, _))| {
        let count: usize = shape.iter().product();
        let values = (0..count).map(|at| ((at * 37 + name.len()) % 64) as f32 / 320.0 - 0.1);
        (name.clone(), Tensor::f32(shape, values.collect()).unwrap())
    });
    let config = plan.config.iter().map(|(name, value)| ((*name).to_owned(), *value as u64));
    let construct = Request::Construct(Construction {
        part: plan.part().to_owned(),
        config: config.collect(),
        parameters: parameters.collect(),
    });
    let train = Request::Train {
        examples: vec![
            ids("ids", &[16, 4], (0..64).map(|at| at % 50)),
            ones(&[16, 4]),
            ids("labels", &[16], (0..16).map(|at| at % 6)),
        ],
        recipe: Recipe { epochs: 2, batch_size: 8, ..plan.recipe.unwrap() },
    };
    session.ask(&construct).unwrap().into_result().unwrap();
    session.ask(&train).unwrap().into_result().unwrap();
    between();
    let inputs = vec![ids("ids", &[2, 4], 2..10), ones(&[2, 4])];
    let answer = session.ask(&Request::Forward { inputs }).unwrap();
    let Attempt::Success(Reply::Outputs(outputs)) = answer else { panic!("no outputs") };
    outputs.into_iter().next().unwrap().1
}

/// Nobody can tell a process from the one that was trained before it, when the one before is killed.
#[test]
fn a_worker_that_is_killed_after_training_is_trained_again() {
    if tools().sandbox.level() == Level::None {
        return skipped("workers are not isolated here: what kills one cannot be told");
    }
    let name = "trained_and_killed";
    let (program, _scratch) = program(suite("encoder"), name);
    let session = || Remote::new(tools().sandbox, program.clone(), rules("encoder").limits);
    let undisturbed = logits_after_training(&mut session(), || ());
    let disturbed = logits_after_training(&mut session(), || {
        let found = processes::below(std::process::id(), |line| line.starts_with(name));
        assert_eq!(found.len(), 1, "the worker is called as its program is");
        kill(Pid::from_raw(found[0].try_into().unwrap()), Signal::SIGKILL).unwrap();
    });
    assert_eq!(disturbed, undisturbed);
}
