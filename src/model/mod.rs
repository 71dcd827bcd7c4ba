//! Plain data that every stage speaks: points, records, runs.
//!
//! Invariant: nothing here reads, writes or decides anything.

mod points;
mod record;

pub use points::Points;
pub use record::{
    CheckRecord, Grader, ModelRecord, Record, RecordOutcome, Run, Status, TaskRecord,
    TrainingRecord, Usage, Visibility, WrittenRecord,
};
