//! Hidden checks of the detectors: a family of bugs each.

use softmark_checks::check::{RunCheck, outcome};
use softmark_checks::{Case, Check, CheckError, Outcome, Subject};
use softmark_exam::check::catches;

use crate::bank::{FAMILIES, Family, suspects};

/// Hidden checks of the task, one for each family.
pub(crate) const CHECKS: &[Check] = &[
    of_family(&FAMILIES[0], |subject, seed| hunt(subject, 0, seed)),
    of_family(&FAMILIES[1], |subject, seed| hunt(subject, 1, seed)),
    of_family(&FAMILIES[2], |subject, seed| hunt(subject, 2, seed)),
    of_family(&FAMILIES[3], |subject, seed| hunt(subject, 3, seed)),
    of_family(&FAMILIES[4], |subject, seed| hunt(subject, 4, seed)),
    of_family(&FAMILIES[5], |subject, seed| hunt(subject, 5, seed)),
    of_family(&FAMILIES[6], |subject, seed| hunt(subject, 6, seed)),
    of_family(&FAMILIES[7], |subject, seed| hunt(subject, 7, seed)),
];

const fn of_family(family: &Family, run: RunCheck) -> Check {
    Check { id: family.check, title: family.title, run }
}

fn hunt(subject: &mut Subject<'_>, family: usize, seed: u64) -> Result<Outcome, CheckError> {
    let Some(family) = FAMILIES.get(family) else {
        let (check, reason) = ("detectors".to_owned(), format!("there is no family {family}"));
        return Err(CheckError::Inputs { check, reason });
    };
    let case = Case::new(&debugging_checks::signatures::DETECTORS, "a bank of layers".to_owned());
    outcome(catches(subject, &case, &suspects(family, seed), seed))
}
