//! Hidden checks of the detectors: a family of bugs each.

use softmark_checks::check::outcome;
use softmark_checks::{Case, CheckError, Outcome, Subject};
use softmark_exam::check::catches;

use crate::bank::{FAMILIES, suspects};

/// A check for each family, as the rubric wants it: a function without anything to remember.
macro_rules! families {
    ($($name:ident: $at:literal),* $(,)?) => {
        $(pub(crate) fn $name(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
            hunt(subject, $at, seed)
        })*
    };
}

families! {
    residuals: 0,
    padding: 1,
    scores: 2,
    softmax: 3,
    batch: 4,
    heads: 5,
    norms: 6,
    network: 7,
}

fn hunt(subject: &mut Subject<'_>, family: usize, seed: u64) -> Result<Outcome, CheckError> {
    let Some(family) = FAMILIES.get(family) else {
        let (check, reason) = ("detectors".to_owned(), format!("there is no family {family}"));
        return Err(CheckError::Inputs { check, reason });
    };
    let case = Case::new(&debugging_checks::signatures::DETECTORS, "a bank of layers".to_owned());
    outcome(catches(subject, &case, &suspects(family, seed), seed))
}
