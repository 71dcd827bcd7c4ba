//! Summary of a class, for the terminal and the page.

use std::collections::BTreeMap;
use std::time::Duration;

use softmark_exam::Mistake;
use softmark_untrusted::Untrusted;

use crate::model::{
    CheckRecord, Grader, Points, Record, RecordOutcome, Run, Status, TaskRecord, Usage,
};
use crate::report::text::count;
use crate::suite::Catalog;

/// Submissions of one assignment.
#[derive(Debug)]
pub(super) struct Group<'a> {
    /// Assignment id; empty if it is not known.
    pub(super) assignment: &'a Untrusted,
    /// Records in the order of the run, each with its place there.
    pub(super) records: Vec<(usize, &'a Record)>,
    /// Tasks in the order of the assignment.
    pub(super) tasks: Vec<TaskHead<'a>>,
}

impl Group<'_> {
    /// Returns the name of its assignment, for a person.
    pub(super) fn name(&self) -> String {
        match self.assignment {
            assignment if assignment.is_empty() => "assignment unknown".to_owned(),
            assignment => assignment.to_string(),
        }
    }
}

/// Task of the whole group.
#[derive(Debug)]
pub(super) struct TaskHead<'a> {
    pub(super) id: &'a Untrusted,
    pub(super) title: &'a Untrusted,
    pub(super) max_points: Points,
    /// Mean over the graded submissions; `None` if there are none.
    pub(super) mean: Option<Points>,
}

/// Mistake or check that cost points, and how often.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CauseCount<'a> {
    pub(super) cause: Cause<'a>,
    /// Number of submissions that it cost points.
    pub(super) submissions: usize,
}

/// Cause of lost points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cause<'a> {
    /// A known mistake.
    Mistake {
        id: &'a Untrusted,
        /// Id of the first check that it failed.
        check: &'a Untrusted,
    },
    /// A check that failed for an unknown reason.
    Check { id: &'a Untrusted, title: &'a Untrusted },
}

/// Points of the graded submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) mean: Points,
    pub(super) median: Points,
    pub(super) max_points: Points,
}

/// Cost of grading the records that are not from the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cost {
    /// Median of the processor times.
    pub(super) median_cpu: Duration,
    pub(super) most_cpu: Duration,
    /// Median of the largest memory sizes.
    pub(super) median_bytes: u64,
    pub(super) most_bytes: u64,
}

/// Id of an assignment that is not known.
static UNKNOWN: Untrusted = Untrusted::EMPTY;

/// Groups the submissions of a run by assignment, in the order in which the assignments appear.
///
/// A submission whose assignment is not known is in the group of the only assignment, if there is only one.
pub(super) fn groups(run: &Run) -> Vec<Group<'_>> {
    let mut names: Vec<&Untrusted> = Vec::new();
    for record in &run.records {
        if !record.assignment.is_empty() && !names.contains(&&record.assignment) {
            names.push(&record.assignment);
        }
    }
    let only = if let [only] = names.as_slice() { Some(*only) } else { None };
    let belongs = |record: &Record, assignment: &Untrusted| match only {
        Some(only) if record.assignment.is_empty() => only == assignment,
        _ => record.assignment == *assignment,
    };
    if only.is_none() && run.records.iter().any(|record| record.assignment.is_empty()) {
        names.push(&UNKNOWN);
    }
    names
        .into_iter()
        .map(|assignment| {
            let records: Vec<_> =
                run.records.iter().enumerate().filter(|(_, r)| belongs(r, assignment)).collect();
            Group { assignment, tasks: task_heads(&records), records }
        })
        .collect()
}

fn task_heads<'a>(records: &[(usize, &'a Record)]) -> Vec<TaskHead<'a>> {
    let mut heads: Vec<TaskHead<'a>> = Vec::new();
    for task in records.iter().flat_map(|(_, record)| &record.tasks) {
        if !heads.iter().any(|head| *head.id == task.id) {
            let marks: Vec<Points> = graded(records)
                .flat_map(|record| &record.tasks)
                .filter(|other| other.id == task.id)
                .map(|other| other.points)
                .collect();
            heads.push(TaskHead {
                id: &task.id,
                title: if task.title.is_empty() { &task.id } else { &task.title },
                max_points: task.max_points,
                mean: mean(&marks),
            });
        }
    }
    heads
}

/// Returns the records with a grade that their code earned.
pub(super) fn graded<'a>(records: &[(usize, &'a Record)]) -> impl Iterator<Item = &'a Record> {
    records.iter().map(|(_, record)| *record).filter(|r| r.outcome == RecordOutcome::Graded)
}

/// Returns mean and median of the graded submissions; `None` if there are none.
pub(super) fn marks(records: &[(usize, &Record)]) -> Option<Marks> {
    let mut points: Vec<Points> = graded(records).map(|record| record.points).collect();
    points.sort_unstable();
    let middle = points.len() / 2;
    let middle = match points.len() % 2 {
        0 => points.get(middle.checked_sub(1)?..=middle)?,
        _ => points.get(middle..=middle)?,
    };
    Some(Marks {
        mean: mean(&points)?,
        median: mean(middle)?,
        max_points: graded(records).map(|record| record.max_points).max()?,
    })
}

/// Returns the mean, rounded half up to hundredths.
fn mean(points: &[Points]) -> Option<Points> {
    let sum: u64 = points.iter().map(|points| u64::from(points.hundredths())).sum();
    let count = u64::try_from(points.len()).ok().filter(|count| *count > 0)?;
    u32::try_from((sum + count / 2) / count).ok().map(Points::from_hundredths)
}

/// Returns the causes of lost points, the most frequent first: mistakes by name, and if none is known in a
/// task, its first failed check, because the others mostly fail for the same reason. Stubs and blocked checks
/// are not causes.
pub(super) fn causes_of_losses<'a>(records: &[(usize, &'a Record)]) -> Vec<CauseCount<'a>> {
    // The cause's key, its first sight, and the submissions that met it.
    let mut met: BTreeMap<(bool, &Untrusted), (Cause<'a>, Vec<usize>)> = BTreeMap::new();
    for (place, record) in records {
        for cause in record.tasks.iter().flat_map(causes) {
            let key = match cause {
                Cause::Mistake { id, .. } => (false, id),
                Cause::Check { id, .. } => (true, id),
            };
            let (_, places) = met.entry(key).or_insert((cause, Vec::new()));
            if places.last() != Some(place) {
                places.push(*place);
            }
        }
    }
    let mut causes_of_losses: Vec<CauseCount<'a>> = met
        .into_values()
        .map(|(cause, places)| CauseCount { cause, submissions: places.len() })
        .collect();
    causes_of_losses.sort_by(|a, b| b.submissions.cmp(&a.submissions).then(a.cause.cmp(&b.cause)));
    causes_of_losses
}

/// Returns the mistakes that are named in a task, or else the first of its checks that failed.
fn causes(task: &TaskRecord) -> Vec<Cause<'_>> {
    let is_worth = |check: &CheckRecord| check.max_points > Points::ZERO;
    let is_fallen = |check: &CheckRecord| matches!(check.status, Status::Wrong | Status::Fault);
    let fell = |check: &&CheckRecord| is_fallen(check) && is_worth(check);
    let mut fallen = task.checks.iter().filter(fell).peekable();
    let first = fallen.peek().map(|check| Cause::Check { id: &check.id, title: &check.title });
    let named: Vec<Cause<'_>> = fallen
        .filter_map(|check| Some(Cause::Mistake { id: check.mistake.as_ref()?, check: &check.id }))
        .collect();
    if named.is_empty() { first.into_iter().collect() } else { named }
}

/// Returns true if the check fails and is worth no points.
pub(super) fn costs_nothing(check: &CheckRecord) -> bool {
    let fails = matches!(check.status, Status::Wrong | Status::Fault | Status::Blocked);
    fails && check.max_points == Points::ZERO
}

/// Returns the number of records per outcome: `7 submissions: 6 graded, 1 rejected`.
pub(super) fn outcome_counts(records: &[&Record]) -> String {
    let outcome_counts: Vec<String> = [
        RecordOutcome::Graded,
        RecordOutcome::BuildFailed,
        RecordOutcome::Rejected,
        RecordOutcome::NoGrade,
    ]
    .into_iter()
    .map(|way| (way, records.iter().filter(|record| record.outcome == way).count()))
    .filter(|(_, number)| *number > 0)
    .map(|(way, number)| format!("{number} {}", outcome_words(way)))
    .collect();
    let colon = if outcome_counts.is_empty() { "" } else { ": " };
    format!(
        "{}{colon}{}",
        count(records.len(), "submission", "submissions"),
        outcome_counts.join(", ")
    )
}

/// Returns the cost of grading the run; `None` if all records are from the cache.
pub(super) fn cost(run: &Run) -> Option<Cost> {
    let usages: Vec<Usage> = run.records.iter().filter_map(|record| record.usage).collect();
    let mut cpu: Vec<Duration> = usages.iter().map(|usage| usage.cpu).collect();
    let mut bytes: Vec<u64> = usages.iter().map(|usage| usage.peak_bytes).collect();
    cpu.sort_unstable();
    bytes.sort_unstable();
    // The lower of the two in the middle: what somebody really took.
    let middle = usages.len().saturating_sub(1) / 2;
    Some(Cost {
        median_cpu: *cpu.get(middle)?,
        most_cpu: *cpu.last()?,
        median_bytes: *bytes.get(middle)?,
        most_bytes: *bytes.last()?,
    })
}

/// Returns the mistakes that checks of these records name, in the order in which they are first named, as far as the
/// catalogue has them.
pub(super) fn known_mistakes(records: &[Record], catalog: Catalog) -> Vec<Mistake> {
    let mut known: Vec<Mistake> = Vec::new();
    let checks = records.iter().flat_map(|record| &record.tasks).flat_map(|task| &task.checks);
    for id in checks.filter_map(|check| check.mistake.as_ref()) {
        if !known.iter().any(|mistake| *id == mistake.id) {
            known.extend(catalog.mistake(id.as_raw()));
        }
    }
    known
}

/// Returns the grader's version, seed and device; the seed only if it is there.
pub(super) fn grader_settings(grader: &Grader) -> String {
    let seed = grader.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
    format!("{}{seed}, {}", grader.version, grader.device)
}

/// Returns the name of an outcome for a person.
pub(crate) fn outcome_words(outcome: RecordOutcome) -> &'static str {
    match outcome {
        RecordOutcome::Graded => "graded",
        RecordOutcome::Rejected => "rejected",
        RecordOutcome::BuildFailed => "build failed",
        RecordOutcome::NoGrade => "no grade",
    }
}

/// Returns the sign of a result in pages.
pub(crate) fn status_sign(status: Status) -> &'static str {
    match status {
        Status::Pass => "✓",
        Status::Wrong => "✗",
        Status::Fault => "!",
        Status::NotImplemented => "·",
        Status::Blocked => "–",
    }
}

/// Returns the name of a status for a person.
pub(crate) fn status_words(status: Status) -> &'static str {
    match status {
        Status::Pass => "pass",
        Status::Wrong => "wrong",
        Status::NotImplemented => "not implemented",
        Status::Fault => "no answer",
        Status::Blocked => "blocked",
    }
}

/// Returns true if every check reached a stub.
pub(super) fn is_untouched(record: &Record) -> bool {
    let mut checks = record.tasks.iter().flat_map(|task| &task.checks).peekable();
    checks.peek().is_some() && checks.all(|check| check.status == Status::NotImplemented)
}

/// Returns the points without trailing zeros.
pub(super) fn short(points: Points) -> String {
    let text = points.to_string();
    match text.split_once('.') {
        Some((whole, "00")) => whole.to_owned(),
        _ => text.trim_end_matches('0').to_owned(),
    }
}

/// Returns the share of `points` in `max_points`, in `steps`; all steps only for all points, none only for no
/// points.
pub(super) fn steps(points: Points, max_points: Points, steps: u32) -> u32 {
    let (points, max_points) = (points.hundredths(), max_points.hundredths());
    if points == 0 || max_points == 0 {
        return 0;
    }
    if points >= max_points {
        return steps;
    }
    let exact = u64::from(points) * u64::from(steps) / u64::from(max_points);
    u32::try_from(exact).unwrap_or(0).clamp(1, steps.saturating_sub(1).max(1))
}
