//! Trains one self-attention on AG News and compares its settings; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{Arguments, ag_news, lab};

/// Train one self-attention on AG News: heads, positions, pooling, layer norm and a random search.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    let Options { arguments } = Options::parse();
    lab::main(|| ag_news::run(&arguments))
}
