//! Every check of the assignment, in the order in which they are reported.

use prefix_tuning_checks::TASKS;
use softmark_exam::rubric::{Row, Rubric};
use softmark_exam::{Aspect, Program, SuiteCheck};

use crate::checks::{checkpoint, partial, prefix, steps};

/// A task's public checks, then its hidden ones.
pub(super) fn checks() -> Vec<SuiteCheck> {
    Rubric { tasks: TASKS, hidden: &[HIDDEN], program_of: |_| Program::Own, aspects_of }.checks()
}

/// Which questions show what a check is about.
fn aspects_of(id: &str) -> &'static [Aspect] {
    match id.split_once('/').map_or(id, |(_, check)| check) {
        "ignores-padding" | "clipping" => &[Aspect::Masked],
        "empty-mask" | "without-prefix" | "nan-never-best" => &[Aspect::Empty],
        "keeps-the-best" | "patience" => &[Aspect::Extreme],
        "gradients" | "frozen" => &[Aspect::Gradient],
        "dropout-reaches" | "dropout-drops" | "dropout-rests" => &[Aspect::Dropout],
        "refuses-missing"
        | "refuses-strangers"
        | "refuses-other-base"
        | "refuses-misfit"
        | "unchanged-when-refused"
        | "passes-errors-on" => &[Aspect::Limit],
        _ => &[Aspect::Plain],
    }
}

const HIDDEN: &[Row] = &[
    (
        "prefix/matches-reference",
        "the logits are those of the formula, with and without padding",
        prefix::matches_reference,
    ),
    (
        "prefix/without-prefix",
        "where there is no prefix, the head alone is tuned",
        prefix::without_a_prefix,
    ),
    ("prefix/empty-mask", "a text of padding alone gets the head's bias", prefix::empty_mask),
    (
        "prefix/gradients",
        "gradients reach the prefix and the head, and are right",
        prefix::gradients,
    ),
    ("prefix/frozen", "gradients reach nothing of the encoder", prefix::frozen),
    (
        "prefix/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        prefix::updated_parameters,
    ),
    (
        "prefix/dropout-reaches",
        "in training, and only then, the encoder drops, and nothing else does",
        prefix::dropout_reaches,
    ),
    (
        "prefix/passes-errors-on",
        "errors of the encoder and of the builder are returned",
        prefix::passes_errors_on,
    ),
    (
        "partial/matches-reference",
        "the logits are those of the formula, with and without padding",
        partial::matches_reference,
    ),
    (
        "partial/gradients",
        "gradients reach the last layers and the head, and are right",
        partial::gradients,
    ),
    ("partial/frozen", "gradients reach nothing but the last layers and the head", partial::frozen),
    (
        "partial/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        partial::updated_parameters,
    ),
    (
        "partial/dropout-drops",
        "in training, what goes into the last map is dropped or scaled",
        partial::dropout_drops,
    ),
    (
        "partial/dropout-reaches",
        "in training, and only then, the encoder drops, and nothing else does",
        partial::dropout_reaches,
    ),
    (
        "partial/passes-errors-on",
        "errors of the encoder and of the builder are returned",
        partial::passes_errors_on,
    ),
    (
        "loop/matches-reference",
        "every step is that of AdamW with the learning rate of the formula",
        steps::matches_reference,
    ),
    ("loop/clipping", "gradients are clipped by the norm of all that learns", steps::clipping),
    (
        "loop/keeps-the-best",
        "at the end the parameters are those of the best epoch",
        steps::keeps_the_best,
    ),
    ("loop/patience", "the loop ends when there was no new best for long enough", steps::patience),
    (
        "loop/nan-never-best",
        "a validation loss of NaN is never the best, and an infinite one may be",
        steps::nan_never_best,
    ),
    ("loop/passes-errors", "an error of the problem is returned", steps::passes_errors),
    (
        "checkpoint/labels",
        "the names of the classes keep their order, and what else is said stays",
        checkpoint::labels,
    ),
    (
        "checkpoint/refuses-missing",
        "a checkpoint that lacks a tuned parameter is an error",
        checkpoint::refuses_missing,
    ),
    (
        "checkpoint/refuses-strangers",
        "a checkpoint with a tensor that is not tuned is an error",
        checkpoint::refuses_strangers,
    ),
    (
        "checkpoint/refuses-other-base",
        "a checkpoint of another encoder is an error",
        checkpoint::refuses_other_base,
    ),
    (
        "checkpoint/refuses-misfit",
        "a tensor of another shape is an error",
        checkpoint::refuses_misfit,
    ),
    (
        "checkpoint/unchanged-when-refused",
        "whatever is refused changes no parameter",
        checkpoint::unchanged_when_refused,
    ),
];
