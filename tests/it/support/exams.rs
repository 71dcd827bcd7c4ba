//! The exams that come with the grader.

use std::path::Path;

use softmark::suite::{Catalog, Project};
use softmark_exam::Suite;

use crate::support::pack::HOME;

pub(crate) const CATALOG: Catalog = Catalog::new(&[
    attention_exam::SUITE,
    encoder_exam::SUITE,
    modern_exam::SUITE,
    debugging_exam::SUITE,
    prefix_tuning_exam::SUITE,
]);

/// Every exam.
pub(crate) fn suites() -> &'static [Suite] {
    CATALOG.suites()
}

/// The exam of an assignment.
pub(crate) fn suite(assignment: &str) -> &'static Suite {
    CATALOG.find(assignment).unwrap()
}

/// This repository, with its exams.
pub(crate) fn project() -> Project<'static> {
    Project { home: Path::new(HOME), catalog: CATALOG }
}
