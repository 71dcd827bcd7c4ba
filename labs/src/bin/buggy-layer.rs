//! Trains the debugging assignment's model of six layers, buggy and repaired; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{Arguments, buggy_layer, lab};

/// Train six layers with the planted bug of the debugging assignment, half repaired, and repaired.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    let Options { arguments } = Options::parse();
    lab::main(|| buggy_layer::run(&arguments))
}
