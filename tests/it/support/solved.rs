//! The solutions, asked in this process.

use softmark::suite::Program;
use softmark_worker::{
    InProcess, PartTable, attention, attention_classifier_with, classifier_with, encoder,
    encoder_with, layer_with, multi_head_with,
};

type Attention = attention_solution::Submission;
type Encoder = encoder_solution::Submission;

fn table(assignment: &str, program: Program) -> PartTable {
    match (assignment, program) {
        ("attention", Program::Own) => attention::<Attention>(),
        ("attention", Program::WithReference("multi-head")) => {
            multi_head_with::<Attention, attention_solution::attention::ScaledDotProduct>()
        }
        ("attention", Program::WithReference("classifier")) => {
            attention_classifier_with::<Attention, Attention>()
        }
        ("encoder", Program::Own) => encoder::<Encoder>(),
        ("encoder", Program::WithReference("encoder-layer")) => layer_with::<Encoder, Encoder>(),
        ("encoder", Program::WithReference("encoder")) => encoder_with::<Encoder, Encoder>(),
        ("encoder", Program::WithReference("classifier")) => classifier_with::<Encoder, Encoder>(),
        (_, _) => panic!("the solution of `{assignment}` has no {program:?}"),
    }
}

/// A session with a program of an assignment's solution.
pub(crate) fn session(assignment: &str, program: Program) -> InProcess {
    InProcess::new(table(assignment, program))
}
