//! Rotary positions far from the beginning.

use modern_checks::inputs::Rotary;
use softmark_checks::check::{CheckError, Judged, outcome};
use softmark_checks::typed::{Draw, Shape, Typed, TypedTask};
use softmark_checks::{Check, Outcome, Subject};
use softmark_exam::typed::checks::matches_formula;

use crate::formulas::RotaryFormula;

/// Positions of a short and of a long sequence. The specification promises the digits of `f32` at position 5000, and any length: this is more than
/// tables mostly have.
const LENGTHS: [usize; 2] = [1, 10_007];

/// Half of the width. At width 10 the second of the five angles is 0.16 per position: at position 5000 it is 800, which `f32` holds to
/// 3·10⁻⁵, six times the tolerance. At width 4 there are only the angles 1, which is a whole number everywhere, and 0.01, which stays
/// small.
const HALF: usize = 5;

pub(crate) const FAR_POSITIONS: Check = Check {
    id: "rotary/far-positions",
    title: "angles keep their digits far from the beginning, in sequences of any length",
    run: far_positions,
};

fn far_positions(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    outcome(LENGTHS.into_iter().try_for_each(|length| judge(subject, length, seed)))
}

fn judge(subject: &mut Subject<'_>, length: usize, seed: u64) -> Judged {
    let shape = Shape { sizes: vec![1, 1, length, HALF], dims: Rotary::DIMS, data: 0 };
    let case = Rotary::of(&shape, Draw::new(seed, 0)).to_case(shape.label());
    matches_formula::<RotaryFormula>(subject, &case)
}
