//! The `attention` assignment: its hidden checks, its oracle and its mistake bank.

mod battery;
mod checks;
mod imitate;
mod mistakes;
mod oracle;
mod rubric;
mod truth;

use crate::build::ProgramSpec;
use crate::suite::{Program, Suite};

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: "attention",
    checks: rubric::checks,
    programs,
    diagnosed_in: rubric::program_of,
    battery: battery::battery,
    truth: truth::truth,
    mistakes: mistakes::mistakes,
    trainings: &[],
};

/// The submission alone, and multi-head attention with the solution's attention inside.
fn programs() -> Vec<(Program, ProgramSpec)> {
    let spec = |name: &str, table: &str, libraries: &[&str]| ProgramSpec {
        name: name.to_owned(),
        main: format!(
            "fn main() -> std::process::ExitCode {{ softmark_worker::serve(softmark_worker::{table}) }}"
        ),
        libraries: libraries.iter().map(|name| (*name).to_owned()).collect(),
    };
    let own = spec("own", "attention::<submission::Submission>", &["softmark_worker"]);
    let with_reference = spec(
        "with_reference",
        "multi_head_with::<submission::Submission, \
         attention_solution::attention::ScaledDotProduct>",
        &["softmark_worker", "attention_solution"],
    );
    vec![(Program::Own, own), (Program::WithReference, with_reference)]
}
