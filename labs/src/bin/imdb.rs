//! Trains sentiment classifiers of IMDB reviews with GloVe vectors; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::{Arguments, imdb, lab};

/// Train a classifier of IMDB reviews on GloVe vectors: frozen, trained, and random ones in their place.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,
}

fn main() -> ExitCode {
    let Options { arguments } = Options::parse();
    lab::main(|| imdb::run(&arguments))
}
