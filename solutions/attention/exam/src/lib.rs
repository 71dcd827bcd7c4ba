//! The `attention` assignment: its hidden checks, its oracle and its mistake bank.

mod battery;
mod checks;
pub mod imitate;
mod mistakes;
mod oracle;
mod pairs;
mod rounding;
mod rubric;
mod training;
mod truth;

use softmark_exam::{Program, ProgramSpec, Suite, program};

pub use checks::empty_text::judge_empty_text;

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: "attention",
    checks: rubric::checks,
    programs,
    control: reference,
    diagnosed_in: rubric::program_of,
    battery: battery::battery,
    truth: truth::truth,
    rests: None,
    mistakes: mistakes::mistakes,
    pairs: pairs::pairs,
    halves: |task| match task {
        "classifier" => &[|case| case.get_size("norm") == 1],
        _ => &[],
    },
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[],
    optional: &[],
};

/// The submission alone, and each part that stands on others with the solution's below it.
fn programs() -> Vec<(Program, ProgramSpec)> {
    let own = program("own", "attention::<submission::Submission>", None);
    let with_reference = program(
        "with_reference",
        "multi_head_with::<submission::Submission, \
         attention_solution::attention::ScaledDotProduct>",
        Some("attention_solution"),
    );
    let classifier = program(
        "classifier_with_reference",
        "attention_classifier_with::<submission::Submission, attention_solution::Submission>",
        Some("attention_solution"),
    );
    vec![
        (Program::Own, own),
        (Program::WithReference("multi-head"), with_reference),
        (Program::WithReference("classifier"), classifier),
        (Program::Reference, reference()),
    ]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    program("reference", "attention::<attention_solution::Submission>", Some("attention_solution"))
}
