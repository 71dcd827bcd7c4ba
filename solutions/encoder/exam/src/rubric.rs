//! Every check of the assignment, in the order in which they are reported.

use encoder_checks::TASKS;
use softmark_checks::Check;
use softmark_exam::rubric::Rubric;
use softmark_exam::{Aspect, Program, SuiteCheck};

use crate::checks::{classifier, encoder, encoder_layer, feed_forward, glove, sweep};

/// Which worker program answers for a task: what stands on other parts is judged with the grader's own
/// below it, so that a mistake costs points in its own task alone.
pub(super) fn program_of(task: &str) -> Program {
    match task {
        "encoder-layer" => Program::WithReference("encoder-layer"),
        "encoder" => Program::WithReference("encoder"),
        "classifier" => Program::WithReference("classifier"),
        _ => Program::Own,
    }
}

/// The checks that are about the submission's own parts, put together.
const OWN: [&str; 3] =
    ["encoder-layer/own-feed-forward", "encoder/own-layers", "classifier/own-encoder"];

fn asked_in(id: &str) -> Program {
    let task = id.split_once('/').map_or(id, |(task, _)| task);
    if OWN.contains(&id) { Program::Own } else { program_of(task) }
}

/// A task's public checks, then its hidden ones.
pub(super) fn checks() -> Vec<SuiteCheck> {
    Rubric { tasks: TASKS, hidden: HIDDEN, program_of: asked_in, aspects_of }.checks()
}

/// Which questions show what a check is about.
fn aspects_of(id: &str) -> &'static [Aspect] {
    match id.split_once('/').map_or(id, |(_, check)| check) {
        "ignores-padding" | "mean-of-tokens" => &[Aspect::Masked],
        "empty-mask" => &[Aspect::Empty],
        "epsilon" | "exact-gelu" | "nan-never-wins" | "first-of-equals" | "within-budget"
        | "first-line-counts" | "letter-case" => &[Aspect::Extreme],
        "strided-input" => &[Aspect::Strided],
        "gradients" => &[Aspect::Gradient],
        "dropout-drops" | "dropout-rests" | "dropout-reaches" => &[Aspect::Dropout],
        "refuses-uneven-heads"
        | "refuses-unknown-ids"
        | "refuses-too-long"
        | "refuses-ragged-lines"
        | "refuses-no-numbers"
        | "refuses-other-files"
        | "refuses-other-widths"
        | "passes-errors-on" => &[Aspect::Limit],
        "matches-reference" => &[Aspect::Plain, Aspect::Masked],
        _ => &[Aspect::Plain],
    }
}

/// Hidden checks, task by task.
const HIDDEN: &[&[Check]] = &[
    feed_forward::CHECKS,
    encoder_layer::CHECKS,
    encoder::CHECKS,
    classifier::CHECKS,
    glove::CHECKS,
    sweep::CHECKS,
];
