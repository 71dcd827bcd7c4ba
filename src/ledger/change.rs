//! Change between two gradings of a submission: which checks moved, and what may have moved them.

use std::collections::BTreeSet;

use softmark_untrusted::Untrusted;

use super::bases::{Bases, Basis};
use super::graded::Graded;
use crate::model::{Delta, Grader, Points, RecordOutcome, Status};
use crate::overrides::{Overrides, effective};
use crate::store::{GradedCheck, Grading};

/// Most checks that a sentence names.
const MOST_NAMED: usize = 3;

/// Mark of one check: what the grader decided, and the points that count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Result.
    pub status: Status,
    /// Points of the grader.
    pub graded: Points,
    /// Points that count: those of an override if one holds.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// True if an override holds.
    pub is_overridden: bool,
}

impl Mark {
    /// Returns the mark of a check of a grading.
    pub fn of(graded: &Graded, check: &GradedCheck, overrides: &Overrides) -> Self {
        let grading = &graded.grading;
        let given = overrides.of_check(&grading.submission, &grading.assignment, &check.id);
        let given = given.filter(|_| grading.outcome != RecordOutcome::NoGrade);
        Self {
            status: check.status,
            graded: check.points,
            points: effective(check.points, check.max_points, given),
            max_points: check.max_points,
            is_overridden: given.is_some(),
        }
    }
}

/// Check whose mark differs between two gradings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckChange {
    /// Check id.
    pub check: Untrusted,
    /// Mark in the earlier grading; `None` if it had no such check.
    pub before: Option<Mark>,
    /// Mark in the later grading; `None` if it has no such check.
    pub after: Option<Mark>,
    /// Relation of what decided the two results, the submission's files apart.
    pub basis: Basis,
}

impl CheckChange {
    /// Returns the difference of the points that count.
    pub fn delta(&self) -> Delta {
        let points = |mark: Option<Mark>| mark.map(|mark| mark.points).unwrap_or_default();
        Delta::between(points(self.before), points(self.after))
    }

    /// Returns true if the check is worth other points, or is in one of the gradings only.
    pub fn is_worth_other_points(&self) -> bool {
        self.before.map(|mark| mark.max_points) != self.after.map(|mark| mark.max_points)
    }
}

/// Setting of the grader that differs between two gradings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingChange {
    /// Name of the setting, such as `seed`.
    pub name: &'static str,
    /// Value in the earlier grading.
    pub before: Untrusted,
    /// Value in the later grading.
    pub after: Untrusted,
}

/// Change between two gradings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// True if the submission's files differ.
    pub has_other_files: bool,
    /// Relation of assignment, checks and grader. Points and titles count as long as the checks have no keys of their own.
    pub basis: Basis,
    /// Checks that changed, if others did not, in the order of the later grading; none if all changed, or if it is not known.
    pub changed_checks: Vec<Untrusted>,
    /// Settings of the grader that differ.
    pub settings: Vec<SettingChange>,
    /// True if an override was given, changed or withdrawn.
    pub has_other_overrides: bool,
    /// Checks whose marks differ, in the order of the later grading.
    pub checks: Vec<CheckChange>,
}

/// Grading, and the overrides that held then.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Grading.
    pub graded: &'a Graded,
    /// Overrides that held.
    pub overrides: &'a Overrides,
}

impl Side<'_> {
    /// Returns the points that count, overrides included; `None` if there is no grade.
    pub fn points(self) -> Option<Points> {
        let grading = &self.graded.grading;
        let changed = grading.checks.iter().fold(grading.points, |points, check| {
            let mark = Mark::of(self.graded, check, self.overrides);
            points.exchange(mark.graded, mark.points)
        });
        (grading.outcome != RecordOutcome::NoGrade).then_some(changed)
    }

    /// Returns true if the grading has results of checks.
    fn has_results(self) -> bool {
        let grading = &self.graded.grading;
        grading.outcome != RecordOutcome::NoGrade && !grading.checks.is_empty()
    }
}

impl Change {
    /// Compares two gradings of a submission.
    pub fn between(before: Side<'_>, after: Side<'_>, bases: &Bases) -> Self {
        let (old, new) = (&before.graded.grading, &after.graded.grading);
        let settings = setting_changes(&before.graded.grader, &after.graded.grader);
        let keys = Keys::between(old, new);
        let basis = keys.basis().unwrap_or_else(|| {
            let basis = bases.compare(&before.graded.node(), &after.graded.node());
            let is_other = || {
                let checks = check_changes(before, after, &keys, basis);
                !settings.is_empty() || checks.iter().any(CheckChange::is_worth_other_points)
            };
            if basis == Basis::Unknown && is_other() { Basis::Changed } else { basis }
        });
        let changed_checks = keys.changed_among_others();
        Self {
            has_other_files: old.sha256 != new.sha256,
            basis,
            changed_checks,
            settings,
            has_other_overrides: has_other_overrides(before, after),
            checks: check_changes(before, after, &keys, basis),
        }
    }

    /// Returns true if a check is worth other points, was added or removed.
    pub fn has_other_points(&self) -> bool {
        self.checks.iter().any(CheckChange::is_worth_other_points)
    }

    /// Returns true if no result, no points and no override differ.
    pub fn is_empty(&self) -> bool {
        self.checks.is_empty() && !self.has_other_overrides
    }

    /// Returns the names of what changed, for programs.
    pub fn causes(&self) -> Vec<&'static str> {
        let causes = [
            (self.has_other_files, "submission"),
            (self.basis == Basis::Changed, "check"),
            (self.has_other_points(), "points"),
            (self.has_other_overrides, "override"),
        ];
        causes.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect()
    }

    /// Returns what changed, for a person: `other files; other checks (seed 1 → 2)`.
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if self.has_other_files {
            words.push("other files".to_owned());
        }
        match self.basis {
            Basis::Changed => words.push(self.basis_words()),
            Basis::Unknown => words.push("not known whether the checks changed".to_owned()),
            Basis::Same => {}
        }
        if self.has_other_points() {
            words.push("checks are worth other points".to_owned());
        }
        if self.has_other_overrides {
            words.push("other overrides".to_owned());
        }
        if words.is_empty() && !self.checks.is_empty() {
            words.push("same files and checks: the result is not reproducible".to_owned());
        }
        if words.is_empty() {
            words.push("nothing changed".to_owned());
        }
        words.join("; ")
    }

    fn basis_words(&self) -> String {
        let settings: Vec<String> = self
            .settings
            .iter()
            .map(|it| format!("{} {} → {}", it.name, it.before, it.after))
            .collect();
        if !self.changed_checks.is_empty() {
            let named = self.changed_checks.iter().take(MOST_NAMED).map(ToString::to_string);
            let mut named: Vec<String> = named.collect();
            let more = self.changed_checks.len().saturating_sub(MOST_NAMED);
            if more > 0 {
                named.push(format!("and {more} more"));
            }
            return format!("other checks: {}", named.join(", "));
        }
        if settings.is_empty() {
            return "other checks (assignment, grader or compiler)".to_owned();
        }
        format!("other checks ({})", settings.join(", "))
    }
}

/// Keys of the checks that two gradings have in common.
struct Keys<'a> {
    /// True for each check whose key differs; `None` if one of the gradings has no key of it.
    differ: Vec<(&'a Untrusted, Option<bool>)>,
}

impl<'a> Keys<'a> {
    fn between(before: &Grading, after: &'a Grading) -> Self {
        let differ = after.checks.iter().filter_map(|new| {
            let old = before.checks.iter().find(|old| old.id == new.id)?;
            Some((&new.id, old.key.as_ref().zip(new.key.as_ref()).map(|(old, new)| old != new)))
        });
        Self { differ: differ.collect() }
    }

    /// Returns the relation of what all checks depend on; `None` if it is not known of one of them, or if there are none.
    fn basis(&self) -> Option<Basis> {
        let all: Vec<bool> =
            self.differ.iter().map(|(_, differs)| *differs).collect::<Option<_>>()?;
        let any = all.iter().any(|differs| *differs);
        (!all.is_empty()).then_some(if any { Basis::Changed } else { Basis::Same })
    }

    /// Returns the relation of what a check depends on; `None` if it is not known.
    fn basis_of(&self, id: &Untrusted) -> Option<Basis> {
        let (_, differs) = self.differ.iter().find(|(other, _)| *other == id)?;
        differs.map(|differs| if differs { Basis::Changed } else { Basis::Same })
    }

    /// Returns the checks that changed, if some did not.
    fn changed_among_others(&self) -> Vec<Untrusted> {
        let of = |wanted: bool| self.differ.iter().filter(move |(_, it)| *it == Some(wanted));
        if of(false).count() == 0 {
            return Vec::new();
        }
        of(true).map(|(id, _)| (*id).clone()).collect()
    }
}

fn has_other_overrides(before: Side<'_>, after: Side<'_>) -> bool {
    let given = |side: Side<'_>| -> BTreeSet<(Untrusted, Option<Points>)> {
        let own = side.overrides.in_force().into_iter().filter(|given| {
            let grading = &side.graded.grading;
            given.submission == grading.submission && given.assignment == grading.assignment
        });
        own.map(|given| (given.check.clone(), given.points)).collect()
    };
    given(before) != given(after)
}

/// Returns the checks whose marks differ; none if one of the gradings has no results.
///
/// `basis` is the relation of what all checks depend on.
fn check_changes(
    before: Side<'_>,
    after: Side<'_>,
    keys: &Keys<'_>,
    basis: Basis,
) -> Vec<CheckChange> {
    if !before.has_results() || !after.has_results() {
        return Vec::new();
    }
    let marks = |side: Side<'_>| -> Vec<(Untrusted, Mark)> {
        let checks = side.graded.grading.checks.iter();
        checks.map(|it| (it.id.clone(), Mark::of(side.graded, it, side.overrides))).collect()
    };
    let (old, new) = (marks(before), marks(after));
    let in_order = new.iter().chain(old.iter().filter(|(id, _)| new.iter().all(|it| it.0 != *id)));
    let mark = |marks: &[(Untrusted, Mark)], id: &Untrusted| {
        marks.iter().find(|(other, _)| other == id).map(|(_, mark)| *mark)
    };
    let changes = in_order.map(|(id, _)| CheckChange {
        check: id.clone(),
        before: mark(&old, id),
        after: mark(&new, id),
        basis: keys.basis_of(id).unwrap_or(basis),
    });
    changes.filter(|change| change.before != change.after).collect()
}

fn setting_changes(before: &Grader, after: &Grader) -> Vec<SettingChange> {
    let seed = |grader: &Grader| {
        Untrusted::from(grader.seed.map(|seed| seed.to_string()).unwrap_or_default())
    };
    let settings = [
        ("grader", before.version.clone(), after.version.clone()),
        ("seed", seed(before), seed(after)),
        ("device", before.device.clone(), after.device.clone()),
        ("sandbox", before.sandbox.clone(), after.sandbox.clone()),
    ];
    let changed = settings.into_iter().filter(|(_, before, after)| before != after);
    changed.map(|(name, before, after)| SettingChange { name, before, after }).collect()
}
