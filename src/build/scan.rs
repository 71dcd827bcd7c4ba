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
    fault(&compile_time_reads(source))
}

/// The fault of a submission that uses one of the library items in `forbidden`, whose paths are those
/// of [`ready_made`]; files that `is_provided` are not the student's.
pub fn forbidden(
    source: &Source,
    is_provided: impl Fn(&str) -> bool,
    forbidden: &[String],
) -> Option<BuildFault> {
    let provided: Vec<&str> =
        source.keys().map(String::as_str).filter(|name| is_provided(name)).collect();
    fault(&ready_made(source, &provided, forbidden))
}

fn fault(refusals: &[Refusal]) -> Option<BuildFault> {
    let message = refusals.first()?.message.clone();
    let (kind, errors) = (BuildFaultKind::Forbidden, refusals.len());
    Some(BuildFault { kind, message, errors, usage: Usage::default() })
}
