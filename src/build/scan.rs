//! Checks of a submission's text before it is compiled.
//!
//! The rules live in [`softmark_checks::source`], so that a student's `cargo test` applies them too.
//! Code that reads files or the environment is refused here with a message that gives file and line.
//! Security does not depend on this scan: the compiler cannot reach anyone's files, and reports
//! what it read ([`inputs`](crate::build::inputs)).

use softmark_checks::source::{Refusal, compile_time_reads, ready_made};

use crate::build::code::Source;
use crate::build::fault::{BuildFault, BuildFaultKind};

/// Returns the fault of a submission that reads files or the environment at compile time.
pub(crate) fn reads(source: &Source) -> Option<BuildFault> {
    Refused::first(compile_time_reads(source)).map(Refused::fault)
}

/// Returns the first use of a library item in `forbidden`, whose paths have the form of
/// [`ready_made`]. Files for which `is_provided` returns true are not the student's.
pub(crate) fn forbidden(
    source: &Source,
    is_provided: impl Fn(&str) -> bool,
    forbidden: &[String],
) -> Option<Refused> {
    let provided: Vec<&str> =
        source.keys().map(String::as_str).filter(|name| is_provided(name)).collect();
    Refused::first(ready_made(source, &provided, forbidden))
}

/// Forbidden text in a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Path below `src/` of the first file with forbidden text.
    pub(crate) file: String,
    /// Reason, for the student; begins with `src/FILE:LINE: `.
    pub(crate) message: String,
    /// Number of places with forbidden text.
    errors: usize,
}

impl Refused {
    fn first(refusals: Vec<Refusal>) -> Option<Self> {
        let errors = refusals.len();
        let Refusal { file, message, .. } = refusals.into_iter().next()?;
        Some(Self { file, message, errors })
    }

    pub(crate) fn fault(self) -> BuildFault {
        let Self { message, errors, .. } = self;
        BuildFault { errors, ..BuildFault::new(BuildFaultKind::Forbidden, message) }
    }
}
