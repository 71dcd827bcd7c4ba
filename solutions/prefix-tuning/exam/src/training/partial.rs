//! The classifier of task 2: the encoder's last layers learn.

use prefix_tuning_checks::signatures;
use softmark_exam::check::Plan;
use softmark_exam::initial::Initials;
use softmark_exam::{Program, Training, WORSE_THAN_A_GUESS};

use crate::encoder::Encoder;
use crate::training::{Parameters, Tuning, classifier};

/// Layers that learn.
const UNFROZEN: usize = 2;

/// On 20 seeds the solution is right in 99.7 % or more, which misses no threshold.
const EPOCHS: u32 = 3;

/// The task.
pub(crate) const TRAINING: Training = Training {
    task: "training",
    examples: "questions",
    program: Program::Own,
    with_reference: None,
    parts: &["partial"],
    below: &[],
    // More than a head gets out of an encoder that stays as it is: whoever reads words off the rows of the
    // embedding gets no further without layers that have learned.
    least_learned: Some(0.7),
    plan,
    levels: &[
        WORSE_THAN_A_GUESS,
        (
            0.1,
            "A guess is right in 17 of 100, so hardly anything was learned. Look at the checks on \
             gradients of task 2 first: what no gradient reaches stays what it was.",
        ),
        (
            0.3,
            "That is about what a head alone learns on an encoder that stays as it is. Look at which \
             layers learn.",
        ),
        (
            0.7,
            "Some of the layers learn, or all of them slowly. Look at which they are, and at what the \
             head is made of.",
        ),
    ],
};

fn plan(seed: u64) -> Plan {
    let tuning = Tuning {
        signature: &signatures::PARTIAL,
        sizes: vec![("dropout_permille", 100), ("unfrozen", UNFROZEN)],
        initial: head,
        learns,
        epochs: EPOCHS,
        batch_size: 32,
        learning_rate: 2e-3,
        stopping_threshold: 0.1,
    };
    tuning.plan(seed)
}

/// True if a parameter belongs to the last layers of an encoder with so many layers.
fn learns(name: &str, layers: usize) -> bool {
    let last = layers.saturating_sub(UNFROZEN)..layers;
    last.into_iter().any(|layer| name.starts_with(&format!("base.layers.{layer}.")))
}

/// The head before it is tuned.
fn head(encoder: &Encoder) -> Parameters {
    let d = encoder.config.d_model;
    let mut initials = Initials::default();
    initials.linear("linear1", d, d);
    initials.norm("norm", d);
    classifier(encoder, &mut initials);
    initials.into_all()
}
