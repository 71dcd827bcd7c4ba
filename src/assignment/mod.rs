//! Assignments: their tasks, checks, points and limits, read from `assignment.toml`.
//!
//! Invariant: an [`Assignment`] has been validated completely: points add up, every check exists,
//! every provided file is there.
//!
//! ```text
//! assignment.toml ── file ──► contents ── rules ──► Assignment
//! ```

mod entry;
mod error;
mod file;
mod id;
mod load;
mod rules;

pub use entry::{
    Assignment, Band, CheckEntry, DataEntry, Deadline, Take, TaskEntry, TrainingRules, UploadEntry,
    WrittenEntry,
};
pub use error::{AssignmentError, Problem};
pub use id::is_id;
pub use load::{list, load, read};
