//! Checks of a submission's text before it is compiled.
//!
//! The rules live in [`softmark_checks::source`], so that a student's `cargo test` applies them too.
//! Code that reads files or the environment is refused here with a message that gives file and line.
//! Security does not depend on it: the compiler cannot reach anyone's files, and reports what it read
//! ([`inputs`](crate::build::inputs)).

use softmark_checks::source::{Refusal, compile_time_reads, ready_made};

use crate::build::compile::Source;
use crate::build::fault::{BuildFault, BuildFaultKind};
use crate::model::Usage;

/// The fault of a submission that reads files or the environment while it is compiled.
pub(crate) fn reads(source: &Source) -> Option<BuildFault> {
    Refused::first(compile_time_reads(source)).map(Refused::fault)
}

/// The first use in a submission of one of the library items in `forbidden`, whose paths are those of
/// [`ready_made`]; files that `is_provided` are not the student's.
pub(crate) fn forbidden(
    source: &Source,
    is_provided: impl Fn(&str) -> bool,
    forbidden: &[String],
) -> Option<Refused> {
    let provided: Vec<&str> =
        source.keys().map(String::as_str).filter(|name| is_provided(name)).collect();
    Refused::first(ready_made(source, &provided, forbidden))
}

/// Text that may not be compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Path below `src/` of the file with the first such text.
    pub(crate) file: String,
    /// The reason, for the student; begins with `src/FILE:LINE: `.
    pub(crate) message: String,
    /// Number of such texts.
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
        let (kind, message) = (BuildFaultKind::Forbidden, message.into());
        BuildFault { kind, message, errors, usage: Usage::default() }
    }
}
