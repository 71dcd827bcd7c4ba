//! Why there is no such assignment.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::model::Points;

/// Why there is no such assignment.
#[derive(Debug, Error)]
pub enum AssignmentError {
    /// No folder of that name holds an `assignment.toml`.
    #[error("there is no assignment `{}`; {} holds {}", id.escape_debug(), dir.display(), names(.known))]
    Unknown {
        /// What was asked for.
        id: String,
        /// Where assignments are.
        dir: PathBuf,
        /// Those that are there.
        known: Vec<String>,
    },
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// It is not TOML, or not what an `assignment.toml` holds.
    #[error("{}:{line}: {message}", path.display())]
    Form {
        /// The `assignment.toml`.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What the parser says, on one line.
        message: String,
    },
    /// It reads well and does not hold together.
    #[error("{}:{line}: {problem}", path.display())]
    Invalid {
        /// The `assignment.toml`.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        problem: Problem,
    },
}

fn names(ids: &[String]) -> String {
    if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
}

/// What does not hold together in an `assignment.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The id is not the folder's name.
    #[error("the id is `{id}`, the folder's name is `{folder}`; they have to be the same")]
    OtherFolder {
        /// What is written.
        id: String,
        /// Where it is written.
        folder: String,
    },
    /// An id that is none.
    #[error("`{}` is no id: small letters, digits and single hyphens, a letter first", .0.escape_debug())]
    Id(String),
    /// Two tasks, or two checks of a task, have one id.
    #[error("`{0}` stands here a second time; ids have to differ")]
    IdTwice(String),
    /// A title without a letter.
    #[error("`{0}` needs a title")]
    Title(String),
    /// A number of points that is none.
    #[error(
        "`{of}` is worth {value}: points are exact to hundredths and from 0 to {}",
        Points::MAX
    )]
    Points {
        /// Whose points.
        of: String,
        /// What is written.
        value: String,
    },
    /// A sum that is not what it should be.
    #[error("`{of}` is worth {points}, its {parts} are worth {sum} together; make them agree")]
    Sum {
        /// Whose points.
        of: String,
        /// What is written there.
        points: Points,
        /// `checks` or `tasks`.
        parts: &'static str,
        /// What they add up to.
        sum: Points,
    },
    /// No task, no check, or nothing to collect.
    #[error("`{of}` has no {parts}")]
    Empty {
        /// Which part of the assignment.
        of: String,
        /// What is missing.
        parts: &'static str,
    },
    /// A path that cannot be one below `src/`.
    #[error("`{}` is no path of a Rust file below src/, such as `attention.rs`", .0.escape_debug())]
    FilePath(String),
    /// A name that cannot be that of a file with answers.
    #[error(
        "`{}` is no name of a file with answers, which lies beside src/ and ends in .toml or .md",
        .0.escape_debug()
    )]
    AnswerPath(String),
    /// A name that cannot be that of a checkpoint.
    #[error(
        "`{}` is no name of a checkpoint, which lies beside src/ and ends in .safetensors",
        .0.escape_debug()
    )]
    UploadPath(String),
    /// A checkpoint of no size, or of more than is read into memory.
    #[error("`{file}` may have {mebibytes} MiB: from 1 to {most} are possible")]
    UploadSize {
        /// Which.
        file: String,
        /// What is written.
        mebibytes: u32,
        /// What may be.
        most: u32,
    },
    /// A written answer in a file that is not taken.
    #[error("`{}` is not one of the files in `answers`", .0.escape_debug())]
    NoAnswers(String),
    /// A file that is listed twice.
    #[error("`{0}` is listed a second time; a file is taken in one way, once")]
    FileTwice(String),
    /// A forbidden path that is not the path of a library item.
    #[error("`{}` is not the path of a library item, such as `candle_nn::ops::sdpa`", .0.escape_debug())]
    Forbidden(String),
    /// An item that is forbidden twice.
    #[error("`{0}` is forbidden a second time")]
    ForbiddenTwice(String),
    /// Nothing makes the files one crate.
    #[error("`lib.rs` has to be provided: the grader needs to know which type is which task")]
    NoLib,
    /// A limit of zero.
    #[error("`{0}` is 0: nothing could run; give it at least 1")]
    NoLimit(&'static str),
    /// A share of right answers that is none.
    #[error("`{of}` has a band of {value}: a band is above 0, at most 1, and exact to 4 decimals")]
    Band {
        /// Which check.
        of: String,
        /// What is written.
        value: String,
    },
    /// A check has a band, and nothing says how to train.
    #[error("`{0}` has a band, so the file needs a table `[training]`")]
    NoTraining(String),
    /// Nothing has a band.
    #[error("no check has a `band`: the table `[training]` has nothing to train")]
    NoBand,
    /// No run, or more than a class has time for.
    #[error("`training.runs` is {0}: from 1 to 9 runs are possible")]
    Runs(u32),
    /// A provided file that is not there.
    #[error("`{name}` is to be provided and {}", reason)]
    Provided {
        /// Below `src/`.
        name: String,
        /// What became of reading it.
        reason: String,
    },
}
