//! Rotary positions far from the beginning.

use modern_checks::inputs::Rotary;
use softmark_checks::check::{CheckError, outcome};
use softmark_checks::typed::{Draw, Shape, Typed, TypedTask};
use softmark_checks::{Check, Outcome, Subject};
use softmark_exam::typed::checks::matches_formula;

use crate::formulas::RotaryFormula;

/// The specification promises the digits of `f32` at position 5000. There an angle that is computed in `f32` is off by up
/// to 2·10⁻⁴, a hundred times what rounding leaves of a rotation.
const LENGTH: usize = 5001;

pub(crate) const FAR_POSITIONS: Check = Check {
    id: "rotary/far-positions",
    title: "angles keep their digits far from the beginning, in sequences of any length",
    run: far_positions,
};

fn far_positions(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let shape = Shape { sizes: vec![1, 1, LENGTH, 2], dims: Rotary::DIMS, data: 0 };
    let case = Rotary::of(&shape, Draw::new(seed, 0)).to_case(shape.label());
    outcome(matches_formula::<RotaryFormula>(subject, &case))
}
