//! Reads the student and the submission time from a submission's name.
//!
//! Learning platforms write both into the names of what they let an instructor download. A name is
//! read by a regular expression with named groups, without an archive's ending and as a whole:
//!
//! | group | what it catches |
//! |---|---|
//! | `id` | who: the submission's name |
//! | `name` | who, for people; stands before the id: `NAME_ID` |
//! | `time` | when it was handed in |
//! | `late` | that it was late, where it catches anything |
//! | `file` | what the student called it |
//! | `attempt` | number of the attempt: the largest is the latest |
//!
//! One of `id` and `name` there has to be. Only names and nbgrader's own files tell a time; when
//! files were changed is not looked at.

mod names;
mod platform;
mod preset;
mod time;
mod versions;

pub use names::{Names, NamesError};
pub use platform::Platform;
pub(crate) use versions::{Handed, candidates};
