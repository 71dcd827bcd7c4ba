//! Every check of the assignment, in the order in which they are reported.

use encoder_checks::TASKS;
use softmark_exam::rubric::{Row, Rubric};
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
    Rubric { tasks: TASKS, hidden: &[HIDDEN], program_of: asked_in, aspects_of }.checks()
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

const HIDDEN: &[Row] = &[
    (
        "feed-forward/matches-reference",
        "the output is that of the formula, with ReLU and with GELU",
        feed_forward::matches_reference,
    ),
    (
        "feed-forward/refuses-other-widths",
        "an input of another width is an error",
        feed_forward::refuses_other_widths,
    ),
    (
        "feed-forward/strided-input",
        "inputs that are not contiguous in memory make no difference",
        feed_forward::strided_input,
    ),
    (
        "feed-forward/gradients",
        "gradients reach the input and all parameters, and are right",
        feed_forward::gradients,
    ),
    (
        "feed-forward/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        feed_forward::updated_parameters,
    ),
    (
        "feed-forward/dropout-drops",
        "in training, hidden numbers are dropped or scaled, and no others",
        feed_forward::dropout_drops,
    ),
    (
        "encoder-layer/matches-reference",
        "the output is that of the formula, post-norm and pre-norm",
        encoder_layer::matches_reference,
    ),
    ("encoder-layer/epsilon", "what is added to the variance is 1e-5", encoder_layer::epsilon),
    (
        "encoder-layer/strided-input",
        "inputs that are not contiguous in memory make no difference",
        encoder_layer::strided_input,
    ),
    (
        "encoder-layer/gradients",
        "gradients reach the input and all parameters, and are right",
        encoder_layer::gradients,
    ),
    (
        "encoder-layer/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        encoder_layer::updated_parameters,
    ),
    (
        "encoder-layer/dropout-drops",
        "in training, what each sublayer adds is dropped or scaled, and both are told",
        encoder_layer::dropout_drops,
    ),
    (
        "encoder-layer/refuses-uneven-heads",
        "an error of the attention is passed on",
        encoder_layer::refuses_uneven_heads,
    ),
    (
        "encoder-layer/own-feed-forward",
        "with the submission's own network inside, it does what that network makes of it",
        encoder_layer::own_feed_forward,
    ),
    (
        "encoder/matches-reference",
        "the output is that of the formula, post-norm and pre-norm",
        encoder::matches_reference,
    ),
    ("encoder/post-norm", "post-norm layers are stacked without a final norm", encoder::post_norm),
    (
        "encoder/parameter-count",
        "the reference configuration has 419,968 parameters",
        encoder::parameter_count,
    ),
    (
        "encoder/refuses-unknown-ids",
        "an id beyond the vocabulary is an error",
        encoder::refuses_unknown_ids,
    ),
    (
        "encoder/refuses-too-long",
        "a sequence longer than the table of positions is an error",
        encoder::refuses_too_long,
    ),
    (
        "encoder/passes-errors-on",
        "errors of the layers, and of what makes them, are passed on",
        encoder::passes_errors_on,
    ),
    (
        "encoder/gradients",
        "gradients reach the embeddings and all layers, and are right",
        encoder::gradients,
    ),
    (
        "encoder/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        encoder::updated_parameters,
    ),
    (
        "encoder/dropout-drops",
        "in training, embedded tokens are dropped or scaled, and the layers learn too",
        encoder::dropout_drops,
    ),
    (
        "encoder/own-layers",
        "with the submission's own layers inside, it does what they make of it",
        encoder::own_layers,
    ),
    (
        "classifier/matches-reference",
        "the logits are those of the formula, with and without padding",
        classifier::matches_reference,
    ),
    (
        "classifier/empty-mask",
        "a text of padding alone gets the head's bias",
        classifier::empty_mask,
    ),
    (
        "classifier/gradients",
        "gradients reach the encoder and the head, and are right",
        classifier::gradients,
    ),
    (
        "classifier/updated-parameters",
        "what an optimizer writes into the parameters reaches the next call",
        classifier::updated_parameters,
    ),
    (
        "classifier/dropout-reaches",
        "the encoder is passed `train = true` in training",
        classifier::dropout_reaches,
    ),
    (
        "classifier/passes-errors-on",
        "errors of the encoder, and of what makes it, are passed on",
        classifier::passes_errors_on,
    ),
    (
        "classifier/own-encoder",
        "with the submission's own encoder inside, it does what that makes of it",
        classifier::own_encoder,
    ),
    (
        "glove/matches-reference",
        "the table is that of the documentation, random rows included",
        glove::matches_reference,
    ),
    ("glove/letter-case", "a word is looked up as written, then in lower case", glove::letter_case),
    (
        "glove/first-line-counts",
        "of a word that is listed twice, the first line counts",
        glove::first_line_counts,
    ),
    (
        "glove/refuses-no-numbers",
        "a field that is no finite number is an error that names its line",
        glove::refuses_no_numbers,
    ),
    (
        "glove/refuses-other-files",
        "a file with none of the words is an error",
        glove::refuses_other_files,
    ),
    (
        "sweep/matches-reference",
        "trainings, report and choice are those of the documentation",
        sweep::matches_reference,
    ),
    (
        "sweep/first-of-equals",
        "of equal validation accuracies the first wins",
        sweep::first_of_equals,
    ),
    ("sweep/nan-never-wins", "a validation accuracy of NaN never wins", sweep::never_a_number_less),
    ("sweep/within-budget", "the search ends when the budget is spent", sweep::within_budget),
    (
        "sweep/test-plays-no-part",
        "accuracies on training and test examples play no part",
        sweep::test_plays_no_part,
    ),
    (
        "sweep/passes-errors-on",
        "an error of a training is passed on at once",
        sweep::passes_errors_on,
    ),
];
