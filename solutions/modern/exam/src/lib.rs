//! The exam of the `modern` assignment: formulas, hidden checks, known mistakes, training.

mod far_positions;
mod formulas;
mod long_texts;
mod mistakes;
mod training;

use modern_checks::TASKS;
use softmark_checks::{Case, Check};
use softmark_exam::rubric::Rubric;
use softmark_exam::typed::Derived;
use softmark_exam::{
    Aspect, Program, ProgramSpec, Question, Response, StudentCrates, Suite, SuiteCheck,
    hidden_checks, program,
};

use far_positions::FAR_POSITIONS;
use formulas::{
    DecoderBlockFormula, GroupedQueryFormula, RmsNormFormula, RotaryFormula, SwiGluFormula,
};

/// Id of the assignment.
const ID: &str = "modern";

/// All that is asked of it.
pub const SUITE: Suite = Suite {
    id: ID,
    checks,
    programs,
    reference,
    diagnosed_in: program_of,
    battery,
    truth,
    rests: None,
    mistakes: mistakes::mistakes,
    pairs: |_| Vec::new(),
    halves: |_| &[],
    trainings: &[training::TRAINING],
    uploads: &[],
    borrows: &[],
    optional: &[],
    sources: softmark_exam::sources!(),
};

const DERIVED: &[Derived] = &[
    Derived::of::<RmsNormFormula>(),
    Derived::of::<SwiGluFormula>(),
    Derived::of::<RotaryFormula>(),
    Derived::of::<GroupedQueryFormula>(),
    Derived::of::<DecoderBlockFormula>(),
];

// As closures in `SUITE` they would be compiled with the program, which is not optimised.
fn battery(task: &str) -> Vec<Question> {
    Derived::battery_of(DERIVED, task)
}

fn truth(case: &Case) -> Response {
    Derived::truth_of(DERIVED, case)
}

const RMS_NORM: &[Check] = &hidden_checks!(
    RmsNormFormula, "rms-norm":
    matches_reference, extreme_numbers, strided_input, gradients, updated_parameters, refuses
);
const SWIGLU: &[Check] = &hidden_checks!(
    SwiGluFormula, "swiglu":
    matches_reference, extreme_numbers, strided_input, gradients, updated_parameters
);
const ROTARY: &[Check] = &hidden_checks!(
    RotaryFormula, "rotary":
    matches_reference, extreme_numbers, strided_input, gradients, refuses
);
const GROUPED_QUERY: &[Check] = &hidden_checks!(
    GroupedQueryFormula, "grouped-query":
    matches_reference, extreme_numbers, strided_input, gradients, updated_parameters, refuses
);
const DECODER_BLOCK: &[Check] = &hidden_checks!(
    DecoderBlockFormula, "decoder-block":
    matches_reference, extreme_numbers, strided_input, gradients, updated_parameters, refuses
);

fn checks() -> Vec<SuiteCheck> {
    let hidden = &[
        RMS_NORM,
        SWIGLU,
        ROTARY,
        &[FAR_POSITIONS],
        GROUPED_QUERY,
        &[long_texts::OF_ATTENTION],
        DECODER_BLOCK,
        &[long_texts::OF_BLOCK],
    ];
    Rubric { tasks: TASKS, hidden, program_of, aspects_of }.checks()
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

/// Returns the program in which a task or one of its checks is asked: what stands on other components has the grader's
/// own below it.
fn program_of(id: &str) -> Program {
    match id.split_once('/').map_or(id, |(task, _)| task) {
        "grouped-query" => Program::WithReference("grouped-query"),
        "decoder-block" => Program::WithReference("decoder-block"),
        _ => Program::Own,
    }
}

/// Returns the program `name`, for code that uses candle-nn as the assignment gives it.
fn modern_program(name: &str, components: &str) -> ProgramSpec {
    let program = program(ID, name, components);
    let crates = StudentCrates { candle_nn: "modern_candle_nn".to_owned(), ..program.crates };
    ProgramSpec { crates, ..program }
}

fn programs() -> Vec<(Program, ProgramSpec)> {
    let with = |task: &'static str, name: &str, components: &str| {
        let components = format!("{components}::<submission::Submission, solution::Submission>");
        (Program::WithReference(task), modern_program(name, &components))
    };
    vec![
        (Program::Own, modern_program("own", "components::<submission::Submission>")),
        with("grouped-query", "attention_with_reference", "grouped_query_with"),
        with("decoder-block", "block_with_reference", "decoder_block_with"),
    ]
}

/// The solution alone.
fn reference() -> ProgramSpec {
    modern_program("reference", "components::<solution::Submission>")
}
