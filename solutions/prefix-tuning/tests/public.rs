//! The public checks of the assignment; provided, and not part of what you hand in.

use std::process::ExitCode;

use prefix_tuning_checks::TASKS;
use softmark_kit::adapter;

fn main() -> ExitCode {
    softmark_student::main(TASKS, adapter::components::<prefix_tuning_solution::Submission>)
}
