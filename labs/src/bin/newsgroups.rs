//! Trains the 20 Newsgroups benchmark; see `labs/README.md`.

use std::process::ExitCode;

use clap::Parser;
use softmark_labs::newsgroups::{self, Posts};
use softmark_labs::{Arguments, lab};

/// Train the 20 Newsgroups benchmark: four groups, five settings of learning rate and batch size.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    arguments: Arguments,

    /// Remove headers, footers and quotes from the posts.
    #[arg(long)]
    stripped: bool,
}

fn main() -> ExitCode {
    let Options { arguments, stripped } = Options::parse();
    let posts = if stripped { Posts::Stripped } else { Posts::Whole };
    lab::main(|| newsgroups::run(&arguments, posts))
}
