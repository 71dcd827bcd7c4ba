//! The `prefix-tuning` assignment: its hidden checks, its oracle and its mistake bank.

mod battery;
mod checks;
mod course;
mod encoder;
mod imitate;
mod mistakes;
mod network;
mod oracle;
mod rubric;
mod training;
mod upload;

use prefix_tuning_checks::cases::TuningShape;
use softmark_exam::{Program, ProgramSpec, Suite, program};

/// Id of the assignment.
const ID: &str = "prefix-tuning";

/// All that is asked of it. No part stands on another one, and the encoder below is the kit's.
pub const SUITE: Suite = Suite {
    id: ID,
    checks: rubric::checks,
    programs,
    reference,
    diagnosed_in: |_| Program::Own,
    battery: battery::battery,
    truth: oracle::expected_response,
    rests: Some(|case, _, to| !TuningShape::learns(case, to)),
    mistakes: mistakes::mistakes,
    pairs: mistakes::pairs,
    halves: |task| match task {
        "prefix" | "partial" => &[|case| case.get_size("train") == 1],
        _ => &[],
    },
    trainings: &[training::PREFIX, training::PARTIAL],
    uploads: &[upload::UPLOAD],
    borrows: &[],
    optional: &[],
    sources: softmark_exam::sources!(),
};

/// The submission alone, and the solution alone.
fn programs() -> Vec<(Program, ProgramSpec)> {
    vec![(Program::Own, program(ID, "own", "components::<submission::Submission>"))]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    program(ID, "reference", "components::<solution::Submission>")
}
