//! Difference of two results of a class: who moved, by how much, by which check, and what changed.

use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use super::bases::Bases;
use super::change::{Change, Side};
use super::graded::Graded;
use super::results::Results;
use crate::model::{Delta, Points, RecordOutcome};
use crate::overrides::Overrides;

/// Submission whose results differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Earlier outcome.
    pub outcome_before: RecordOutcome,
    /// Later outcome.
    pub outcome_after: RecordOutcome,
    /// Earlier points; `None` if there was no grade.
    pub before: Option<Points>,
    /// Later points; `None` if there is no grade.
    pub after: Option<Points>,
    /// Change between the two gradings.
    pub change: Change,
}

impl Entry {
    /// Returns the difference of the points; `None` if one of the results has no grade.
    pub fn delta(&self) -> Option<Delta> {
        Some(Delta::between(self.before?, self.after?))
    }

    /// Returns true if points or the whole grade were lost.
    pub fn is_loss(&self) -> bool {
        let lost_grade = self.before.is_some() && self.after.is_none();
        lost_grade || self.delta().is_some_and(Delta::is_loss)
    }
}

/// Sum over the class of what one check moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CheckTotal {
    /// Number of submissions that gained points by it.
    pub gained: usize,
    /// Number of submissions that lost points by it.
    pub lost: usize,
    /// Sum of the differences.
    pub sum: Delta,
}

/// Submission with a grade that is in the earlier results only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vanished {
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Points that it had.
    pub points: Points,
}

/// Difference of two results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// Name of the earlier results.
    pub before: String,
    /// Name of the later results.
    pub after: String,
    /// Submissions whose results differ: the largest losses first, then by name.
    pub entries: Vec<Entry>,
    /// Number of submissions in both results that do not differ.
    pub unchanged: usize,
    /// Submissions in the earlier results only.
    pub only_before: Vec<Untrusted>,
    /// Those of them that had a grade, which is lost.
    pub vanished: Vec<Vanished>,
    /// Submissions in the later results only.
    pub only_after: Vec<Untrusted>,
    /// Checks that moved points, by id.
    pub checks: BTreeMap<Untrusted, CheckTotal>,
}

/// Submission and assignment of a grading.
type Place = (Untrusted, Untrusted);

impl Diff {
    /// Compares two results; `bases` are those of their ledgers.
    pub fn between(before: &Results, after: &Results, bases: &Bases) -> Self {
        let (mut old, mut new) = (by_place(before), by_place(after));
        find_assignments(&mut old, &new);
        find_assignments(&mut new, &old);
        let mut diff = Self {
            before: before.name.clone(),
            after: after.name.clone(),
            entries: Vec::new(),
            unchanged: 0,
            only_before: only_in(&old, &new),
            vanished: vanished(&old, &new, &before.overrides),
            only_after: only_in(&new, &old),
            checks: BTreeMap::new(),
        };
        for (place, one) in &old {
            let Some(other) = new.get(place) else { continue };
            let sides = [
                Side { graded: one, overrides: &before.overrides },
                Side { graded: other, overrides: &after.overrides },
            ];
            match entry(place, sides, bases) {
                Some(entry) => diff.entries.push(entry),
                None => diff.unchanged += 1,
            }
        }
        diff.entries.sort_by_key(order);
        diff.checks = totals(&diff.entries);
        diff
    }

    /// Returns the submissions in both results that lost points, or their grade.
    pub fn losses(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.is_loss())
    }

    /// Returns the number of submissions that lost points, or their grade, also by being in the earlier results only.
    pub fn lost(&self) -> usize {
        self.losses().count() + self.vanished.len()
    }

    /// Returns the number of submissions that gained points.
    pub fn gains(&self) -> usize {
        let gained = |entry: &&Entry| entry.delta().is_some_and(|delta| delta.hundredths() > 0);
        self.entries.iter().filter(gained).count()
    }
}

/// Returns the gradings, which are in the order in which they were made, by submission and assignment.
///
/// A submission that was rejected before its assignment was known takes the place of its earlier gradings.
fn by_place(results: &Results) -> BTreeMap<Place, &Graded> {
    let mut all: BTreeMap<Place, &Graded> = BTreeMap::new();
    for graded in &results.gradings {
        let (submission, assignment) = (&graded.grading.submission, &graded.grading.assignment);
        let own = (submission.clone(), assignment.clone());
        if assignment.is_empty() {
            let mut places: Vec<Place> =
                all.keys().filter(|(name, _)| name == submission).cloned().collect();
            if places.is_empty() {
                places.push(own);
            }
            all.extend(places.into_iter().map(|place| (place, graded)));
        } else {
            all.remove(&(submission.clone(), Untrusted::EMPTY));
            all.insert(own, graded);
        }
    }
    all
}

/// Gives submissions that were rejected before their assignment was known the assignments that the other results know.
fn find_assignments(all: &mut BTreeMap<Place, &Graded>, other: &BTreeMap<Place, &Graded>) {
    let unknown: Vec<Place> =
        all.keys().filter(|(_, assignment)| assignment.is_empty()).cloned().collect();
    for place in unknown.into_iter().filter(|place| !other.contains_key(place)) {
        let known: Vec<&Place> = other.keys().filter(|(name, _)| *name == place.0).collect();
        if known.is_empty() {
            continue;
        }
        if let Some(graded) = all.remove(&place) {
            all.extend(known.into_iter().map(|place| (place.clone(), graded)));
        }
    }
}

/// Returns the submissions with a grade that are in the earlier results only.
fn vanished(
    before: &BTreeMap<Place, &Graded>,
    after: &BTreeMap<Place, &Graded>,
    overrides: &Overrides,
) -> Vec<Vanished> {
    let only = before.iter().filter(|(place, _)| !after.contains_key(*place));
    let vanished = only.filter_map(|((submission, assignment), graded)| {
        let points = Side { graded, overrides }.points()?;
        let (submission, assignment) = (submission.clone(), assignment.clone());
        Some(Vanished { submission, assignment, points })
    });
    vanished.collect()
}

fn only_in(one: &BTreeMap<Place, &Graded>, other: &BTreeMap<Place, &Graded>) -> Vec<Untrusted> {
    let only = one.keys().filter(|place| !other.contains_key(*place));
    only.map(|(submission, _)| submission.clone()).collect()
}

fn entry(place: &Place, [before, after]: [Side<'_>; 2], bases: &Bases) -> Option<Entry> {
    let change = Change::between(before, after, bases);
    let (old, new) = (&before.graded.grading, &after.graded.grading);
    let entry = Entry {
        submission: place.0.clone(),
        assignment: place.1.clone(),
        outcome_before: old.outcome,
        outcome_after: new.outcome,
        before: before.points(),
        after: after.points(),
        change,
    };
    let is_same = entry.before == entry.after
        && entry.outcome_before == entry.outcome_after
        && entry.change.is_empty();
    (!is_same).then_some(entry)
}

/// Order of the entries: lost grades, then the largest losses, then the largest gains, then by name.
fn order(entry: &Entry) -> (bool, bool, i64, Untrusted) {
    let delta = entry.delta().unwrap_or_default().hundredths();
    let size = if delta == 0 { i64::MAX } else { -delta.abs() };
    (!entry.is_loss(), entry.delta().is_some(), size, entry.submission.clone())
}

fn totals(entries: &[Entry]) -> BTreeMap<Untrusted, CheckTotal> {
    let mut totals: BTreeMap<Untrusted, CheckTotal> = BTreeMap::new();
    for change in entries.iter().flat_map(|entry| &entry.change.checks) {
        let delta = change.delta();
        if delta == Delta::default() {
            continue;
        }
        let total = totals.entry(change.check.clone()).or_default();
        total.gained += usize::from(!delta.is_loss());
        total.lost += usize::from(delta.is_loss());
        total.sum = total.sum.plus(delta);
    }
    totals
}
