//! Questions to the programs of a submission, an audited fixture or a trained variant.
//!
//! Invariant: all three are asked in the same way: in the same sandbox, by one session for each kind of question, and
//! beside a control where a failure could be the machine's.
//!
//! ```text
//! programs ─► Examiner ─► Sessions, by kind ─► checks, trainings, models, diagnosis
//!                │ failed, perhaps because of the machine
//!                └─► Reference, as a control ─► once more
//! ```

mod examiner;
mod reference;
mod sessions;
mod trusted;

pub(crate) use examiner::{Counterpart, Ended, Examiner, Programs};
pub(crate) use reference::Reference;
pub(crate) use sessions::{Answered, SessionKind, Sessions};
pub(crate) use trusted::{Trusted, TrustedError};
