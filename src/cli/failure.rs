//! Failures of a command: message, exit status and hint.

use std::error::Error;
use std::io;
use std::path::Path;

use clap::CommandFactory;
use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_sandbox::SandboxError;

use crate::assignment::AssignmentError;
use crate::build::BuildError;
use crate::cli::args::Args;
use crate::cli::exit::Exit;
use crate::intake::IntakeError;
use crate::jobs::JobsError;
use crate::marks::MarksError;
use crate::pipeline::{ArchiveError, PipelineError, SurveyError, chain};
use crate::store::StoreError;

/// A failure of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Exit status of the program.
    pub(crate) exit: Exit,
    /// Description of the problem and its place.
    pub(crate) message: String,
    /// Advice on the next step.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// Returns a usage error.
    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into(), hint: Some(hint.into()) }
    }

    /// Returns a failure of the machine or the project.
    pub(crate) fn broken(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::NoGrade, message: message.into(), hint: Some(hint.into()) }
    }

    /// Returns the failure of a file of results that cannot be written.
    pub(crate) fn unwritten(path: &Path, error: &io::Error) -> Self {
        let is_forbidden = matches!(
            error.kind(),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem
        );
        let hint = if is_forbidden {
            "ask its owner for the right to write there, or name another folder"
        } else {
            "is there room on the disk, and may you write there?"
        };
        Self::broken(format!("cannot write {}: {error}", path.display()), hint)
    }

    fn of(error: &dyn Error, exit: Exit, hint: &str) -> Self {
        let hint = Some(hint.to_owned()).filter(|hint| !hint.is_empty());
        Self { exit, message: chain(error), hint }
    }
}

fn is_command(path: &Path) -> bool {
    Args::command().get_subcommands().any(|command| Path::new(command.get_name()) == path)
}

impl From<SurveyError> for Failure {
    fn from(error: SurveyError) -> Self {
        match &error {
            SurveyError::Intake(IntakeError::Missing(path)) if is_command(path) => Self::of(
                &error,
                Exit::Usage,
                "a command comes first: after an option, its name is taken for a submission's",
            ),
            SurveyError::Intake(IntakeError::Missing(_) | IntakeError::Empty(_)) => Self::of(
                &error,
                Exit::Usage,
                "a submission is a folder that holds `src/`, or an archive of one; name one, or a \
                 folder of them",
            ),
            SurveyError::Intake(IntakeError::NoFit { .. }) => Self::of(
                &error,
                Exit::Usage,
                "without `--names`, names are taken as they are where no platform is recognised",
            ),
            SurveyError::Intake(IntakeError::Read { .. }) => Self::of(&error, Exit::NoGrade, ""),
            // These messages say what to do.
            SurveyError::Intake(_) => Self::of(&error, Exit::Usage, ""),
            SurveyError::Assignment(AssignmentError::Unknown { id, known, .. }) => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let close = similar_names(id, known.iter().copied());
                let hint = match (close.as_slice(), known.as_slice()) {
                    ([], []) => "the project has no assignments".to_owned(),
                    ([], known) => format!("there is {}", alternatives(known)),
                    (close, _) => format!("did you mean {}?", alternatives(close)),
                };
                Self::usage(format!("there is no assignment `{}`", id.escape_debug()), hint)
            }
            SurveyError::Assignment(_) => Self::of(
                &error,
                Exit::NoGrade,
                "mend the assignment and run again; nothing was graded",
            ),
            SurveyError::NoSuite { .. } => Self::of(
                &error,
                Exit::NoGrade,
                "the course has a grader of its own, which `cargo run --` runs in its folder; it knows \
                 the assignments whose exams its src/main.rs lists",
            ),
            SurveyError::Disagreement(_) => Self::of(
                &error,
                Exit::NoGrade,
                "give both the same checks, and build the grader again; nothing was graded",
            ),
            SurveyError::NoCheck { glob, known, .. } => {
                let known: Vec<&str> = known.iter().map(String::as_str).collect();
                let close = similar_names(glob, known.iter().copied());
                let hint = match (close.as_slice(), known.first()) {
                    ([], Some(one)) => {
                        format!(
                            "checks are called `TASK/CHECK`, such as `{one}`; `*` stands for any text"
                        )
                    }
                    ([], None) => "the assignment has no checks".to_owned(),
                    (close, _) => format!("did you mean {}?", alternatives(close)),
                };
                Self::of(&error, Exit::Usage, &hint)
            }
        }
    }
}

impl From<BuildError> for Failure {
    fn from(error: BuildError) -> Self {
        let hint = match &error {
            BuildError::Missing { .. } | BuildError::Sandbox(_) => {
                "`grade doctor` tells what is there and what is not"
            }
            BuildError::Fetch { .. } => {
                "the first run needs the network, or what `cargo fetch --locked` in the project's \
                 folder fetches where there is one; later runs do not"
            }
            BuildError::Tool { .. } => {
                "is there room on the disk? If so, the course does not build: `cargo build` in its folder \
                 says why; `grade doctor` tells how much room there is, and what it is built with"
            }
            BuildError::ForeignCache { .. } => "set SOFTMARK_CACHE to a folder of your own",
            BuildError::OpenCache { .. } => {
                "set SOFTMARK_CACHE to a folder that you alone can write into; or remove this one, and the \
                 next run builds the libraries again"
            }
            BuildError::Manifest { .. } | BuildError::Program { .. } => {
                "the course does not build: `cargo build` in its folder says why, `grade doctor` \
                 what it is built with"
            }
            BuildError::OtherPack { .. } | BuildError::NoPack { .. } => {
                "all nodes of a run need the folders of the course and of the libraries, and the same toolchain; a packaged course \
                 has its libraries with it: package the assignment again, with this toolchain"
            }
            BuildError::NeedsIsolation => "`grade doctor` tells how to get one",
            BuildError::Io { .. } | BuildError::Thread(_) => {
                "is there room on the disk, and may you write there?"
            }
            // These messages say what to do.
            BuildError::Ended { .. }
            | BuildError::Damaged { .. }
            | BuildError::Replaced
            | BuildError::Unfit { .. } => "",
            BuildError::Library { .. } | BuildError::SourcePath { .. } => {
                "build the grader again from the whole project"
            }
        };
        Self::of(&error, Exit::NoGrade, hint)
    }
}

impl From<SandboxError> for Failure {
    fn from(error: SandboxError) -> Self {
        Self::of(&error, Exit::NoGrade, "`grade doctor` tells what is there and what is not")
    }
}

/// Returns advice for an error in the marks.
fn marks_hint(error: &MarksError) -> &'static str {
    match error {
        MarksError::File { .. } => "is there room on the disk, and may you read and write there?",
        MarksError::Csv { .. } => {
            "its first line is `submission,question,points`, and perhaps \
             `,by,comment,given_at,answer_digest`; mend it, nothing was changed"
        }
        MarksError::Points { .. } | MarksError::Time { .. } => {
            "mend that line; nothing was changed"
        }
        // These messages say what to do.
        MarksError::Store(_) => "",
    }
}

impl From<MarksError> for Failure {
    fn from(error: MarksError) -> Self {
        Self::of(&error, Exit::NoGrade, marks_hint(&error))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        // These messages say what to do.
        Self::of(&error, Exit::NoGrade, "")
    }
}

impl From<ArchiveError> for Failure {
    fn from(error: ArchiveError) -> Self {
        let hint = match &error {
            ArchiveError::Folder { .. } | ArchiveError::Record { .. } => {
                "is there room on the disk, and may you write there? `--out` names another folder"
            }
            // These messages say so themselves.
            ArchiveError::Store(_) => "",
            ArchiveError::Marks(error) => marks_hint(error),
        };
        Self::of(&error, Exit::NoGrade, hint)
    }
}

impl From<JobsError> for Failure {
    fn from(error: JobsError) -> Self {
        let hint = match error {
            JobsError::Pipeline(error) => return error.into(),
            JobsError::Io { .. } => "is there room on the disk, and may you write there?",
            JobsError::NoRun { .. } => {
                "runs are in `runs` in the folder of results; one that is over is removed"
            }
            JobsError::Format { .. } => "start the run again: what was graded so far is kept",
            JobsError::Differs { .. } => {
                "all nodes need the folders of the course, of the submissions and of the results under the same \
                 paths, and the same program"
            }
            JobsError::NoResult { .. } => {
                "`grade doctor --on` tells what the machines are like; nothing was changed"
            }
            JobsError::Engine(_) | JobsError::NoJobGrades { .. } | JobsError::Cancelled => {
                "what was graded so far is kept, and the same command goes on from there"
            }
        };
        Self::of(&error, Exit::NoGrade, hint)
    }
}

impl From<PipelineError> for Failure {
    fn from(error: PipelineError) -> Self {
        match error {
            PipelineError::Archive(error) => error.into(),
            PipelineError::Program { .. } | PipelineError::Thread(_) => {
                Self::of(&error, Exit::NoGrade, "run again; what was graded so far is kept")
            }
            PipelineError::Left { .. } => Self::of(
                &error,
                Exit::NoGrade,
                "this is a bug in the grader, please report it; what was graded so far is kept",
            ),
        }
    }
}
