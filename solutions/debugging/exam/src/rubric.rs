//! Every check of the assignment, in the order in which they are reported.

use debugging_checks::TASKS;
use softmark_checks::Check;
use softmark_exam::rubric::Rubric;
use softmark_exam::{Aspect, Program, SuiteCheck, Visibility};

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
    let mut checks = Rubric { tasks: TASKS, hidden: HIDDEN, program_of, aspects_of }.checks();
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

/// Hidden checks, task by task.
const HIDDEN: &[&[Check]] =
    &[capture::CHECKS, statistics::CHECKS, answers::CHECKS, detectors::CHECKS];
