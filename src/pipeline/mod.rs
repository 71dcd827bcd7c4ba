//! Grading of submissions, from files to stored records.
//!
//! Invariant: only `submission.rs` knows the order of the stages. The module prints nothing:
//! progress is reported as [`Event`]s.
//!
//! ```text
//! survey: finds submissions and their assignments   (before anything is written)
//! run:    threads take submissions from a queue
//!   submission: read ─► earlier results? ─► compile ─► conduct ─► score ─► record
//!     conduct: checks in the order of the suite ─► diagnose what failed
//! archive: stores each record as soon as it is complete
//! ```

mod archive;
mod basis;
mod broken;
mod chain;
mod conduct;
mod done;
mod draft;
mod ends;
mod event;
mod key;
mod pseudonym;
mod queue;
mod replay;
mod reuse;
mod run;
mod scratch;
mod submission;
mod survey;
mod timings;
mod training;
mod upload;
mod written;

pub use archive::{Archive, ArchiveError};
pub(crate) use broken::broken_file;
pub(crate) use chain::chain;
pub(crate) use done::Done;
pub use event::Event;
pub(crate) use queue::{FromThread, distribute};
pub(crate) use replay::quote;
pub use reuse::Forced;
pub(crate) use reuse::is_trained;
pub use run::{GradingRun, Options, PipelineError};
pub use scratch::{Scratch, private_folder, remove};
pub(crate) use survey::Graded;
pub use survey::{Assigned, Entry, Survey, SurveyError, Treatment, assigned, survey};
pub use timings::{Phase, Timings};
pub use training::bands as bands_of;
