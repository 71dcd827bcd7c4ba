//! Hidden checks of the detectors: a family of bugs each.

use softmark_checks::check::outcome;
use softmark_checks::{Case, Check, CheckError, Outcome, Subject};
use softmark_exam::check::catches;

use crate::bank::{FAMILIES, suspects};

/// Hidden checks of the task, one for each family.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: FAMILIES[0].check,
        title: FAMILIES[0].title,
        run: |subject, seed| hunt(subject, 0, seed),
    },
    Check {
        id: FAMILIES[1].check,
        title: FAMILIES[1].title,
        run: |subject, seed| hunt(subject, 1, seed),
    },
    Check {
        id: FAMILIES[2].check,
        title: FAMILIES[2].title,
        run: |subject, seed| hunt(subject, 2, seed),
    },
    Check {
        id: FAMILIES[3].check,
        title: FAMILIES[3].title,
        run: |subject, seed| hunt(subject, 3, seed),
    },
    Check {
        id: FAMILIES[4].check,
        title: FAMILIES[4].title,
        run: |subject, seed| hunt(subject, 4, seed),
    },
    Check {
        id: FAMILIES[5].check,
        title: FAMILIES[5].title,
        run: |subject, seed| hunt(subject, 5, seed),
    },
    Check {
        id: FAMILIES[6].check,
        title: FAMILIES[6].title,
        run: |subject, seed| hunt(subject, 6, seed),
    },
    Check {
        id: FAMILIES[7].check,
        title: FAMILIES[7].title,
        run: |subject, seed| hunt(subject, 7, seed),
    },
];

fn hunt(subject: &mut Subject<'_>, family: usize, seed: u64) -> Result<Outcome, CheckError> {
    let Some(family) = FAMILIES.get(family) else {
        let (check, reason) = ("detectors".to_owned(), format!("there is no family {family}"));
        return Err(CheckError::Inputs { check, reason });
    };
    let case = Case::new(&debugging_checks::signatures::DETECTORS, "a bank of layers".to_owned());
    outcome(catches(subject, &case, &suspects(family, seed), seed))
}
