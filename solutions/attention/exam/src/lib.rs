//! The `attention` assignment: its hidden checks, its oracle and its mistake bank.

mod battery;
mod checks;
pub mod imitate;
mod mistakes;
mod oracle;
mod rounding;
mod rubric;
mod training;
mod truth;

use softmark_exam::{Program, ProgramSpec, Suite, program};

pub use checks::empty_text::judge_empty_text;

/// Id of the assignment.
const ID: &str = "attention";

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
    halves: |task| match task {
        "classifier" => &[|case| case.get_size("norm") == 1],
        _ => &[],
    },
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[],
    optional: &[],
    sources: softmark_exam::sources!(),
};

/// The submission alone, and each part that stands on others with the solution's below it.
fn programs() -> Vec<(Program, ProgramSpec)> {
    let own = program(ID, "own", "components::<submission::Submission>");
    let with_reference = program(
        ID,
        "with_reference",
        "multi_head_with::<submission::Submission, solution::attention::ScaledDotProduct>",
    );
    let classifier = program(
        ID,
        "classifier_with_reference",
        "classifier_with::<submission::Submission, solution::Submission>",
    );
    vec![
        (Program::Own, own),
        (Program::WithReference("multi-head"), with_reference),
        (Program::WithReference("classifier"), classifier),
    ]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    program(ID, "reference", "components::<solution::Submission>")
}
