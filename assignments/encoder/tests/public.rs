//! The public checks of the assignment; provided, and not part of what you hand in.

use std::process::ExitCode;

use softmark_checks::{encoder::TASKS, student};
use softmark_worker::{InProcess, encoder};

fn main() -> ExitCode {
    student::main(TASKS, &mut InProcess::new(encoder::<encoder::Submission>()))
}
