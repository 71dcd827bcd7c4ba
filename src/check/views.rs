//! Holds what a part makes of views against what it makes of contiguous tensors.

use softmark_checks::check::Judged;
use softmark_checks::subject::compare;
use softmark_checks::{Case, Subject};
use softmark_common::compare::Tolerance;

use crate::check::against::{Oracle, expected};

/// Holds that the part answers `view` as it answers `plain`: the same question, once with inputs
/// that are not contiguous in memory and once with inputs that are.
///
/// The oracle says no more than which outputs there are and of which shape: what is wrong with them
/// on either is a matter for other checks.
///
/// # Errors
///
/// The verdict, where the answers differ.
pub fn same_on_views(
    subject: &mut Subject<'_>,
    (plain, view): (&Case, &Case),
    oracle: Oracle,
    tolerance: Tolerance,
) -> Judged {
    let words = (
        "The inputs are views whose rows do not lie one after another in memory, and the result \
         should be the same as for contiguous ones",
        "Look at operations that ask for contiguous memory, or read it without asking.",
    );
    let (before, after) = (subject.forward(plain)?, subject.forward(view)?);
    for (name, right) in expected(plain, oracle)? {
        let want = before.get(plain, name, right.shape())?;
        let got = after.get(view, name, right.shape())?;
        compare(view, name, (&got, &want), tolerance, words)?;
    }
    Ok(())
}
