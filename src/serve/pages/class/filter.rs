//! Filters of the class: which submissions are shown.

use softmark_untrusted::Untrusted;

use crate::model::{RecordOutcome, Status};
use crate::overrides::Overrides;
use crate::serve::class::Row;
use crate::serve::fields::Fields;

/// Choice of submissions, from the query of the page. Empty fields choose all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// Assignment id.
    pub(super) assignment: String,
    /// Part of the name of a submission.
    pub(super) name: String,
    /// Task in which points were lost.
    pub(super) task: String,
    /// Check that did not pass, or has the result `status`.
    pub(super) check: String,
    /// Result of the check, or of any check.
    pub(super) status: Option<Status>,
    /// Mistake that is named.
    pub(super) mistake: String,
    /// Outcome.
    pub(super) outcome: Option<RecordOutcome>,
    /// Group.
    pub(super) group: String,
    /// Work that the submissions wait for.
    pub(super) needs: Needs,
}

/// Work of a person that a submission waits for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Needs {
    /// No filter.
    #[default]
    Any,
    /// A written answer has no points.
    Marking,
    /// An appeal is open.
    Answer,
}

impl Needs {
    /// Returns the name in the query.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Any => "",
            Self::Marking => "marking",
            Self::Answer => "answer",
        }
    }
}

impl Filter {
    /// Reads the query of the page. Unknown names choose all.
    pub(super) fn of(query: &Fields) -> Self {
        let text = |name: &str| query.text(name).trim().to_owned();
        let needs = [Needs::Marking, Needs::Answer];
        Self {
            assignment: text("assignment"),
            name: text("name"),
            task: text("task"),
            check: text("check"),
            status: Status::from_name(query.text("status")),
            mistake: text("mistake"),
            outcome: RecordOutcome::from_name(query.text("outcome")),
            group: text("group"),
            needs: needs
                .into_iter()
                .find(|it| it.as_str() == query.text("needs"))
                .unwrap_or_default(),
        }
    }

    /// Returns the fields of the query that this filter is.
    pub(super) fn fields(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("assignment", self.assignment.as_str()),
            ("name", &self.name),
            ("task", &self.task),
            ("check", &self.check),
            ("status", self.status.map_or("", Status::as_str)),
            ("mistake", &self.mistake),
            ("outcome", self.outcome.map_or("", RecordOutcome::as_str)),
            ("group", &self.group),
            ("needs", self.needs.as_str()),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// Returns true if the filter chooses the submission.
    pub(super) fn fits(&self, row: &Row, overrides: &Overrides) -> bool {
        let (key, grading) = (&row.entry.key, &row.entry.newest);
        let is = |wanted: &str, found: &Untrusted| wanted.is_empty() || *found == *wanted;
        is(&self.assignment, &key.assignment)
            && (self.group.is_empty() || row.groups.iter().any(|it| *it == *self.group))
            && self.outcome.is_none_or(|outcome| grading.outcome == outcome)
            && self.fits_name(row)
            && self.fits_checks(row)
            && (self.task.is_empty() || self.has_lost_points(row, overrides))
            && match self.needs {
                Needs::Any => true,
                Needs::Marking => row.unmarked() > 0,
                Needs::Answer => row.appeals > 0,
            }
    }

    fn fits_name(&self, row: &Row) -> bool {
        // The printed name: what people see is what they look for.
        let shown = || row.entry.key.submission.to_string().to_lowercase();
        self.name.is_empty() || shown().contains(&self.name.to_lowercase())
    }

    fn fits_checks(&self, row: &Row) -> bool {
        let checks = &row.entry.newest.checks;
        let named = self.mistake.is_empty()
            || checks.iter().any(|it| it.mistake.as_ref().is_some_and(|id| *id == self.mistake));
        let is_result = |status: Status| match self.status {
            Some(wanted) => status == wanted,
            None => status != Status::Pass,
        };
        let has_result = (self.check.is_empty() && self.status.is_none())
            || checks
                .iter()
                .any(|it| (self.check.is_empty() || it.id == self.check) && is_result(it.status));
        named && has_result
    }

    /// Returns true if points are missing in the task, after what people decided.
    fn has_lost_points(&self, row: &Row, overrides: &Overrides) -> bool {
        let task = row.task(&self.task.as_str().into(), overrides);
        task.is_some_and(|task| task.points < task.max_points)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::Points;
    use crate::serve::class::{Entry, SubmissionKey};
    use crate::store::document::read_record;
    use crate::store::{GradedCheck, Grading, RunId};

    fn row(name: &str) -> Row {
        let text = include_str!("../../../../fixtures/records/partial.json");
        let record = read_record(text).unwrap().1;
        let check = |id: &str, status| GradedCheck {
            task: "a".into(),
            id: id.into(),
            status,
            points: Points::ZERO,
            max_points: Points::from_hundredths(100),
            mistake: (status == Status::Wrong).then(|| "missing-scale".into()),
            key: None,
        };
        let newest = Grading {
            id: 1,
            run: RunId::from_number(1),
            key: String::new(),
            submission: name.into(),
            sha256: "".into(),
            assignment: "attention".into(),
            outcome: RecordOutcome::Graded,
            points: Points::ZERO,
            max_points: Points::from_hundredths(200),
            checks: vec![check("a/one", Status::Wrong), check("a/two", Status::Fault)],
        };
        let key = SubmissionKey { submission: name.into(), assignment: "attention".into() };
        let (newest, record) = (Arc::new(newest), Some(Arc::new(record)));
        Row {
            entry: Arc::new(Entry { number: 1, key, newest, record }),
            points: Some(Points::ZERO),
            overridden: 0,
            appeals: 1,
            unmarked: 0,
            groups: vec!["blue".into(), "red".into()],
        }
    }

    fn fits(query: &[(&str, &str)]) -> bool {
        let pairs = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let filter = Filter::of(&Fields::new(pairs.collect()));
        let again =
            filter.fields().into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(Filter::of(&Fields::new(again.collect())), filter, "the query is kept");
        filter.fits(&row("Chen\u{202e} Wei"), &Overrides::default())
    }

    #[test]
    fn each_field_chooses() {
        for query in [
            &[][..],
            &[("assignment", "attention"), ("group", "red"), ("outcome", "graded")],
            &[("name", "chen")],
            &[("name", "\\u{202e} wei")],
            &[("task", "a")],
            &[("check", "a/two")],
            &[("check", "a/one"), ("status", "wrong")],
            &[("status", "fault")],
            &[("mistake", "missing-scale")],
            &[("needs", "answer")],
            &[("outcome", "unknown")],
        ] {
            assert!(fits(query), "{query:?}");
        }
        for query in [
            &[("assignment", "encoder")][..],
            &[("group", "blue, red")],
            &[("name", "ben")],
            &[("outcome", "rejected")],
            &[("task", "b")],
            &[("check", "a/three")],
            &[("check", "a/one"), ("status", "fault")],
            &[("status", "pass")],
            &[("mistake", "other")],
            &[("needs", "marking")],
        ] {
            assert!(!fits(query), "{query:?}");
        }
    }
}
