//! Students of a course, from the files that learning platforms export, and the owners of submissions.

mod columns;
mod identity;
mod keys;
mod matching;
mod prefixes;
mod read;

pub use columns::{IdKind, RosterFormat, UnknownColumns};
pub use identity::Difference;
pub(crate) use keys::{name_key, without_hidden};
pub(crate) use matching::Found;
pub use matching::{Ambiguous, Group, GroupError, Namesake, Owner, Roster, StudentIndex};
pub use prefixes::{NamedSubmission, Prefixes};
pub use read::{Identifier, RosterError, Student, StudentTable};
