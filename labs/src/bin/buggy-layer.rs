//! Trains the debugging assignment's model of six layers, buggy and repaired; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{Arguments, buggy_layer, lab};

/// Train six layers with the planted bug of the debugging assignment, half repaired, and repaired.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,

    /// Number of generated questions for training and validation.
    #[arg(long, value_name = "N", default_value_t = buggy_layer::GENERATED)]
    generated: usize,
}

fn main() -> ExitCode {
    let Options { arguments, generated } = Options::parse();
    lab::main(|| buggy_layer::run(&arguments, generated))
}
