//! The public checks of the assignment.

use std::process::ExitCode;

use sample_id_checks::TASKS;

use softmark_checks::student;
use softmark_kit::adapter;
use softmark_worker::InProcess;

fn main() -> ExitCode {
    let components = adapter::components::<sample_id_solution::Submission>();
    student::main(TASKS, &mut InProcess::new(components))
}
