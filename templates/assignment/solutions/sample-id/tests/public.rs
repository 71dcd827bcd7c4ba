//! The public checks of the assignment.

use std::process::ExitCode;

use sample_id_checks::TASKS;
use softmark_kit::adapter;

fn main() -> ExitCode {
    softmark_student::main(TASKS, adapter::components::<sample_id_solution::Submission>)
}
