//! Every check of the assignment, in the order in which they are reported.

use attention_checks::TASKS;
use softmark_exam::rubric::{Row, Rubric};
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

/// The one check of multi-head attention that is about the submission's own attention.
const OWN_ATTENTION: &str = "multi-head/own-attention";

/// The one check of the classifier that is about the submission's own parts.
const OWN_PARTS: &str = "classifier/own-parts";

/// Which worker program answers for a check.
fn asked_in(id: &str) -> Program {
    let task = id.split_once('/').map_or(id, |(task, _)| task);
    if [OWN_ATTENTION, OWN_PARTS].contains(&id) { Program::Own } else { program_of(task) }
}

/// A task's public checks, then its hidden ones.
pub(super) fn checks() -> Vec<SuiteCheck> {
    Rubric { tasks: TASKS, hidden: &[HIDDEN], program_of: asked_in, aspects_of }.checks()
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

const HIDDEN: &[Row] = &[
    (
        "scaled-dot-product/matches-reference",
        "output and weights are those of the formula",
        scaled_dot_product::matches_reference,
    ),
    (
        "scaled-dot-product/unequal-lengths",
        "queries and keys may differ in number",
        scaled_dot_product::unequal_lengths,
    ),
    (
        "scaled-dot-product/empty-row",
        "fully masked queries return zeros",
        scaled_dot_product::empty_row,
    ),
    (
        "scaled-dot-product/large-scores",
        "scores far from zero come out finite and right, with a mask and without",
        scaled_dot_product::large_scores,
    ),
    (
        "scaled-dot-product/strided-input",
        "inputs that are not contiguous in memory make no difference",
        scaled_dot_product::strided_input,
    ),
    (
        "scaled-dot-product/batch-independence",
        "heads and examples do not mix",
        scaled_dot_product::batch_independence,
    ),
    (
        "scaled-dot-product/gradients",
        "gradients reach query, key and value, and are right",
        scaled_dot_product::gradients,
    ),
    (
        "scaled-dot-product/refuses-misfits",
        "shapes that do not fit are an error",
        scaled_dot_product::refuses_misfits,
    ),
    (
        "multi-head/matches-reference",
        "output and weights are those of the formula, for self- and cross-attention",
        multi_head::matches_reference,
    ),
    (
        "multi-head/unequal-lengths",
        "queries and keys may differ in number",
        multi_head::unequal_lengths,
    ),
    (
        "multi-head/extreme-heads",
        "one head, and as many heads as channels, are no special cases",
        multi_head::extreme_heads,
    ),
    (
        "multi-head/empty-row",
        "a query that may look at nothing gets the bias of out_proj",
        multi_head::empty_row,
    ),
    (
        "multi-head/uses-attention",
        "the attention that is handed in is the one that is used",
        multi_head::uses_attention,
    ),
    (
        "multi-head/strided-input",
        "inputs that are not contiguous in memory make no difference",
        multi_head::strided_input,
    ),
    ("multi-head/batch-independence", "examples do not mix", multi_head::batch_independence),
    (
        "multi-head/gradients",
        "gradients reach all inputs and all parameters, and are right",
        multi_head::gradients,
    ),
    (
        "multi-head/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        multi_head::updated_parameters,
    ),
    (
        "multi-head/refuses-uneven-heads",
        "no heads, and a width that they do not divide, are errors",
        multi_head::refuses_uneven_heads,
    ),
    (
        "multi-head/refuses-misfits",
        "shapes that do not fit are an error",
        multi_head::refuses_misfits,
    ),
    (
        OWN_ATTENTION,
        "with the submission's own attention inside, it does what that attention makes of it",
        multi_head::own_attention,
    ),
    (
        "sinusoidal-position/matches-reference",
        "the sines and cosines are those of the formula",
        sinusoidal_position::matches_reference,
    ),
    (
        "sinusoidal-position/far-positions",
        "they still are, thousands of positions on",
        sinusoidal_position::far_positions,
    ),
    (
        "sinusoidal-position/refuses-odd-width",
        "an odd width is an error",
        sinusoidal_position::refuses_odd_width,
    ),
    (
        "sinusoidal-position/refuses-too-long",
        "a sequence longer than the table is an error",
        sinusoidal_position::refuses_too_long,
    ),
    (
        "sinusoidal-position/refuses-misfits",
        "an input of another width is an error",
        sinusoidal_position::refuses_misfits,
    ),
    (
        "sinusoidal-position/gradients",
        "the gradient passes through unchanged",
        sinusoidal_position::gradients,
    ),
    (
        "learned-position/full-length",
        "a sequence as long as the table uses every row",
        learned_position::full_length,
    ),
    (
        "learned-position/strided-input",
        "inputs that are not contiguous in memory make no difference",
        learned_position::strided_input,
    ),
    (
        "learned-position/refuses-too-long",
        "a sequence longer than the table is an error",
        learned_position::refuses_too_long,
    ),
    (
        "learned-position/refuses-misfits",
        "an input of another width is an error",
        learned_position::refuses_misfits,
    ),
    (
        "learned-position/gradients",
        "the gradient reaches the rows that were used, and no others",
        learned_position::gradients,
    ),
    (
        "learned-position/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        learned_position::updated_parameters,
    ),
    (
        "masked-pooling/matches-reference",
        "mean, maximum and first token are those of the formula",
        masked_pooling::matches_reference,
    ),
    (
        "masked-pooling/empty-mask",
        "a sequence of padding alone is pooled to zeros",
        masked_pooling::empty_mask,
    ),
    (
        "masked-pooling/negative-channels",
        "padding does not win where every number is negative",
        masked_pooling::negative_channels,
    ),
    (
        "masked-pooling/strided-input",
        "inputs that are not contiguous in memory make no difference",
        masked_pooling::strided_input,
    ),
    (
        "masked-pooling/gradients",
        "gradients reach the tokens that were pooled",
        masked_pooling::gradients,
    ),
    (
        "masked-pooling/refuses-misfits",
        "a mask of another shape is an error",
        masked_pooling::refuses_misfits,
    ),
    (
        "classifier/matches-reference",
        "the logits are those of the formula, with and without padding",
        classifier::matches_reference,
    ),
    (
        "classifier/norm",
        "where the config asks for a norm, it follows the attention",
        classifier::with_a_norm,
    ),
    (
        "classifier/poolings",
        "texts are pooled in the way that the config says",
        classifier::poolings,
    ),
    (
        "classifier/empty-text",
        "a text of padding alone gets the head's bias",
        classifier::empty_text,
    ),
    (
        "classifier/refuses-unknown",
        "ids beyond the vocabulary, and texts that are too long, are errors",
        classifier::refuses_unknown,
    ),
    (
        "classifier/gradients",
        "gradients reach all parameters, and are right",
        classifier::gradients,
    ),
    (
        "classifier/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        classifier::updated_parameters,
    ),
    (
        OWN_PARTS,
        "with the submission's own parts inside, it does what they make of it",
        classifier::own_parts,
    ),
];
