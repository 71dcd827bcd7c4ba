//! The `debugging` assignment: its hidden checks, its oracle, its mistake bank, the key to its answers and
//! the layers that detectors are let loose on.

mod bank;
mod battery;
mod checks;
mod imitate;
mod key;
mod mistakes;
mod oracle;
mod rubric;
mod training;

use softmark_exam::{Borrowed, Program, Suite, program};

/// Id of the assignment.
const ID: &str = "debugging";

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: ID,
    checks: rubric::checks,
    programs: || vec![(Program::Own, program(ID, "own", "components::<submission::Submission>"))],
    reference: || program(ID, "reference", "components::<solution::Submission>"),
    diagnosed_in: rubric::program_of,
    battery: battery::battery,
    truth: oracle::expected_response,
    rests: None,
    mistakes: mistakes::mistakes,
    pairs: mistakes::pairs,
    halves: encoder_exam::SUITE.halves,
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[Borrowed { from: "encoder", task: "encoder-layer", file: "layer.rs" }],
    optional: &["patients"],
    sources: softmark_exam::sources!(),
};
