//! Check that strided inputs give the same result as contiguous ones.

use softmark_checks::check::Judged;
use softmark_checks::subject::compare;
use softmark_checks::{Case, Subject};
use softmark_common::compare::Tolerance;

use crate::check::against::{Oracle, expected};

/// Checks that the component answers `view` like `plain`: the same question with inputs that are
/// not contiguous in memory, and with inputs that are.
///
/// The oracle serves only for the names and shapes of the outputs: other checks test their values.
///
/// # Errors
///
/// Fails with the verdict if the answers differ.
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
