//! Statistics of one check.

use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use super::attempts::Attempts;
use super::figures::{Interval, Pair, negative_correlation_p, point_biserial, wilson};
use super::flag::Flag;
use crate::model::{Points, Status};
use crate::store::{GradedCheck, Grading};

/// Number of submissions by result of a check.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StatusCounts {
    /// The answer is right.
    pub pass: usize,
    /// The answer is wrong.
    pub wrong: usize,
    /// There was no answer.
    pub fault: usize,
    /// The stub was reached.
    pub not_implemented: usize,
    /// The check needs something that failed.
    pub blocked: usize,
}

impl StatusCounts {
    fn add(&mut self, status: Status) {
        match status {
            Status::Pass => self.pass += 1,
            Status::Wrong => self.wrong += 1,
            Status::Fault => self.fault += 1,
            Status::NotImplemented => self.not_implemented += 1,
            Status::Blocked => self.blocked += 1,
        }
    }

    /// Returns the number of submissions.
    pub fn n(&self) -> usize {
        self.pass + self.failed()
    }

    /// Returns the number of submissions that did not pass.
    pub fn failed(&self) -> usize {
        self.wrong + self.fault + self.not_implemented + self.blocked
    }
}

/// Statistics of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckStatistics {
    /// Check id.
    pub id: Untrusted,
    /// Points available, at most.
    pub max_points: Points,
    /// Number of submissions by result.
    pub results: StatusCounts,
    /// Points that all submissions together lost by it, in hundredths.
    pub lost: u64,
    /// Point-biserial correlation of passing with the points of all other checks; `None` if it is not defined.
    pub discrimination: Option<f64>,
    /// Probability of such a correlation, or a lower one, by chance; `None` if it is not defined.
    pub p_negative: Option<f64>,
    /// Mistakes that were recognized, and in how many submissions: the most frequent first.
    pub mistakes: Vec<(Untrusted, usize)>,
    /// Attempts until it first passed.
    pub attempts: Attempts,
    /// Reasons to look at the check.
    pub flags: Vec<Flag>,
}

impl CheckStatistics {
    /// Returns the statistics of a check in these gradings.
    pub(super) fn of(id: &Untrusted, gradings: &[&Grading], attempts: Attempts) -> Self {
        let of_check = gradings.iter().filter_map(|grading| {
            let check = grading.checks.iter().find(|check| check.id == *id)?;
            Some((*grading, check))
        });
        let of_check: Vec<(&Grading, &GradedCheck)> = of_check.collect();
        let mut results = StatusCounts::default();
        let mut mistakes: BTreeMap<&Untrusted, usize> = BTreeMap::new();
        let mut lost = 0;
        for (_, check) in &of_check {
            results.add(check.status);
            lost +=
                u64::from(check.max_points.hundredths().saturating_sub(check.points.hundredths()));
            if let Some(mistake) = &check.mistake {
                *mistakes.entry(mistake).or_default() += 1;
            }
        }
        let pairs: Vec<Pair> =
            of_check.iter().map(|(grading, check)| pair(grading, check)).collect();
        let discrimination = point_biserial(&pairs);
        let mut mistakes: Vec<(Untrusted, usize)> =
            mistakes.into_iter().map(|(id, count)| (id.clone(), count)).collect();
        mistakes.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        Self {
            id: id.clone(),
            max_points: of_check.iter().map(|(_, it)| it.max_points).max().unwrap_or_default(),
            results,
            lost,
            discrimination,
            p_negative: discrimination.and_then(|r| negative_correlation_p(r, pairs.len())),
            mistakes,
            attempts,
            flags: Vec::new(),
        }
    }

    /// Returns the pass rate; `None` if there are no submissions.
    pub fn pass_rate(&self) -> Option<f64> {
        let n = self.results.n();
        (n > 0).then(|| self.results.pass as f64 / n as f64)
    }

    /// Returns the 95 % interval of the pass rate; `None` if there are no submissions.
    pub fn interval(&self) -> Option<Interval> {
        wilson(self.results.pass, self.results.n())
    }

    /// Returns the points that all submissions together lost by it.
    pub fn points_lost(&self) -> f64 {
        self.lost as f64 / 100.0
    }
}

/// Returns whether a check passed, and the points of all other checks.
fn pair(grading: &Grading, check: &GradedCheck) -> Pair {
    let rest = i64::from(grading.points.hundredths()) - i64::from(check.points.hundredths());
    Pair { passed: check.status == Status::Pass, rest }
}
