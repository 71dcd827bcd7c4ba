//! The public checks of the assignment; provided, and not part of what you hand in.

use std::path::Path;
use std::process::ExitCode;

use debugging_checks::TASKS;
use softmark_checks::files::with_answers;
use softmark_checks::student;
use softmark_kit::adapter;
use softmark_worker::InProcess;

fn main() -> ExitCode {
    let mut session = InProcess::new(adapter::components::<debugging_solution::Submission>());
    let mut session = with_answers(&mut session, Path::new(env!("CARGO_MANIFEST_DIR")));
    student::main(TASKS, &mut session)
}
