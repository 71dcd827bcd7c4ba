//! The classifier of task 1: a prefix learns, and the encoder stays as it is.

use prefix_tuning_checks::signatures;
use softmark_exam::check::{Initial, Plan};
use softmark_exam::initial::Initials;
use softmark_exam::{Program, Training, WORSE_THAN_A_GUESS};

use crate::encoder::Encoder;
use crate::training::{Parameters, Tuning, classifier};

/// Vectors of the prefix.
const LENGTH: usize = 5;

/// Standard deviation of the prefix before it is tuned: about that of embedded tokens, which a norm has made.
const DEVIATION: f32 = 1.0;

/// On 20 seeds the solution is right in 92.7 % or more, in 99.2 % on average, and a head alone in 62.8 % or less. With two
/// epochs the solution was right in 76.2 % on one of 20 seeds, and with two epochs of batches of 32 in 65 % on one of six. Four
/// epochs of batches of 32 took half as much time again, for 95.8 % or more on 50 seeds and 99.6 % on average.
const EPOCHS: u32 = 3;

/// Small batches: a prefix needs many steps, and there are few numbers to learn.
const BATCH: u32 = 16;

/// The task.
pub(crate) const TRAINING: Training = Training {
    task: "prefix-training",
    examples: "questions",
    program: Program::Own,
    with_reference: None,
    parts: &["prefix"],
    below: &[],
    // More than a head alone gets out of the encoder: whoever reads words off the rows of the embedding gets
    // no further without a prefix that has learned.
    least_learned: Some(0.7),
    plan,
    levels: &[
        WORSE_THAN_A_GUESS,
        (
            0.1,
            "A guess is right in 17 of 100, so hardly anything was learned. Look at the checks on \
             gradients of task 1 first: what no gradient reaches stays what it was.",
        ),
        (
            0.3,
            "That is about what a head alone learns. Look at the prefix: does a gradient reach each of its \
             vectors, and does the encoder's mask show them?",
        ),
        (
            0.7,
            "A part of the prefix learns, or all of it slowly. Look at how many of its vectors stand before each \
             text, and at which places are pooled.",
        ),
    ],
};

fn plan(seed: u64) -> Plan {
    let tuning = Tuning {
        signature: &signatures::PREFIX,
        sizes: vec![("dropout_permille", 0), ("prefix_length", LENGTH)],
        initial: prefix_and_head,
        learns: |_, _| false,
        epochs: EPOCHS,
        batch_size: BATCH,
        learning_rate: 6e-2,
        stopping_threshold: 0.15,
    };
    tuning.plan(seed)
}

/// Parameters that learn, with their initial values.
fn prefix_and_head(encoder: &Encoder) -> Parameters {
    let mut initials = Initials::default();
    classifier(encoder, &mut initials);
    let mut all = initials.into_all();
    let shape = vec![LENGTH, encoder.config.d_model];
    all.insert("prefix".to_owned(), (shape, Initial::Normal(DEVIATION)));
    all
}
