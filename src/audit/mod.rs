//! Audits of the grader: which check catches which mistake, and how far correct work is from failing.
//!
//! Invariant: an audit runs the same programs in the same sandbox and by the same rules as grading, and
//! changes no grade. Findings and pages depend on the results alone.
//!
//! ```text
//! fixtures ─► scope (which) ─► bench (build, ask, name) ─► Audit ─► findings ─► terminal, JSON, HTML
//! ```
//!
//! Training is left out: [`calibrate`](crate::calibrate) measures it. Its messages are shown for made-up
//! results.

mod bench;
mod cell;
mod claims;
mod exact;
mod findings;
mod format;
mod html;
mod json;
mod matrix;
mod message;
mod messages;
mod problem;
mod recording;
mod results;
mod samples;
mod scope;
mod seen;
mod suggestions;
mod terminal;

pub use bench::{AuditError, Bench, Event};
pub use findings::{Costly, Findings, NEAR, Redundant, Sole, findings};
pub use format::write;
pub use html::write as html;
pub use json::write as json;
pub use matrix::{Audit, Cost, Idle, Mutant, Naming, Nearest, Right, Share, Verdict, factor};
pub use message::{Message, MessageStatus};
pub use messages::write as messages;
pub use problem::Problem;
pub use recording::is_recorded;
pub use results::{Examined, Judged};
pub use scope::{Scope, short};
pub use seen::{FixtureResult, Seen, Verdicts};
pub use terminal::write as terminal;
