//! The exam of the assignment: formula, hidden checks, known mistakes.

mod residual;

use sample_id_checks::TASKS;

use softmark_exam::rubric::{Check, Rubric};
use softmark_exam::typed::Derived;
use softmark_exam::{
    Aspect, Mistake, Program, ProgramSpec, Suite, SuiteCheck, hidden_checks, mistake, program,
};

use residual::ScaledResidualFormula;

/// Id of the assignment.
const ID: &str = "sample-id";

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: ID,
    checks,
    programs,
    reference,
    diagnosed_in: |_| Program::Own,
    battery: |task| Derived::battery_of(DERIVED, task),
    truth: |case| Derived::truth_of(DERIVED, case),
    rests: None,
    mistakes,
    pairs: |_| Vec::new(),
    halves: |_| &[],
    trainings: &[],
    uploads: &[],
    borrows: &[],
    optional: &[],
    sources: softmark_exam::sources!(),
};

/// The formula of each task.
const DERIVED: &[Derived] = &[Derived::of::<ScaledResidualFormula>()];

const SCALED_RESIDUAL: &[Check] = &hidden_checks!(
    ScaledResidualFormula, "scaled-residual":
    matches_reference, extreme_numbers, strided_input, gradients, updated_parameters, refuses
);

fn checks() -> Vec<SuiteCheck> {
    let program_of = |_: &str| Program::Own;
    Rubric { tasks: TASKS, hidden: &[SCALED_RESIDUAL], program_of, aspects_of }.checks()
}

/// Returns the diagnostic cases that show what a check is about.
fn aspects_of(id: &str) -> &'static [Aspect] {
    match id.split_once('/').map_or(id, |(_, check)| check) {
        "extreme-numbers" => &[Aspect::Extreme],
        "strided-input" => &[Aspect::Strided],
        "gradients" => &[Aspect::Gradient],
        "refuses" => &[Aspect::Limit],
        _ => &[Aspect::Plain],
    }
}

/// Returns the programs that are made of a submission.
fn programs() -> Vec<(Program, ProgramSpec)> {
    let own = program(ID, "own", "components::<submission::Submission>");
    vec![(Program::Own, own)]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    program(ID, "reference", "components::<solution::Submission>")
}

/// Known mistakes, recognised by the recorded answers of their mutants.
fn mistakes() -> Vec<Mistake> {
    vec![
        mistake!("sample-id-residual-missing", recorded: ["residual-missing"]),
        mistake!("sample-id-scale-ignored", recorded: ["scale-ignored"]),
    ]
}
