//! Statistics of an assignment: which submissions count, points, tasks and checks.

use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use super::attempts::attempts;
use super::checks::CheckStatistics;
use super::figures::Distribution;
use super::flags::flag;
use crate::model::{Points, RecordOutcome, Status};
use crate::store::Grading;

/// Number of submissions by how their last grading ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Graded, and begun: these count in all figures.
    pub graded: usize,
    /// Graded, and every check reached a stub.
    pub not_started: usize,
    /// Not compilable.
    pub build_failed: usize,
    /// Not accepted as a submission.
    pub rejected: usize,
    /// Without a grade.
    pub no_grade: usize,
}

/// Statistics of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Statistics {
    /// Assignment id.
    pub assignment: Untrusted,
    /// Number of submissions.
    pub counts: Counts,
    /// Points of the whole assignment; `None` if no submission counts.
    pub points: Option<Distribution>,
    /// Points of each task, in the order of the assignment.
    pub tasks: Vec<(Untrusted, Distribution)>,
    /// Checks in the order of the assignment.
    pub checks: Vec<CheckStatistics>,
}

impl Statistics {
    /// Returns the statistics of an assignment from all its gradings, in the order in which they were made.
    pub fn of(assignment: Untrusted, gradings: &[Grading]) -> Self {
        let mut last: BTreeMap<&Untrusted, &Grading> = BTreeMap::new();
        for grading in gradings {
            last.insert(&grading.submission, grading);
        }
        let mut counts = Counts::default();
        let counting: Vec<&Grading> =
            last.into_values().filter(|grading| counts.add(grading)).collect();
        let mut history = attempts(gradings);
        let ids = in_order(&counting, |check| &check.id);
        let mut checks: Vec<CheckStatistics> = ids
            .iter()
            .map(|id| CheckStatistics::of(id, &counting, history.remove(*id).unwrap_or_default()))
            .collect();
        flag(&mut checks);
        let points: Vec<Points> = counting.iter().map(|grading| grading.points).collect();
        let most = counting.iter().map(|grading| grading.max_points).max().unwrap_or_default();
        let tasks = in_order(&counting, |check| &check.task);
        let tasks = tasks.iter().filter_map(|id| Some(((*id).clone(), task(id, &counting)?)));
        Self {
            assignment,
            counts,
            points: Distribution::of(&points, most),
            tasks: tasks.collect(),
            checks,
        }
    }
}

impl Counts {
    /// Counts a grading; returns true if it counts in the figures.
    fn add(&mut self, grading: &Grading) -> bool {
        match grading.outcome {
            RecordOutcome::Graded if is_untouched(grading) => self.not_started += 1,
            RecordOutcome::Graded => {
                self.graded += 1;
                return true;
            }
            RecordOutcome::BuildFailed => self.build_failed += 1,
            RecordOutcome::Rejected => self.rejected += 1,
            RecordOutcome::NoGrade => self.no_grade += 1,
        }
        false
    }
}

fn is_untouched(grading: &Grading) -> bool {
    grading.checks.iter().all(|check| check.status == Status::NotImplemented)
}

/// Returns the ids that checks have, in the order in which they first appear.
fn in_order<'a>(
    gradings: &[&'a Grading],
    id: impl Fn(&'a crate::store::GradedCheck) -> &'a Untrusted,
) -> Vec<&'a Untrusted> {
    let mut ids: Vec<&Untrusted> = Vec::new();
    for check in gradings.iter().flat_map(|grading| &grading.checks) {
        let id = id(check);
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

/// Returns the distribution of the points of a task.
fn task(id: &Untrusted, gradings: &[&Grading]) -> Option<Distribution> {
    let mut points = Vec::new();
    let mut most = Points::ZERO;
    for grading in gradings {
        let checks = grading.checks.iter().filter(|check| check.task == *id);
        let (mut sum, mut max_points, mut has_any) = (Points::ZERO, Points::ZERO, false);
        for check in checks {
            (sum, max_points) = (sum + check.points, max_points + check.max_points);
            has_any = true;
        }
        if has_any {
            points.push(sum);
            most = most.max(max_points);
        }
    }
    Distribution::of(&points, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Flag;
    use crate::store::{GradedCheck, RunId};

    /// Number of submissions of the class.
    const N: usize = 24;

    fn check(id: &str, passes: bool, hundredths: u32) -> GradedCheck {
        let max_points = Points::from_hundredths(hundredths);
        GradedCheck {
            task: id.split('/').next().unwrap_or_default().into(),
            id: id.into(),
            status: if passes { Status::Pass } else { Status::Wrong },
            points: if passes { max_points } else { Points::ZERO },
            max_points,
            mistake: (!passes).then(|| "missing-scale".into()),
            key: None,
        }
    }

    fn grading(id: i64, submission: usize, checks: Vec<GradedCheck>) -> Grading {
        Grading {
            id,
            run: RunId::from_number(1),
            key: format!("k{id}"),
            submission: format!("student {submission:02}").into(),
            sha256: format!("files {id}").into(),
            assignment: "attention".into(),
            outcome: RecordOutcome::Graded,
            points: checks.iter().map(|check| check.points).sum(),
            max_points: checks.iter().map(|check| check.max_points).sum(),
            checks,
        }
    }

    /// Class in which students pass the more of ten checks the higher their number, everybody passes `a/easy`, nobody
    /// `a/hard`, and only the weaker half passes `b/odd`.
    fn class(n: usize) -> Vec<Grading> {
        let student = |number: usize| {
            let mut checks = vec![
                check("a/easy", true, 100),
                check("a/hard", false, 100),
                check("b/odd", number * 2 < n, 100),
            ];
            let steps = (0..10).map(|step| check(&format!("b/step-{step}"), number > step, 200));
            checks.extend(steps);
            let id = i64::try_from(number).unwrap() + 1;
            grading(id, number, checks)
        };
        (0..n).map(student).collect()
    }

    fn flags(statistics: &Statistics) -> Vec<(String, Vec<Flag>)> {
        let flagged = statistics.checks.iter().filter(|check| !check.flags.is_empty());
        flagged.map(|check| (check.id.to_string(), check.flags.clone())).collect()
    }

    #[test]
    fn checks_that_tell_nothing_or_the_opposite_are_flagged() {
        let statistics = Statistics::of("attention".into(), &class(N));
        assert_eq!(
            flags(&statistics),
            [
                ("a/easy".to_owned(), vec![Flag::EverybodyPasses]),
                ("a/hard".to_owned(), vec![Flag::NobodyPasses]),
                ("b/odd".to_owned(), vec![Flag::BetterStudentsFail]),
            ]
        );
        let odd = &statistics.checks[2];
        // Python: statistics.correlation([1]*12 + [0]*12, [100 + 200*min(i, 10) for i in range(24)]).
        assert!((odd.discrimination.unwrap() + 0.697_657_268_088_575_2).abs() < 1e-12, "{odd:?}");
        assert_eq!((odd.results.pass, odd.results.failed(), odd.lost), (12, 12, 1200));
        assert_eq!(odd.mistakes, [("missing-scale".into(), 12)]);
        let easy = statistics.checks.first().unwrap();
        assert_eq!((easy.discrimination, easy.p_negative), (None, None));
        assert_eq!(statistics.tasks.len(), 2);
    }

    #[test]
    fn a_small_class_is_not_flagged() {
        assert_eq!(flags(&Statistics::of("attention".into(), &class(19))), []);
        assert_eq!(flags(&Statistics::of("attention".into(), &class(20))).len(), 3);
    }

    #[test]
    fn what_was_not_begun_or_not_graded_does_not_count() {
        let mut gradings = class(N);
        let mut empty = grading(100, 90, vec![check("a/easy", false, 100)]);
        empty.checks.iter_mut().for_each(|check| check.status = Status::NotImplemented);
        let outcome = |id: i64, outcome| Grading {
            outcome,
            ..grading(id, usize::try_from(id).unwrap(), Vec::new())
        };
        gradings.push(empty);
        gradings.push(outcome(101, RecordOutcome::NoGrade));
        gradings.push(outcome(102, RecordOutcome::Rejected));
        gradings.push(outcome(103, RecordOutcome::BuildFailed));
        let statistics = Statistics::of("attention".into(), &gradings);
        let counts =
            Counts { graded: N, not_started: 1, build_failed: 1, rejected: 1, no_grade: 1 };
        assert_eq!(statistics.counts, counts);
        let without = Statistics::of("attention".into(), &class(N));
        assert_eq!(statistics.points, without.points);
    }

    #[test]
    fn attempts_are_versions_of_the_files_and_regrading_is_none() {
        let graded = |id: i64, files: &str, passes: bool| Grading {
            sha256: files.into(),
            ..grading(id, 1, vec![check("a/easy", passes, 100)])
        };
        let broken = Grading { outcome: RecordOutcome::NoGrade, ..graded(3, "c", false) };
        let gradings = [
            graded(1, "a", false),
            graded(2, "a", false),
            broken,
            graded(4, "b", false),
            graded(5, "b", true),
            graded(6, "d", false),
        ];
        let attempts = |until: usize| {
            let all = Statistics::of("attention".into(), gradings.get(..until).unwrap());
            all.checks.first().unwrap().attempts.clone()
        };
        assert_eq!((attempts(4).never, attempts(4).within(..)), (1, 0));
        // The second version passed when it was graded again; a later version that fails takes nothing back.
        for until in [5, 6] {
            assert_eq!((attempts(until).never, attempts(until).within(2..3)), (0, 1), "{until}");
        }
    }
}
