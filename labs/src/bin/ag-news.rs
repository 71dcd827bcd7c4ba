//! Trains one self-attention on AG News and compares its settings; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{ag_news, lab};

/// Train one self-attention on AG News: heads, positions, pooling, layer norm and a random search.
#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    options: ag_news::Options,
}

fn main() -> ExitCode {
    let Command { options } = Command::parse();
    lab::main(|| ag_news::run(&options))
}
