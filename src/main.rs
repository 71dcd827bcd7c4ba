//! The `grade` program with the built-in assignments.

use std::process::ExitCode;

fn main() -> ExitCode {
    softmark::main(&[
        attention_exam::SUITE,
        encoder_exam::SUITE,
        modern_exam::SUITE,
        debugging_exam::SUITE,
        prefix_tuning_exam::SUITE,
    ])
}
