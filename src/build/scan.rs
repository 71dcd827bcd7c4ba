//! Checks of a submission's text before it is compiled.
//!
//! The rules live in [`softmark_checks::source`], so that a student's `cargo test` applies them too.
//! Code that reads files or the environment is refused here with a message that gives file and line.
//! Security does not depend on this scan: the compiler cannot reach anyone's files, and reports
//! what it read ([`inputs`](crate::build::inputs)).

use softmark_checks::source::{Refusal, compile_time_reads};

use crate::build::code::Source;
use crate::build::fault::{BuildFault, BuildFaultKind};

/// Returns the fault of a submission that reads files or the environment at compile time.
pub(crate) fn reads(source: &Source) -> Option<BuildFault> {
    let refusals = compile_time_reads(source);
    let errors = refusals.len();
    let Refusal { message, .. } = refusals.into_iter().next()?;
    Some(BuildFault { errors, ..BuildFault::new(BuildFaultKind::Forbidden, message) })
}
