//! Submissions: finds them, applies limits, and reads their files.
//!
//! Invariant: a [`Submission`] holds only files that its assignment asks for or provides.
//!
//! ```text
//! paths ── find ──► Candidate ── read ──► Submission | Rejection
//! ```
//!
//! Below a path that the instructor names, no link is followed, nothing but folders and regular
//! files is opened, and no file is read before its size is known to be small. An archive is read
//! where it lies, and never unpacked.

mod apart;
pub mod archive;
mod bulk;
mod error;
mod find;
mod found;
mod listing;
mod locate;
mod location;
mod manifest;
mod name;
mod naming;
mod open;
mod opened;
mod read;
mod stray;
mod submission;
mod tree;

pub use error::IntakeError;
pub use find::{find, within};
pub use manifest::{assignment_in, assignment_of};
pub use naming::{Names, NamesError, Platform};
pub use read::read;
pub use submission::{Candidate, Opened, Rejection, Submission, Uploaded};
