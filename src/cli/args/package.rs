//! Arguments of commands that package an assignment for a platform, or grade there.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

/// Commands of `grade package`.
#[derive(Debug, Subcommand)]
pub(crate) enum PackageCommand {
    /// Write the archive that Gradescope's autograder is made of.
    #[command(after_help = AFTER_GRADESCOPE)]
    Gradescope(GradescopeArgs),
    /// Write a container, an action and workflows for GitHub.
    #[command(after_help = AFTER_GITHUB)]
    Github(GithubArgs),
}

/// Content and safety of the archive.
const AFTER_GRADESCOPE: &str = "\
The archive holds this program, the assignment, the prebuilt libraries and the course's secret: keep
it as you keep the solution. Grading there needs no network. Submissions run in Gradescope's
container, and are isolated by the grader's sandbox; where that is not possible, nothing is graded.";

/// Use and safety of the folder.
const AFTER_GITHUB: &str = "\
The image holds the hidden checks and the course's secret, and a workflow that students can change
can read it. So grade in a private repository of the staff. In students' repositories, the workflow
of `grade release` reports the points of the public checks to GitHub Classroom.";

/// Arguments of `grade package github`.
#[derive(Debug, ClapArgs)]
pub(crate) struct GithubArgs {
    /// Assignment id.
    #[arg(value_name = "ID")]
    pub(crate) assignment: String,

    /// Folder to write into; it must be empty or missing.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}

/// Arguments of `grade package gradescope`.
#[derive(Debug, ClapArgs)]
pub(crate) struct GradescopeArgs {
    /// Assignment id.
    #[arg(value_name = "ID")]
    pub(crate) assignment: String,

    /// Archive to write.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,

    /// Put the Rust toolchain into the archive; otherwise `setup.sh` downloads it, and compares it with the checksums in the
    /// archive.
    #[arg(long)]
    pub(crate) bundle_toolchain: bool,
}

/// Arguments of `grade autograde`.
#[derive(Debug, ClapArgs)]
pub(crate) struct AutogradeArgs {
    /// Assignment id.
    #[arg(value_name = "ID")]
    pub(crate) assignment: String,

    /// Folder with `submission/` and `submission_metadata.json`; the result is written into `results/results.json` there.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}
