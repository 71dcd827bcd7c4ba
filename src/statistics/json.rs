//! Writes statistics as JSON. Rates and probabilities are from 0 to 1; what is not defined is null.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use softmark_untrusted::Untrusted;

use super::checks::CheckStatistics;
use super::class::Statistics;
use super::figures::Distribution;
use super::flags::{MIN_CLASS, MIN_GROUP};
use crate::store::document::pretty;

/// Version of the format, raised when a field changes its meaning or is removed, but not when one is added.
const FORMAT_VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    min_class: usize,
    min_group: usize,
    assignments: Vec<AssignmentOf<'a>>,
}

#[derive(Serialize)]
struct AssignmentOf<'a> {
    assignment: &'a Untrusted,
    submissions: CountsOf,
    points: Option<DistributionOf>,
    tasks: Vec<TaskOf<'a>>,
    checks: Vec<CheckOf<'a>>,
}

#[derive(Serialize)]
struct CountsOf {
    graded: usize,
    not_started: usize,
    build_failed: usize,
    rejected: usize,
    no_grade: usize,
}

#[derive(Serialize)]
struct DistributionOf {
    n: usize,
    max_points: f64,
    mean: f64,
    standard_deviation: Option<f64>,
    quartiles: [f64; 5],
    tenths: [usize; 10],
}

#[derive(Serialize)]
struct TaskOf<'a> {
    task: &'a Untrusted,
    points: DistributionOf,
}

#[derive(Serialize)]
struct CheckOf<'a> {
    check: &'a Untrusted,
    max_points: f64,
    n: usize,
    results: ResultsOf,
    pass_rate: Option<f64>,
    pass_rate_low: Option<f64>,
    pass_rate_high: Option<f64>,
    discrimination: Option<f64>,
    p_negative: Option<f64>,
    points_lost: f64,
    mistakes: Vec<MistakeOf<'a>>,
    attempts: AttemptsOf<'a>,
    flags: Vec<&'static str>,
}

#[derive(Serialize)]
struct ResultsOf {
    pass: usize,
    wrong: usize,
    fault: usize,
    not_implemented: usize,
    blocked: usize,
}

#[derive(Serialize)]
struct MistakeOf<'a> {
    mistake: &'a Untrusted,
    submissions: usize,
}

#[derive(Serialize)]
struct AttemptsOf<'a> {
    passed_in: &'a BTreeMap<usize, usize>,
    never: usize,
}

impl DistributionOf {
    fn of(distribution: &Distribution) -> Self {
        Self {
            n: distribution.n,
            max_points: distribution.max_points.to_f64(),
            mean: distribution.mean,
            standard_deviation: distribution.deviation,
            quartiles: distribution.quartiles,
            tenths: distribution.bins,
        }
    }
}

impl<'a> CheckOf<'a> {
    fn of(check: &'a CheckStatistics) -> Self {
        let results = &check.results;
        let mistake =
            |(id, count): &'a (Untrusted, usize)| MistakeOf { mistake: id, submissions: *count };
        Self {
            check: &check.id,
            max_points: check.max_points.to_f64(),
            n: results.n(),
            results: ResultsOf {
                pass: results.pass,
                wrong: results.wrong,
                fault: results.fault,
                not_implemented: results.not_implemented,
                blocked: results.blocked,
            },
            pass_rate: check.pass_rate(),
            pass_rate_low: check.interval().map(|interval| interval.low),
            pass_rate_high: check.interval().map(|interval| interval.high),
            discrimination: check.discrimination,
            p_negative: check.p_negative,
            points_lost: check.points_lost(),
            mistakes: check.mistakes.iter().map(mistake).collect(),
            attempts: AttemptsOf {
                passed_in: &check.attempts.passed_in,
                never: check.attempts.never,
            },
            flags: check.flags.iter().map(|flag| flag.as_str()).collect(),
        }
    }
}

fn assignment(statistics: &Statistics) -> AssignmentOf<'_> {
    let counts = &statistics.counts;
    AssignmentOf {
        assignment: &statistics.assignment,
        submissions: CountsOf {
            graded: counts.graded,
            not_started: counts.not_started,
            build_failed: counts.build_failed,
            rejected: counts.rejected,
            no_grade: counts.no_grade,
        },
        points: statistics.points.as_ref().map(DistributionOf::of),
        tasks: statistics.tasks.iter().map(task_of).collect(),
        checks: statistics.checks.iter().map(CheckOf::of).collect(),
    }
}

fn task_of((id, points): &(Untrusted, Distribution)) -> TaskOf<'_> {
    TaskOf { task: id, points: DistributionOf::of(points) }
}

/// Writes the document.
pub(super) fn write(all: &[Statistics], out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        format_version: FORMAT_VERSION,
        min_class: MIN_CLASS,
        min_group: MIN_GROUP,
        assignments: all.iter().map(assignment).collect(),
    };
    out.write_all(pretty(&document)?.as_bytes())
}
