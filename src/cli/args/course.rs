//! Arguments of commands that make a course, hand an assignment out, or work on the marks of a course.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

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

/// Commands of `grade course`.
#[derive(Debug, Subcommand)]
pub(crate) enum CourseCommand {
    /// Check softmark.toml, and explain for every student what the dates and the late policy do.
    Check(CourseCheckArgs),
    /// Write the points of an assignment, the late policy applied, into a gradebook.
    #[command(after_help = AFTER_GRADES)]
    Grades(CourseGradesArgs),
}

/// Safety of filled gradebooks.
const AFTER_GRADES: &str = "\
The column is the one that --column names, or `column` in the assignment's table of softmark.toml,
or that is called like the assignment. All other cells stay byte for byte. A student without points
keeps the cell as it is, and is named: one who has not handed in, or whose mark is not final.";

/// Arguments of `grade course check`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CourseCheckArgs {
    #[command(flatten)]
    pub(crate) files: CourseFilesArgs,

    /// Format of the output.
    #[arg(long, value_name = "FORMAT", default_value = "terminal")]
    pub(crate) format: CheckFormat,
}

/// Format of `grade course check`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    Terminal,
    Json,
}

/// Arguments of `grade course grades`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CourseGradesArgs {
    /// Assignment id.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: String,

    /// Platform of the gradebook; `csv` for a new file with a row for each student.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: GradesFormat,

    /// Gradebook that the platform exported.
    #[arg(long, value_name = "FILE")]
    pub(crate) gradebook: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) files: CourseFilesArgs,

    /// Output file [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Name or number of the assignment's column.
    #[arg(long, value_name = "NAME")]
    pub(crate) column: Option<String>,

    /// Scale points to those that the column is worth.
    #[arg(long)]
    pub(crate) scale: bool,

    /// Give students who have not handed in 0 points.
    #[arg(long)]
    pub(crate) zero_missing: bool,
}

/// Format of `grade course grades`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GradesFormat {
    Canvas,
    Moodle,
    Blackboard,
    Gradescope,
    Csv,
}

/// Files from which the marks of a course are computed.
#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CourseFilesArgs {
    /// Folder of the results; those of an assignment may be in a folder of its id there.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) results: PathBuf,

    /// CSV file with the students, as Canvas, Moodle, Blackboard, Gradescope or GitHub Classroom export it, or
    /// with the columns id, name, email and group [default: `roster` in softmark.toml; else the gradebook; else
    /// the names of submissions].
    #[arg(long, value_name = "FILE")]
    pub(crate) roster: Option<PathBuf>,
}
