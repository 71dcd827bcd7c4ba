//! Errors in reading an assignment.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::model::Points;

/// Failure to read an assignment.
#[derive(Debug, Error)]
pub enum AssignmentError {
    /// No folder of that name holds an `assignment.toml`.
    #[error("there is no assignment `{}`; {} holds {}", id.escape_debug(), dir.display(), names(.known))]
    Unknown {
        /// Assignment id that was given.
        id: String,
        /// Folder of all assignments.
        dir: PathBuf,
        /// Ids of the existing assignments.
        known: Vec<String>,
    },
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is not TOML, or has other keys than an `assignment.toml`.
    #[error("{}:{line}: {message}", path.display())]
    Form {
        /// Path of the `assignment.toml`.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// Message of the parser, on one line.
        message: String,
    },
    /// The file has the right form and inconsistent contents.
    #[error("{}:{line}: {problem}", path.display())]
    Invalid {
        /// Path of the `assignment.toml`.
        path: PathBuf,
        /// Line number, counted from 1.
        line: usize,
        /// Problem with the contents.
        problem: Problem,
    },
}

fn names(ids: &[String]) -> String {
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

/// Inconsistency in an `assignment.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The id differs from the folder's name.
    #[error("the id is `{id}`, the folder's name is `{folder}`; they have to be the same")]
    OtherFolder {
        /// Assignment id in the file.
        id: String,
        /// Name of the folder.
        folder: String,
    },
    /// An id is malformed.
    #[error("`{}` is no id: small letters, digits and single hyphens, a letter first", .0.escape_debug())]
    Id(String),
    /// Two tasks, or two checks of a task, have the same id.
    #[error("`{0}` stands here a second time; ids have to differ")]
    IdTwice(String),
    /// A title has no letter or digit, or has control characters.
    #[error("`{0}` needs a title")]
    Title(String),
    /// A number of points is invalid.
    #[error(
        "`{of}` is worth {value}: points are exact to hundredths and from 0 to {}",
        Points::MAX
    )]
    Points {
        /// Id of the assignment, task, check or question.
        of: String,
        /// Number in the file.
        value: String,
    },
    /// A sum of points is wrong.
    #[error("`{of}` is worth {points}, its {parts} are worth {sum} together; make them agree")]
    Sum {
        /// Id of the task or assignment.
        of: String,
        /// Points in the file.
        points: Points,
        /// Kind of the summands: `checks` or `tasks`.
        parts: &'static str,
        /// Sum of the points of its parts.
        sum: Points,
    },
    /// An assignment has no task, a task no check, or there is no file to collect.
    #[error("`{of}` has no {parts}")]
    Empty {
        /// Id of the assignment or task.
        of: String,
        /// Name of the missing parts.
        parts: &'static str,
    },
    /// A path is no plain path of a Rust file below `src/`.
    #[error("`{}` is no path of a Rust file below src/, such as `attention.rs`", .0.escape_debug())]
    FilePath(String),
    /// Released data is not taken from a folder of the course that students may see.
    #[error("`{}` is no plain path of a folder outside of solutions/, such as `fixtures/words`", .0.escape_debug())]
    DataFrom(String),
    /// Released data is put where the files of the assignment are.
    #[error("`{}` is no plain path of a folder in data/, such as `data/words`", .0.escape_debug())]
    DataTo(String),
    /// A name is no valid name of a file with answers.
    #[error(
        "`{}` is no name of a file with answers, which lies beside src/ and ends in .toml or .md",
        .0.escape_debug()
    )]
    AnswerPath(String),
    /// A name is no valid name of a checkpoint.
    #[error(
        "`{}` is no name of a checkpoint, which lies beside src/ and ends in .safetensors",
        .0.escape_debug()
    )]
    UploadPath(String),
    /// The size limit of a checkpoint is 0, or more than is read into memory.
    #[error("`{file}` may have {mebibytes} MiB: from 1 to {most} are possible")]
    UploadSize {
        /// Name of the checkpoint.
        file: String,
        /// Size limit in the file.
        mebibytes: u32,
        /// Largest possible limit.
        most: u32,
    },
    /// A written answer is in a file that is not taken.
    #[error("`{}` is not one of the files in `answers`", .0.escape_debug())]
    NoAnswers(String),
    /// A file is listed twice.
    #[error("`{0}` is listed a second time; a file is taken in one way, once")]
    FileTwice(String),
    /// `lib.rs`, which makes the files one crate, is not provided.
    #[error("`lib.rs` has to be provided: the grader needs to know which type is which task")]
    NoLib,
    /// A limit is zero.
    #[error("`{0}` is 0: nothing could run; give it at least 1")]
    NoLimit(&'static str),
    /// An accuracy threshold is invalid.
    #[error("`{of}` has a band of {value}: a band is above 0, at most 1, and exact to 4 decimals")]
    Band {
        /// Check id.
        of: String,
        /// Number in the file.
        value: String,
    },
    /// A check has a band, and the table `[training]` is missing.
    #[error("`{0}` has a band, so the file needs a table `[training]`")]
    NoTraining(String),
    /// There is a table `[training]`, and no check has a band.
    #[error("no check has a `band`: the table `[training]` has nothing to train")]
    NoBand,
    /// The number of training runs is 0 or too large.
    #[error("`training.runs` is {0}: from 1 to 9 runs are possible")]
    Runs(u32),
    /// A provided file cannot be read.
    #[error("`{name}` is to be provided and {}", reason)]
    Provided {
        /// Path below `src/`.
        name: String,
        /// Reason, as the predicate of a sentence.
        reason: String,
    },
}
