//! Signatures of the components of all assignments.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use softmark_checks::Signature;

use crate::support::exams::suites;

/// A component that no assignment has.
pub(crate) static NOTHING: Signature = Signature::new("", &[], &[], &[]);

/// Signatures of all components that are asked something.
static KNOWN: OnceLock<Vec<&'static Signature>> = OnceLock::new();

fn known() -> Vec<&'static Signature> {
    let mut known =
        vec![&debugging_checks::signatures::DETECTORS, &softmark_checks::files::ANSWERS];
    for suite in suites() {
        let checks = (suite.checks)();
        let tasks: BTreeSet<&str> = checks.iter().map(|entry| entry.check.task()).collect();
        let questions = tasks.into_iter().flat_map(suite.battery);
        known.extend(questions.map(|question| question.case.signature));
    }
    known
}

/// Returns the signature of the component `part` that has all `sizes`: assignments may share the name of a component.
#[expect(single_use_lifetimes, reason = "an anonymous lifetime is not allowed in `impl Trait`")]
pub(crate) fn find<'a>(part: &str, sizes: impl Iterator<Item = &'a str>) -> &'static Signature {
    let sizes: Vec<&str> = sizes.collect();
    let mut known = KNOWN.get_or_init(known).iter();
    let found = known.find(|it| it.part == part && sizes.iter().all(|size| it.has_size(size)));
    found.unwrap_or_else(|| panic!("no component {part} with {sizes:?}"))
}
