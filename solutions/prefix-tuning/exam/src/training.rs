//! Training to a band: the encoder that is built in, its last layers tuned on questions that have never
//! been asked before.

use std::collections::BTreeMap;

use softmark_common::data::{corpus, questions};
use softmark_common::examples::Examples;
use softmark_exam::check::Plan;
use softmark_exam::examples::split;
use softmark_exam::initial::Initials;
use softmark_exam::{Program, Training};
use softmark_wire::Recipe;

use crate::encoder::{Encoder, builtin};

/// Questions to learn from, and to be asked.
const TRAIN: usize = 4000;
pub(super) const UNSEEN: usize = 600;

/// Layers that learn.
const UNFROZEN: usize = 2;

/// On each of fifty seeds the solution is right in 99.8 % or more, which misses no threshold; with two epochs, and twice
/// the rate, it missed the highest on three of eight.
const EPOCHS: u32 = 3;

/// The task.
pub(crate) const TRAINING: Training = Training {
    task: "training",
    examples: "questions",
    program: Program::Own,
    with_reference: None,
    parts: &["partial"],
    below: &[],
    // More than a head or a prefix gets out of an encoder that stays as it is, which two fifths are: whoever
    // reads words off the rows of the embedding gets no further without layers that have learned.
    least_learned: Some(0.45),
    plan,
    levels: &[
        (
            0.0,
            "That is far fewer than a guess gets right: what was learned comes out wrong. Look at which class each \
             logit stands for, and at what the numbers pass through on the way out.",
        ),
        (
            0.1,
            "A guess is right in 17 of 100, so hardly anything was learned. Look at the checks on \
             gradients of task 2 first: what no gradient reaches stays what it was.",
        ),
        (
            0.24,
            "That is about what a head alone learns on an encoder that stays as it is. Look at which \
             layers learn.",
        ),
        (
            0.6,
            "Some of the layers learn, or all of them slowly. Look at which they are, and at what the \
             head is made of.",
        ),
    ],
};

/// The first `train` of so many questions as examples that the encoder takes, and the rest.
pub(super) fn examples(seed: u64, train: usize, unseen: usize) -> [Examples; 2] {
    let vocabulary = corpus::vocabulary();
    let texts = questions::generate(seed, train + unseen);
    split(&texts, &|text| corpus::framed(&vocabulary, text), train)
}

/// What has a row for each id.
pub(super) const TOKENS: &str = "base.token_embedding.weight";

fn plan(seed: u64) -> Plan {
    let [train, unseen] = examples(seed, TRAIN, UNSEEN);
    // Without the encoder there is no plan, and a plan without parameters is an error of the grader.
    let (mut config, mut parameters, vocabulary) = match builtin() {
        Ok(encoder) => (encoder.sizes(), encoder.parameters.clone(), encoder.config.vocabulary),
        Err(_) => (Vec::new(), BTreeMap::new(), 0),
    };
    config.extend([
        ("dropout_permille", 100),
        ("classes", questions::CLASSES.len()),
        ("unfrozen", UNFROZEN),
        ("train", 0),
    ]);
    let layers = builtin().map_or(0, |encoder| encoder.config.layers);
    let frozen = parameters.keys().filter(|name| !learns(name, layers)).cloned().collect();
    parameters.extend(builtin().map(head).unwrap_or_default().into_all());
    Plan {
        signature: &prefix_tuning_checks::signatures::PARTIAL,
        config,
        parameters,
        rows_of_ids: vec![TOKENS.to_owned()],
        // The head is drawn: it has learned no order of the classes yet.
        rows_of_classes: Vec::new(),
        frozen,
        recipe: Some(Recipe {
            seed,
            epochs: EPOCHS,
            batch_size: 32,
            learning_rate: 2e-3,
            warm_up: 0.1,
            weight_decay: 0.01,
            clip_norm: 1.0,
        }),
        train,
        unseen,
        classes: &questions::CLASSES,
        vocabulary: u32::try_from(vocabulary).unwrap_or(u32::MAX),
    }
}

/// True if a parameter belongs to the last layers of an encoder with so many layers.
fn learns(name: &str, layers: usize) -> bool {
    let last = layers.saturating_sub(UNFROZEN)..layers;
    last.into_iter().any(|layer| name.starts_with(&format!("base.layers.{layer}.")))
}

/// The head before it is tuned.
fn head(encoder: &Encoder) -> Initials {
    let d = encoder.config.d_model;
    let mut initials = Initials::default();
    initials.linear("linear1", d, d);
    initials.norm("norm", d);
    initials.linear("classifier", d, questions::CLASSES.len());
    initials
}
