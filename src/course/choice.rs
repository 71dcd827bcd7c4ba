//! The submission that counts, of those that a student has handed in.

use std::cmp::Reverse;

use crate::course::hand_in::{HandIn, Mark};
use crate::course::moment::Moment;
use crate::course::names::is_same_text;
use crate::course::policy::{LatePolicy, Scored, Timing, Verdict, Window, apply};
use crate::course::settings::Counts;
use crate::model::Points;

/// Rules of an assignment for one student.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules<'a> {
    pub(crate) policy: &'a LatePolicy,
    pub(crate) window: Window,
    pub(crate) late_days_left: u32,
    pub(crate) counts: Counts,
    /// Submission that is marked: its name, or the beginning of its SHA-256.
    pub(crate) marked: Option<&'a str>,
}

/// Submission of a student, with its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timed<'a> {
    pub(crate) hand_in: &'a HandIn,
    pub(crate) time: Option<Moment>,
}

/// Result of the choice.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Choice<'a> {
    /// There is no submission.
    Missing,
    /// There are several, and not all have a time.
    Undecided(usize),
    /// The marked submission is not among them.
    NoSuchMarked,
    /// This submission counts.
    Counts(Timed<'a>),
}

/// Least number of digits of a SHA-256 that names a submission.
const SHA256_DIGITS: usize = 8;

impl Rules<'_> {
    /// Chooses the submission that counts.
    pub(crate) fn choose<'a>(&self, all: &[Timed<'a>]) -> Choice<'a> {
        let chosen = match (self.counts, self.marked) {
            (_, _) if all.is_empty() => return Choice::Missing,
            (Counts::Marked, Some(marked)) => {
                let is_marked = |it: &&Timed<'a>| it.hand_in.is_called(marked);
                let named: Vec<Timed<'a>> = all.iter().filter(is_marked).copied().collect();
                if named.is_empty() {
                    return Choice::NoSuchMarked;
                }
                self.latest(&named)
            }
            (Counts::Best, _) => self.best(all).or_else(|| self.latest(all)),
            (Counts::Latest | Counts::Marked, _) => self.latest(all),
        };
        chosen.map_or(Choice::Undecided(all.len()), Choice::Counts)
    }

    /// Applies the policy to a submission. One without a final mark is judged as if it had all points, so that the late days
    /// which it may need are not given to later assignments.
    pub(crate) fn verdict(&self, timed: Timed<'_>) -> Verdict {
        // The points of one without a grade are not known: any will do that are not 0.
        self.at_most(timed, Points::from_hundredths(100))
    }

    /// Applies the policy to a submission. One without a final mark gets all points, which are `most` if they are not known.
    fn at_most(&self, timed: Timed<'_>, most: Points) -> Verdict {
        let (points, max_points) = match timed.hand_in.mark {
            Mark::Points { points, max_points } => (points, max_points),
            Mark::Unmarked { max_points, .. } => (max_points, max_points),
            Mark::NoGrade => (most, most),
        };
        let scored = Scored { points, max_points, submitted: timed.time };
        apply(self.policy, self.window, scored, self.late_days_left)
    }

    /// Returns the latest before the hard stop, or else the latest. If there are several and not all have a time, it is the one
    /// that was graded last under its name, unless it is after the hard stop and another one may not be; `None` if that does not
    /// decide.
    fn latest<'a>(&self, all: &[Timed<'a>]) -> Option<Timed<'a>> {
        if let [only] = all {
            return Some(*only);
        }
        let is_in_time = |it: &&Timed<'a>| self.verdict(**it).timing != Timing::AfterStop;
        if all.iter().any(|it| it.time.is_none()) {
            let mut current = all.iter().filter(|it| it.hand_in.is_current());
            let first = current.next();
            return first.filter(|_| current.next().is_none()).filter(is_in_time).copied();
        }
        let order = |it: &&Timed<'a>| {
            let HandIn { version, submission, .. } = it.hand_in;
            (it.time, *version, submission.clone())
        };
        let latest = all.iter().filter(is_in_time).max_by_key(order);
        latest.or_else(|| all.iter().max_by_key(order)).copied()
    }

    /// Returns the one with the most points; of equals, the one that uses fewer late days, then the earlier one. `None` if no
    /// mark is final.
    ///
    /// One whose mark is not final takes its place if it may get more points: the one that was graded last under its name, or one that
    /// the grader failed to grade.
    fn best<'a>(&self, all: &[Timed<'a>]) -> Option<Timed<'a>> {
        let is_final = |it: &&Timed<'a>| it.hand_in.mark.points().is_some();
        let better = |it: &&Timed<'a>| {
            let verdict = self.verdict(**it);
            let HandIn { version, submission, .. } = it.hand_in;
            (Reverse(verdict.points), verdict.late_days, it.time, *version, submission.clone())
        };
        let best = *all.iter().filter(is_final).min_by_key(better)?;
        let (_, most) = best.hand_in.mark.points()?;
        let points = self.verdict(best).points;
        let may_change =
            |it: &HandIn| it.is_current() && it.mark.points().is_none() || it.mark == Mark::NoGrade;
        let is_open = |it: &&Timed<'a>| may_change(it.hand_in);
        let may_be_more = |it: &&Timed<'a>| self.at_most(**it, most).points > points;
        let open = all.iter().filter(is_open).filter(may_be_more);
        open.max_by_key(|it| (self.at_most(**it, most).points, it.hand_in.submission.clone()))
            .or(Some(&best))
            .copied()
    }
}

impl HandIn {
    /// True if this text is the name of the submission, or the beginning of its SHA-256.
    fn is_called(&self, text: &str) -> bool {
        let is_digest = text.len() >= SHA256_DIGITS && self.sha256.as_raw().starts_with(text);
        is_same_text(self.submission.as_raw(), text) || is_digest
    }
}
