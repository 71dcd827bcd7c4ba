//! What an assignment asks for and what it is worth, read from its `assignment.toml`.
//!
//! Invariant: an [`Assignment`] has been checked whole: points add up, every check exists, every
//! provided file is there.
//!
//! ```text
//! assignment.toml ── file ──► what is written ── rules ──► Assignment
//! ```

mod entry;
mod error;
mod file;
mod id;
mod load;
mod rules;

pub use entry::{
    Assignment, Band, CheckEntry, Deadline, Take, TaskEntry, TrainingRules, UploadEntry,
    WrittenEntry,
};
pub use error::{AssignmentError, Problem};
pub use id::is_id;
pub use load::{list, load, read};
