//! Arguments of `grade similar`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::args::parsers::document_format_parser;
use crate::report::DocumentFormat;

/// Arguments of `grade similar`.
#[derive(Debug, ClapArgs)]
pub(crate) struct SimilarArgs {
    /// A folder that holds `src/`, a .zip, .tar or .tar.gz of one, or a folder or an archive of
    /// these.
    #[arg(required = true, value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,

    /// Submissions of earlier years, a path for each year: they are compared with this year's, and not with each
    /// other.
    #[arg(long, value_name = "DIR", num_args = 1..)]
    pub(crate) with: Vec<PathBuf>,

    /// Assignment id [default: the one that each submission's Cargo.toml names].
    #[arg(long, value_name = "ID")]
    pub(crate) assignment: Option<String>,

    /// Pattern of submission names, as for `grade run`.
    #[arg(long, value_name = "PRESET|REGEX")]
    pub(crate) names: Option<String>,

    /// Report pairs with at least this share [default: 40].
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) least: Option<u8>,

    /// Format of the output.
    #[arg(long, default_value = "terminal", value_parser = document_format_parser())]
    pub(crate) format: DocumentFormat,

    /// Output file [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
