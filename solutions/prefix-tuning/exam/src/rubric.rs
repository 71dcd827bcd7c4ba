//! Every check of the assignment, in the order in which they are reported.

use prefix_tuning_checks::TASKS;
use softmark_checks::Check;
use softmark_exam::rubric::Rubric;
use softmark_exam::{Aspect, Program, SuiteCheck};

use crate::checks::{checkpoint, partial, prefix, steps};

/// A task's public checks, then its hidden ones.
pub(super) fn checks() -> Vec<SuiteCheck> {
    Rubric { tasks: TASKS, hidden: HIDDEN, program_of: |_| Program::Own, aspects_of }.checks()
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

/// Hidden checks, task by task.
const HIDDEN: &[&[Check]] = &[prefix::CHECKS, partial::CHECKS, steps::CHECKS, checkpoint::CHECKS];
