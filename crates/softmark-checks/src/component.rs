//! Properties of every component with parameters.

use crate::array::Array;
use crate::case::Case;
use crate::check::{Judged, Stop, wrong};
use crate::missing::never_asked;
use crate::subject::Subject;

/// Runs the component forward and returns the output, which must have the shape of the input `x`.
///
/// # Errors
///
/// Fails with the verdict if the output has another shape or the component gives no answer.
pub fn output_like_input(subject: &mut Subject<'_>, case: &Case) -> Result<Array, Stop> {
    subject.forward(case)?.get(case, "output", case.get("x").shape())
}

/// Checks that the constructor asks for every parameter of the case; `about` says what the parameters are.
///
/// # Errors
///
/// Fails with the verdict if a parameter is not asked for. A name or shape that does not exist has already been
/// refused by the constructor.
pub fn asks_for_all(subject: &mut Subject<'_>, case: &Case, about: &str) -> Judged {
    let missing = never_asked(case, &subject.asked(case)?);
    if missing.is_empty() {
        return Ok(());
    }
    Err(wrong(case, format!("The constructor never asked for {}. {about}", missing.join(", "))))
}
