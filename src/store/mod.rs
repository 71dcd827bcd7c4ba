//! Storage of records: the database of all grades, and documents of one record or one run.
//!
//! Invariant: append-only. A saved grade or decision is never changed or removed; a regrade is a new run, and a withdrawal
//! is a new decision.

mod answers;
mod attempts;
mod database;
mod decisions;
pub mod document;
mod error;
mod folder;
mod history;
mod inputs;
mod insert;
mod keys;
mod marking_refusal;
mod marking_rows;
mod markings;
mod migrate;
mod open;
mod reuse;
mod rubrics;
mod run_id;
mod since;

/// Name of the database in a folder of results.
pub const LEDGER: &str = "softmark.db";

pub use answers::SavedAnswers;
pub use database::Store;
pub use decisions::{Appeal, Override, Placed, Step};
pub use error::StoreError;
pub use folder::{Folder, Held, replace, replace_with};
pub use history::{GradedCheck, Grading, SavedKey, SavedRun};
pub use inputs::Input;
pub use keys::{CheckKeys, KeyedRecord, RecordKeys};
pub use marking_refusal::MarkingRefusal;
pub use marking_rows::{
    AnswerId, GivenMark, MarkerRole, MarkingId, MarkingStep, NewMarking, SavedMarking,
};
pub use markings::MarkingOutcome;
pub use rubrics::{ItemId, ItemVersion, RubricChange, RubricOutcome, SavedItem};
pub use run_id::{RunId, SavedVersion};
pub use since::SavedRecord;
