//! Writes runs and differences as JSON.
//!
//! Adding a field keeps [`FORMAT_VERSION`]; changing or removing one raises it.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use softmark_untrusted::Untrusted;

use super::change::{Change, CheckChange, Mark, SettingChange};
use super::diff::{CheckTotal, Diff, Entry, Vanished};
use crate::model::{Delta, Grader};
use crate::store::SavedRun;
use crate::store::document::pretty;

/// Version of all documents of the ledger.
pub(super) const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
struct RunsDocument<'a> {
    format_version: u32,
    runs: Vec<RunOf<'a>>,
}

#[derive(Serialize)]
struct RunOf<'a> {
    run: i64,
    started_at: &'a Untrusted,
    submissions: usize,
    grader: &'a Grader,
}

#[derive(Serialize)]
struct DiffDocument<'a> {
    format_version: u32,
    before: &'a str,
    after: &'a str,
    gained: usize,
    lost: usize,
    unchanged: usize,
    only_before: &'a [Untrusted],
    only_after: &'a [Untrusted],
    vanished: Vec<VanishedOf<'a>>,
    checks: BTreeMap<&'a Untrusted, TotalOf>,
    submissions: Vec<EntryOf<'a>>,
}

#[derive(Serialize)]
struct VanishedOf<'a> {
    submission: &'a Untrusted,
    assignment: &'a Untrusted,
    points: f64,
}

#[derive(Serialize)]
struct TotalOf {
    gained: usize,
    lost: usize,
    points: f64,
}

#[derive(Serialize)]
struct EntryOf<'a> {
    submission: &'a Untrusted,
    assignment: &'a Untrusted,
    outcome_before: &'static str,
    outcome_after: &'static str,
    points_before: Option<f64>,
    points_after: Option<f64>,
    difference: Option<f64>,
    is_loss: bool,
    change: ChangeOf<'a>,
}

/// Change between two gradings.
#[derive(Serialize)]
pub(super) struct ChangeOf<'a> {
    causes: Vec<&'static str>,
    /// Relation of assignment, checks and grader: `same`, `changed` or `unknown`.
    basis: &'static str,
    /// Checks that changed, if others did not.
    changed_checks: &'a [Untrusted],
    settings: Vec<SettingOf<'a>>,
    checks: Vec<CheckOf<'a>>,
}

#[derive(Serialize)]
struct SettingOf<'a> {
    name: &'static str,
    before: &'a Untrusted,
    after: &'a Untrusted,
}

#[derive(Serialize)]
struct CheckOf<'a> {
    id: &'a Untrusted,
    difference: f64,
    /// Relation of what decided the two results: `same`, `changed` or `unknown`.
    basis: &'static str,
    before: Option<MarkOf>,
    after: Option<MarkOf>,
}

#[derive(Serialize)]
struct MarkOf {
    status: &'static str,
    points: f64,
    graded_points: f64,
    max_points: f64,
    is_overridden: bool,
}

impl MarkOf {
    fn of(mark: Mark) -> Self {
        Self {
            status: mark.status.as_str(),
            points: mark.points.to_f64(),
            graded_points: mark.graded.to_f64(),
            max_points: mark.max_points.to_f64(),
            is_overridden: mark.is_overridden,
        }
    }
}

impl<'a> SettingOf<'a> {
    fn of(SettingChange { name, before, after }: &'a SettingChange) -> Self {
        Self { name, before, after }
    }
}

impl<'a> CheckOf<'a> {
    fn of(change: &'a CheckChange) -> Self {
        Self {
            id: &change.check,
            difference: change.delta().to_f64(),
            basis: change.basis.as_str(),
            before: change.before.map(MarkOf::of),
            after: change.after.map(MarkOf::of),
        }
    }
}

impl<'a> ChangeOf<'a> {
    /// Returns what is written of a change.
    pub(super) fn of(change: &'a Change) -> Self {
        Self {
            causes: change.causes(),
            basis: change.basis.as_str(),
            changed_checks: &change.changed_checks,
            settings: change.settings.iter().map(SettingOf::of).collect(),
            checks: change.checks.iter().map(CheckOf::of).collect(),
        }
    }
}

impl<'a> EntryOf<'a> {
    fn of(entry: &'a Entry) -> Self {
        Self {
            submission: &entry.submission,
            assignment: &entry.assignment,
            outcome_before: entry.outcome_before.as_str(),
            outcome_after: entry.outcome_after.as_str(),
            points_before: entry.before.map(crate::model::Points::to_f64),
            points_after: entry.after.map(crate::model::Points::to_f64),
            difference: entry.delta().map(Delta::to_f64),
            is_loss: entry.is_loss(),
            change: ChangeOf::of(&entry.change),
        }
    }
}

fn vanished_of(vanished: &Vanished) -> VanishedOf<'_> {
    VanishedOf {
        submission: &vanished.submission,
        assignment: &vanished.assignment,
        points: vanished.points.to_f64(),
    }
}

fn total_of(total: &CheckTotal) -> TotalOf {
    TotalOf { gained: total.gained, lost: total.lost, points: total.sum.to_f64() }
}

/// Writes the difference of two results.
pub(super) fn write_diff(diff: &Diff, out: &mut dyn io::Write) -> io::Result<()> {
    let document = DiffDocument {
        format_version: FORMAT_VERSION,
        before: &diff.before,
        after: &diff.after,
        gained: diff.gains(),
        lost: diff.lost(),
        unchanged: diff.unchanged,
        only_before: &diff.only_before,
        only_after: &diff.only_after,
        vanished: diff.vanished.iter().map(vanished_of).collect(),
        checks: diff.checks.iter().map(|(id, total)| (id, total_of(total))).collect(),
        submissions: diff.entries.iter().map(EntryOf::of).collect(),
    };
    out.write_all(pretty(&document)?.as_bytes())
}

/// Writes the list of runs.
pub(super) fn write_runs(runs: &[SavedRun], out: &mut dyn io::Write) -> io::Result<()> {
    let runs = runs.iter().map(run_of).collect();
    let document = RunsDocument { format_version: FORMAT_VERSION, runs };
    out.write_all(pretty(&document)?.as_bytes())
}

fn run_of(run: &SavedRun) -> RunOf<'_> {
    RunOf {
        run: run.id.number(),
        started_at: &run.started_at,
        submissions: run.submissions,
        grader: &run.grader,
    }
}
