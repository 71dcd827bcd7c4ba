//! The `encoder` assignment: its hidden checks, its oracle and its mistake bank.

mod battery;
mod checks;
pub mod imitate;
mod mistakes;
mod oracle;
mod rounding;
mod rubric;
mod training;
mod truth;

use softmark_exam::{Half, Program, ProgramSpec, Suite, program};

pub use checks::encoder_limits::too_long;
pub use training::plan_of;

/// Id of the assignment.
const ID: &str = "encoder";

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: ID,
    checks: rubric::checks,
    programs,
    reference,
    diagnosed_in: rubric::program_of,
    battery: battery::battery,
    truth: truth::expected_response,
    rests: None,
    mistakes: mistakes::mistakes,
    pairs: mistakes::pairs,
    halves,
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[],
    optional: &[],
    sources: softmark_exam::sources!(),
};

/// Switches of a task: position of the norms, activation, and whether the model learns.
fn halves(task: &str) -> &'static [Half] {
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
    let own = program(ID, "own", "components::<submission::Submission>");
    let alone = |task: &'static str, name: &str, components: &str| {
        let components = format!("{components}::<submission::Submission, solution::Submission>");
        (Program::WithReference(task), program(ID, name, &components))
    };
    vec![
        (Program::Own, own),
        alone("encoder-layer", "layer_with_reference", "layer_with"),
        alone("encoder", "encoder_with_reference", "encoder_with"),
        alone("classifier", "classifier_with_reference", "classifier_with"),
    ]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    program(ID, "reference", "components::<solution::Submission>")
}
