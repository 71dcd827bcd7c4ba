//! Answers of multi-head attention, held against the formula.

use attention_checks::cases::{AttentionShape, MaskKind};
use attention_checks::fixed::{self, SQUARE, with_full_mantissas};
use attention_checks::multi_head::without_biases;
use softmark_checks::subject::compare;
use softmark_checks::{Case, Judged, Subject};
use softmark_exam::check::{Oracle, expected};

use crate::checks::tolerances::of_multi_head as tolerance;
use crate::rounding;

/// Holds the outputs that the oracle names against its numbers, each with a tolerance of its own.
pub(super) fn right(
    subject: &mut Subject<'_>,
    case: &Case,
    oracle: Oracle,
    words: (&str, &str),
) -> Judged {
    let allowed = rounding::allowed(case, tolerance(case));
    let answer = subject.forward(case)?;
    for (name, want) in expected(case, oracle)? {
        let got = answer.get(case, name, want.shape())?;
        let tolerance = if name == "weights" { allowed.weights } else { allowed.output };
        compare(case, name, (&got, &want), tolerance, words)?;
    }
    Ok(())
}

/// Returns a question without a mask and without biases, with three heads of two channels.
pub(super) fn open() -> Case {
    let shape = AttentionShape { mask: MaskKind::None, ..SQUARE };
    without_biases(&with_full_mantissas(&shape.multi_head(fixed::SEED, false)))
}
