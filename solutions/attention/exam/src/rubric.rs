//! Every check of the assignment, in the order in which they are reported.

use attention_checks::TASKS;
use softmark_checks::Check;
use softmark_exam::rubric::Rubric;
use softmark_exam::{Aspect, Program, SuiteCheck};

use crate::checks::{
    classifier, learned_position, masked_pooling, multi_head, scaled_dot_product,
    sinusoidal_position,
};

/// Which worker program answers for a task: what stands on other parts is judged with the grader's own
/// inside, so that a mistake in task 1 costs nothing in task 2, and none below anything in task 6.
pub(super) fn program_of(task: &str) -> Program {
    match task {
        "multi-head" => Program::WithReference("multi-head"),
        "classifier" => Program::WithReference("classifier"),
        _ => Program::Own,
    }
}

/// The checks that are about the submission's own parts, put together.
const OWN: [&str; 2] = ["multi-head/own-attention", "classifier/own-parts"];

/// Which worker program answers for a check.
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
        // What a query without keys gets is up to the attention inside, which is right.
        "empty-row" if id.starts_with("multi-head/") => &[Aspect::Plain, Aspect::Masked],
        "mask-hides" | "ignores-padding" => &[Aspect::Masked],
        "empty-row" | "empty-mask" | "empty-text" => &[Aspect::Empty],
        "large-scores" | "negative-channels" | "extreme-heads" | "far-positions"
        | "full-length" => &[Aspect::Extreme],
        "strided-input" => &[Aspect::Strided],
        "gradients" => &[Aspect::Gradient],
        "refuses-misfits"
        | "refuses-uneven-heads"
        | "refuses-odd-width"
        | "refuses-too-long"
        | "refuses-unknown" => &[Aspect::Limit],
        "matches-reference" | "unequal-lengths" | "uses-attention" | "worked-example" => {
            &[Aspect::Plain, Aspect::Masked]
        }
        _ => &[Aspect::Plain],
    }
}

/// Hidden checks, task by task.
const HIDDEN: &[&[Check]] = &[
    scaled_dot_product::CHECKS,
    multi_head::CHECKS,
    sinusoidal_position::CHECKS,
    learned_position::CHECKS,
    masked_pooling::CHECKS,
    classifier::CHECKS,
];
