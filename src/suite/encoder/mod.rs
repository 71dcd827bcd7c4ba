//! The `encoder` assignment: its hidden checks, its oracle and its mistake bank.

pub(in crate::suite) mod battery;
pub(in crate::suite) mod checks;
pub(in crate::suite) mod imitate;
pub(in crate::suite) mod mistakes;
pub(in crate::suite) mod oracle;
pub(in crate::suite) mod pairs;
pub(in crate::suite) mod rounding;
mod rubric;
pub(in crate::suite) mod training;
pub(in crate::suite) mod truth;

use crate::build::ProgramSpec;
use crate::suite::rubric::program;
use crate::suite::{Half, Program, Suite};

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: "encoder",
    checks: rubric::checks,
    programs,
    diagnosed_in: rubric::program_of,
    battery: battery::battery,
    truth: truth::truth,
    rests: None,
    mistakes: mistakes::mistakes,
    pairs: pairs::pairs,
    halves,
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[],
    optional: &[],
};

/// Switches of a task: position of the norms, activation, and whether the model learns.
pub(in crate::suite) fn halves(task: &str) -> &'static [Half] {
    const PRE_NORM: Half = |case| case.get_size("pre_norm") == 1;
    const GELU: Half = |case| case.get_size("gelu") == 1;
    const LEARNS: Half = |case| case.get_size("train") == 1;
    match task {
        "feed-forward" => &[GELU, LEARNS],
        "encoder-layer" | "encoder" | "classifier" => &[PRE_NORM, LEARNS],
        _ => &[],
    }
}

/// The submission alone, and each part that stands on others with the solution's below it.
fn programs() -> Vec<(Program, ProgramSpec)> {
    let own = program("own", "encoder::<submission::Submission>", None);
    let alone = |task: &'static str, name: &str, table: &str| {
        let table = format!("{table}::<submission::Submission, encoder_solution::Submission>");
        let spec = program(name, &table, Some("encoder_solution"));
        (Program::WithReference(task), spec)
    };
    let reference = "encoder::<encoder_solution::Submission>";
    let reference = program("reference", reference, Some("encoder_solution"));
    vec![
        (Program::Own, own),
        alone("encoder-layer", "layer_with_reference", "layer_with"),
        alone("encoder", "encoder_with_reference", "encoder_with"),
        alone("classifier", "classifier_with_reference", "classifier_with"),
        (Program::Reference, reference),
    ]
}
