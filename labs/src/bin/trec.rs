//! Classifies the questions of TREC with and without a label leak; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{lab, trec};

/// Train an encoder from scratch on TREC and tune published ones, with the fine label in the text and without.
#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    options: trec::Options,
}

fn main() -> ExitCode {
    let Command { options } = Command::parse();
    lab::main(|| trec::run(&options))
}
