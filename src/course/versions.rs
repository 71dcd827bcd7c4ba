//! Earlier versions of a submission that may count in place of the latest one.

use crate::course::civil_time::CivilTime;
use crate::course::file::Course;
use crate::course::settings::Counts;
use crate::course::wall_clock::Reading;

impl Course {
    /// Returns true if an earlier version than the latest may count in an assignment: the best one, a marked one, or the latest before
    /// a hard stop.
    pub fn may_earlier_count(&self, id: &str) -> bool {
        let settings = self.assignments.get(id).cloned().unwrap_or_default();
        self.counts(&settings) != Counts::Latest || settings.hard_stop(&self.late).is_some()
    }

    /// Returns how many of the versions before the latest one may count, counted from the newest: all where the best or a marked one
    /// counts; where there is a hard stop, those after it and the latest one that is not.
    ///
    /// `times` are those of all versions in ISO 8601, the latest version last. No hard stop of a student is before that of the
    /// assignment.
    ///
    /// ```
    /// use softmark::course::Course;
    ///
    /// let course = Course::parse(
    ///     "title = 'T'\n[assignments.lab]\ndue = 2026-11-26\nlate_until = 2026-11-28",
    /// )
    /// .unwrap();
    /// let versions = |times: [&str; 3]| course.earlier_that_may_count("lab", &times.map(Some));
    /// assert_eq!(versions(["2026-11-25T10:00Z", "2026-11-26T10:00Z", "2026-11-27T10:00Z"]), 0);
    /// assert_eq!(versions(["2026-11-25T10:00Z", "2026-11-26T10:00Z", "2026-11-29T10:00Z"]), 1);
    /// assert_eq!(versions(["2026-11-25T10:00Z", "2026-11-29T09:00Z", "2026-11-29T10:00Z"]), 2);
    /// ```
    pub fn earlier_that_may_count(&self, id: &str, times: &[Option<&str>]) -> usize {
        let most = times.len().saturating_sub(1);
        let settings = self.assignments.get(id).cloned().unwrap_or_default();
        match self.counts(&settings) {
            Counts::Best | Counts::Marked => return most,
            Counts::Latest => {}
        }
        let Some(stop) = settings.hard_stop(&self.late) else { return 0 };
        let wall = self.wall_clock(id);
        let moment = |text: &str| Some(CivilTime::parse(text)?.moment(&wall, Reading::Earlier));
        let moments: Option<Vec<_>> = times.iter().map(|it| it.and_then(moment)).collect();
        // Without all times, the version that was graded last is the only one that is chosen.
        let Some(moments) = moments else { return 0 };
        let after = moments.iter().rev().take_while(|it| **it > stop.moment());
        after.count().min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: [Option<&str>; 3] =
        [Some("2026-11-20T10:00:00"), Some("2026-11-27T00:30:00"), Some("2026-11-28T10:00:00")];

    fn of(policy: &str, times: &[Option<&str>]) -> usize {
        let file = format!("title = 'T'\ntime_zone = 'Europe/Berlin'\n{policy}");
        Course::parse(&file).unwrap().earlier_that_may_count("lab", times)
    }

    #[test]
    fn all_versions_may_be_the_best_or_the_marked_one() {
        for counts in ["best", "marked"] {
            let policy = format!("counts = '{counts}'");
            assert_eq!(of(&policy, &TIMES), 2);
            assert_eq!(of(&policy, &[None, None]), 1, "their times do not matter");
        }
        let own = "[assignments.lab]\ncounts = 'best'";
        assert_eq!(of(own, &TIMES), 2);
        assert_eq!(of(own, &TIMES[..1]), 0);
        assert_eq!(of(own, &[]), 0);
    }

    #[test]
    fn before_a_hard_stop_the_latest_counts() {
        assert_eq!(of("", &TIMES), 0, "there is no hard stop");
        let stop = |day| format!("[assignments.lab]\ndue = 2026-11-18\nlate_until = {day}");
        assert_eq!(of(&stop("2026-11-28"), &TIMES), 0);
        assert_eq!(of(&stop("2026-11-27"), &TIMES), 1, "on the clock of the course");
        assert_eq!(of(&stop("2026-11-26"), &TIMES), 2);
        assert_eq!(of(&stop("2026-11-18"), &TIMES), 2, "an extension may move the stop");
        assert_eq!(of(&stop("2026-11-26"), &[None, TIMES[2]]), 0, "times are not known");
    }
}
