//! Arguments of commands that make a course or hand an assignment out.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

/// Arguments of `grade release`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ReleaseArgs {
    /// Ids of the assignments.
    #[arg(required = true, value_name = "ID")]
    pub(crate) assignments: Vec<String>,

    /// Folder to write into: each assignment becomes a folder in it.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Write an archive of each folder beside it.
    #[arg(long)]
    pub(crate) zip: bool,

    /// Build each folder without a network, and run its public checks with the skeleton and with the solution.
    #[arg(long)]
    pub(crate) check: bool,
}

/// Commands of `grade new`.
#[derive(Debug, Subcommand)]
pub(crate) enum NewCommand {
    /// Make a course: a folder with a grader of its own and an example of an assignment.
    Course(NewCourseArgs),
    /// Make an assignment with one worked task in the course that the current folder is in.
    Assignment(NewAssignmentArgs),
}

/// Arguments of `grade new course`.
#[derive(Debug, ClapArgs)]
pub(crate) struct NewCourseArgs {
    /// Folder of the course; it must be empty or missing.
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Title of the course [default: the name of the folder].
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// Id of its first assignment.
    #[arg(long, value_name = "ID", default_value = "residual")]
    pub(crate) assignment: String,

    /// Softmark itself: the folder of a checkout, or the address of a git repository, with `#REVISION` if needed
    /// [default: the checkout that this program was built from].
    #[arg(long, value_name = "DIR|URL")]
    pub(crate) softmark: Option<String>,
}

/// Arguments of `grade new assignment`.
#[derive(Debug, ClapArgs)]
pub(crate) struct NewAssignmentArgs {
    /// Id of the assignment, such as `lab-2`.
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}
