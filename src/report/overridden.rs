//! Overrides of points, as lines of text for every format.

use crate::model::{CheckRecord, OverrideRecord, Record};

/// Heading of the lines.
pub(super) const TITLE: &str = "Points that a person decided";

/// Returns a line for each check of the record whose points a person decided.
pub(crate) fn lines(record: &Record) -> Vec<String> {
    let checks = record.tasks.iter().flat_map(|task| &task.checks);
    checks.filter_map(|check| Some(format!("{}: {}", check.id, line(check)?))).collect()
}

/// Returns the number of overridden checks of the record.
pub(super) fn number(record: &Record) -> usize {
    let checks = record.tasks.iter().flat_map(|task| &task.checks);
    checks.filter(|check| check.overridden.is_some()).count()
}

/// Returns the decision about a check, without its id; `None` if its points are the grader's.
pub(super) fn line(check: &CheckRecord) -> Option<String> {
    let OverrideRecord { graded, reason, by, given_at, is_of_other_files } =
        check.overridden.as_ref()?;
    let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
    let files = if *is_of_other_files { ", for earlier files" } else { "" };
    let (points, max_points) = (check.points, check.max_points);
    Some(format!(
        "{points} of {max_points} instead of {graded},{by} on {given_at}{files}: {reason}"
    ))
}

#[cfg(test)]
mod tests {
    use softmark_untrusted::Untrusted;

    use super::*;
    use crate::model::test_checks::check;
    use crate::model::{Points, Status};

    #[test]
    fn a_decision_is_one_line_whatever_its_text() {
        let decision = OverrideRecord {
            graded: Points::ZERO,
            reason: "right\u{1b}[2J\nin principle".into(),
            by: "Okafor".into(),
            given_at: "2026-01-31T12:00:00Z".into(),
            is_of_other_files: false,
        };
        let half = Points::from_hundredths(50);
        let all = Points::from_hundredths(100);
        let mut check =
            CheckRecord { points: half, ..check("multi-head/mask-hides", Status::Wrong, all) };
        assert_eq!(line(&check), None);
        check.overridden = Some(decision.clone());
        assert_eq!(
            line(&check).as_deref(),
            Some(
                "0.50 of 1.00 instead of 0.00, by Okafor on 2026-01-31T12:00:00Z: \
                 right␛[2J␊in principle"
            )
        );
        let for_student =
            OverrideRecord { by: Untrusted::EMPTY, is_of_other_files: true, ..decision };
        check.overridden = Some(for_student);
        let said = line(&check).unwrap();
        assert!(said.contains("0.00, on 2026-01-31T12:00:00Z, for earlier files:"), "{said}");
    }
}
