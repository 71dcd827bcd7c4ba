//! The assignment's example, with the solution's parts: it makes `best.safetensors`.

extern crate prefix_tuning_solution as prefix_tuning;

use std::process::ExitCode;

#[path = "../../../assignments/prefix-tuning/examples/tune.rs"]
mod example;

fn main() -> ExitCode {
    example::main()
}
