//! Students of a course, from the files that learning platforms export, and the owners of submissions.

mod columns;
mod keys;
mod matching;
mod prefixes;
mod read;

pub use columns::{RosterFormat, UnknownColumns};
pub(crate) use keys::name_key;
pub use matching::{Ambiguous, Group, GroupError, Owner, Roster, StudentIndex};
pub use prefixes::{NamedSubmission, Prefixes};
pub use read::{RosterError, Student, StudentTable};
