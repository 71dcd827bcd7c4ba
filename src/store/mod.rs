//! Storage of records: the database of all grades, and documents of one record or one run.
//!
//! Invariant: append-only. A saved grade is never changed or removed; a regrade is a new run.

mod attempts;
mod database;
pub mod document;
mod error;
mod folder;
mod migrate;

pub use database::{RunId, Store};
pub use error::StoreError;
pub use folder::{Folder, replace};
