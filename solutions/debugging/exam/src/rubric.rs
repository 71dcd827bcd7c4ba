//! Every check of the assignment, in the order in which they are reported.

use debugging_checks::TASKS;
use softmark_exam::rubric::{Row, Rubric};
use softmark_exam::{Aspect, Program, SuiteCheck, Visibility};

use crate::bank::FAMILIES;
use crate::checks::{answers, capture, detectors, statistics};

/// Which worker program answers for a task. What stands below the layer is provided, and put back
/// whatever a submission holds, so no part needs another one's solution.
pub(super) fn program_of(task: &str) -> Program {
    match task.split_once('/').map_or(task, |(task, _)| task) {
        "diagnosis" | "patients" => Program::Answers,
        _ => Program::Own,
    }
}

/// The task that is the encoder assignment's.
const LAYER: &str = "encoder-layer";

/// Returns each task's public checks, followed by its hidden ones; the hidden checks of the layer are those of
/// the encoder assignment.
pub(super) fn checks() -> Vec<SuiteCheck> {
    let mut checks = Rubric { tasks: TASKS, hidden: &[HIDDEN], program_of, aspects_of }.checks();
    let last = checks.iter().rposition(|it| it.check.task() == LAYER);
    let at = last.map_or(checks.len(), |last| last + 1);
    checks.splice(at..at, hidden_of_layer());
    checks
}

/// Returns the hidden checks of the layer, without those of the submission's own parts inside it: here the
/// parts inside are provided.
fn hidden_of_layer() -> impl Iterator<Item = SuiteCheck> {
    let is_hidden = |it: &SuiteCheck| it.visibility == Visibility::Hidden;
    let is_of_own_parts = |it: &SuiteCheck| it.program == Program::Own;
    let of_layer = (encoder_exam::SUITE.checks)().into_iter().filter(|it| it.check.task() == LAYER);
    of_layer.filter(move |it| is_hidden(it) && !is_of_own_parts(it)).map(asked_here)
}

/// Returns the check of the encoder assignment as it is asked here.
fn asked_here(mut it: SuiteCheck) -> SuiteCheck {
    it.program = Program::Own;
    if it.check.id == "encoder-layer/dropout-drops" {
        it.check.title = "in training, what each sublayer adds is dropped or scaled";
    }
    it
}

/// Which questions show what a check is about.
fn aspects_of(id: &str) -> &'static [Aspect] {
    match id.split_once('/').map_or(id, |(_, check)| check) {
        "ignores-padding" | "on-padding" => &[Aspect::Masked],
        "epsilon" => &[Aspect::Extreme],
        "strided-input" => &[Aspect::Strided],
        "gradients" => &[Aspect::Gradient],
        "dropout-drops" | "dropout-rests" => &[Aspect::Dropout],
        "refuses-uneven-heads" | "refuses-no-token" => &[Aspect::Limit],
        "ignores-empty-texts" => &[Aspect::Empty],
        "ignores-padded-queries" | "every-query-counts" | "matches-reference" => {
            &[Aspect::Plain, Aspect::Masked]
        }
        _ => &[Aspect::Plain],
    }
}

const HIDDEN: &[Row] = &[
    (
        "capture/only-its-module",
        "calls of other modules, and calls before and after the epoch, are not captured",
        capture::only_its_module,
    ),
    ("capture/no-history", "nothing of the training graph is kept", capture::no_history),
    (
        "capture/removes-hook-on-error",
        "when the epoch ends in an error, the hook is gone all the same",
        capture::removes_hook_on_error,
    ),
    ("capture/passes-errors", "an epoch's error is returned as it is", capture::passes_errors),
    (
        "capture/refuses-unknown-modules",
        "a module that is not there is an error, before anything is run",
        capture::refuses_unknown_modules,
    ),
    (
        "capture/refuses-missing-weights",
        "a call that shows no weights is an error",
        capture::refuses_missing_weights,
    ),
    (
        "statistics/matches-reference",
        "the three numbers are those of the formulas",
        statistics::matches_reference,
    ),
    (
        "statistics/every-query-counts",
        "every real query of the batch counts once",
        statistics::every_query_counts,
    ),
    (
        "statistics/ignores-padded-queries",
        "rows of padded queries play no part, whatever stands in them",
        statistics::ignores_padded_queries,
    ),
    (
        "statistics/ignores-empty-texts",
        "a text of padding alone in a batch plays no part",
        statistics::ignores_empty_texts,
    ),
    (
        "statistics/strided-input",
        "inputs that are not contiguous in memory make no difference",
        statistics::strided_input,
    ),
    (
        "statistics/refuses-no-token",
        "a batch without a real token is an error",
        statistics::refuses_no_token,
    ),
    ("diagnosis/first", "what is wrong with the first half is named", answers::first),
    (
        "diagnosis/first-line",
        "the line of the first half that has to change is given",
        answers::first_line,
    ),
    ("diagnosis/second", "what is wrong with the second half is named", answers::second),
    (
        "diagnosis/second-line",
        "the line of the second half that has to change is given",
        answers::second_line,
    ),
    (
        "diagnosis/order",
        "each bug and each line stands under the half that it is in",
        answers::order,
    ),
    ("diagnosis/symptom", "what attention does in the upper layers is seen", answers::symptom),
    (FAMILIES[0].check, FAMILIES[0].title, detectors::residuals),
    (FAMILIES[1].check, FAMILIES[1].title, detectors::padding),
    (FAMILIES[2].check, FAMILIES[2].title, detectors::scores),
    (FAMILIES[3].check, FAMILIES[3].title, detectors::softmax),
    (FAMILIES[4].check, FAMILIES[4].title, detectors::batch),
    (FAMILIES[5].check, FAMILIES[5].title, detectors::heads),
    (FAMILIES[6].check, FAMILIES[6].title, detectors::norms),
    (FAMILIES[7].check, FAMILIES[7].title, detectors::network),
    ("patients/p01", "the first patient's illness and its line", answers::p01),
    ("patients/p02", "the second patient's illness and its line", answers::p02),
    ("patients/p03", "the third patient's illness and its line", answers::p03),
    ("patients/p04", "the fourth patient's illness and its line", answers::p04),
    ("patients/p05", "the fifth patient's illness and its line", answers::p05),
    ("patients/p06", "the sixth patient's illness and its line", answers::p06),
    ("patients/p07", "the seventh patient's illness and its line", answers::p07),
    ("patients/p08", "the eighth patient's illness and its line", answers::p08),
    ("patients/p09", "the ninth patient's illness and its line", answers::p09),
    ("patients/p10", "the tenth patient's illness and its line", answers::p10),
    ("patients/p11", "the eleventh patient's illness and its line", answers::p11),
];
