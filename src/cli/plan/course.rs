//! Plans of commands on the marks of a course.

use std::path::PathBuf;

use crate::cli::args::{
    CheckFormat, CourseCheckArgs, CourseCommand, CourseFilesArgs, CourseGradesArgs, GradesFormat,
};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::site::Site;
use crate::course::gradebook::GradebookFormat;

/// Inputs of `grade course`.
#[derive(Debug)]
pub(crate) enum CoursePlan {
    /// Explains the policies.
    Check(Box<CourseCheckPlan>),
    /// Fills a gradebook.
    Grades(Box<CourseGradesPlan>),
}

/// Files from which the marks of a course are computed.
#[derive(Debug)]
pub(crate) struct CourseFiles {
    /// Paths of the course.
    pub(crate) site: Site,
    /// Folder of the results.
    pub(crate) results: PathBuf,
    /// File with the students; `None` for that of the course.
    pub(crate) roster: Option<PathBuf>,
}

/// Inputs of `grade course check`.
#[derive(Debug)]
pub(crate) struct CourseCheckPlan {
    /// Files of the course.
    pub(crate) files: CourseFiles,
    /// True if the output is JSON.
    pub(crate) json: bool,
}

/// Inputs of `grade course grades`.
#[derive(Debug)]
pub(crate) struct CourseGradesPlan {
    /// Files of the course.
    pub(crate) files: CourseFiles,
    /// Assignment id.
    pub(crate) assignment: String,
    /// Gradebook to fill, or to make.
    pub(crate) gradebook: Gradebooks,
    /// Output file; `None` for stdout.
    pub(crate) out: Option<PathBuf>,
    /// Name or number of the column, if it was given.
    pub(crate) column: Option<String>,
    /// True if points are scaled to those of the column.
    pub(crate) scale: bool,
    /// True if students who have not handed in get 0 points.
    pub(crate) zero_missing: bool,
}

/// Gradebook to fill, or to make.
#[derive(Debug)]
pub(crate) enum Gradebooks {
    /// A file that a platform exported.
    Platform {
        /// Platform.
        format: GradebookFormat,
        /// File.
        path: PathBuf,
    },
    /// A new file.
    Plain,
}

/// Returns the plan of a command on the marks of a course.
///
/// # Errors
///
/// Fails if the current folder is in several courses, or the gradebook and its format do not fit.
pub(super) fn course(command: CourseCommand, env: &Env) -> Result<CoursePlan, Failure> {
    match command {
        CourseCommand::Check(CourseCheckArgs { files, format }) => {
            let json = format == CheckFormat::Json;
            let files = of_course(files, env)?;
            Ok(CoursePlan::Check(Box::new(CourseCheckPlan { files, json })))
        }
        CourseCommand::Grades(args) => Ok(CoursePlan::Grades(Box::new(grades(args, env)?))),
    }
}

fn of_course(args: CourseFilesArgs, env: &Env) -> Result<CourseFiles, Failure> {
    let CourseFilesArgs { results, roster } = args;
    Ok(CourseFiles { site: Site::of(env)?, results, roster })
}

fn grades(args: CourseGradesArgs, env: &Env) -> Result<CourseGradesPlan, Failure> {
    let format = match args.format {
        GradesFormat::Canvas => Some(GradebookFormat::Canvas),
        GradesFormat::Moodle => Some(GradebookFormat::Moodle),
        GradesFormat::Blackboard => Some(GradebookFormat::Blackboard),
        GradesFormat::Gradescope => Some(GradebookFormat::Gradescope),
        GradesFormat::Csv => None,
    };
    let gradebook = match (format, args.gradebook) {
        (Some(format), Some(path)) => Gradebooks::Platform { format, path },
        (Some(format), None) => {
            return Err(Failure::usage(
                format!("the gradebook of {format} is filled, and no file is named"),
                "export it there, and add `--gradebook FILE`",
            ));
        }
        (None, None) => Gradebooks::Plain,
        (None, Some(_)) => {
            return Err(Failure::usage(
                "`--format csv` makes a new file, and fills no gradebook",
                "name the platform of the gradebook, such as `--format canvas`; or leave `--gradebook` out",
            ));
        }
    };
    Ok(CourseGradesPlan {
        files: of_course(args.files, env)?,
        assignment: args.assignment,
        gradebook,
        out: args.out,
        column: args.column,
        scale: args.scale,
        zero_missing: args.zero_missing,
    })
}
