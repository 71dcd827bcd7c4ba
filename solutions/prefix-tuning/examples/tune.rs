//! The assignment's example, with the solution's parts: it makes `best.safetensors`.

extern crate prefix_tuning_solution as prefix_tuning;

use std::process::ExitCode;

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::indexing_slicing,
    reason = "students' code, which is held to fewer lints"
)]
#[path = "../../../assignments/prefix-tuning/examples/tune.rs"]
mod example;

fn main() -> ExitCode {
    example::main()
}
