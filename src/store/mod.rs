//! Records kept: the database of every grade ever given, and the documents that hold one.
//!
//! Invariant: a grade that was saved is never changed or removed; a regrade is a new run.

mod database;
pub mod document;
mod error;
mod folder;
mod migrate;

pub use database::{RunId, Store};
pub use error::StoreError;
pub use folder::{Folder, replace};
