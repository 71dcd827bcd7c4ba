//! Ledger: what was graded when, by whom, and why a mark changed between two gradings.
//!
//! ```text
//! store ─► gradings, decisions ─┬─► log      every mark of a submission, and what changed
//!                               ├─► diff     two runs of a class
//!                               └─► appeals  questions and answers about grades
//! ```
//!
//! Invariant: pure functions of what the database holds. The same ledger gives the same bytes.
//!
//! The keys of checks tell which of them changed between two gradings. Gradings of older graders, and those in which a check
//! ended its process, have keys of whole records alone: whether the checks changed follows from these, see [`Bases`].

pub mod appeals;
mod bases;
mod change;
mod diff;
mod format;
mod graded;
mod html;
mod json;
mod log;
mod log_json;
mod read;
mod results;
mod targets;
mod terminal;
pub(crate) mod words;

pub use bases::{Bases, Basis, Node};
pub use change::{Change, CheckChange, Mark, SettingChange, Side};
pub use diff::{CheckTotal, Diff, Entry, Vanished};
pub use format::{write_diff, write_log, write_runs};
pub use graded::Graded;
pub use log::{Event, History, Logged, Sources};
pub use read::LedgerReader;
pub use results::Results;
pub use targets::{Selection, Target, targets};
