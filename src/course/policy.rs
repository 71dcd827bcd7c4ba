//! Late policies: from points and times to the points that count.
//!
//! The rules are applied in this order; each works on what the rules before it have left:
//!
//! 1. **Extension**: a later due date of this student, or of the student's group, takes the place of the assignment's,
//!    and moves the hard stop by as much.
//! 2. **Grace**: a submission at most this long after the due date is in time. Days late are counted from the end of the
//!    grace period, and each day that has begun counts as one.
//! 3. **Late days**: the student's remaining budget pays for days late, at most as many as one assignment may take.
//! 4. **Percent**: each day that is not paid for costs this percentage, of the points earned or of the maximum; at most
//!    100 % in all.
//! 5. **Hard stop**: a late submission after it gets no points.
//!
//! Then the points are rounded to hundredths, half up. They are never negative and never above the maximum. A submission
//! without points to lose, earned or after the hard stop, uses no late days.
//!
//! The functions are pure: no clock is read, and a time that is not known is in time.

use crate::course::moment::{DAY, Moment};
use crate::model::Points;

/// Hundredths of a percent that are the whole.
const WHOLE: u64 = 10_000;

/// Amount of which a late policy takes a percentage.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PercentOf {
    /// Points that the submission earned.
    #[default]
    Points,
    /// Points available.
    Maximum,
}

/// Late policy of an assignment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LatePolicy {
    /// Cost of a day, in hundredths of a percent; `None` if lateness costs nothing before the hard stop.
    pub percent_per_day: Option<u32>,
    /// Amount of which the percentage is taken.
    pub percent_of: PercentOf,
    /// Seconds after the due date that are in time.
    pub grace: i64,
    /// Late days of a student in the whole course.
    pub late_days: u32,
    /// Most late days that one assignment may take; `None` for all.
    pub late_days_per_assignment: Option<u32>,
}

/// Dates of an assignment for one student.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Window {
    /// Last moment that is in time; `None` if nothing is late.
    pub due: Option<Moment>,
    /// Hard stop: the last moment at which a late submission gets points; `None` if there is none.
    pub stop: Option<Moment>,
    /// Dates of this student; `None` without an extension.
    pub extension: Option<Extended>,
}

/// Dates that an extension gives a student. One that is before the assignment's takes nothing away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extended {
    /// Due date.
    pub due: Moment,
    /// Hard stop; `None` if the assignment has none.
    pub stop: Option<Moment>,
}

/// Submission as the policy sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scored {
    /// Points earned.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Time of submission; `None` if it is not known.
    pub submitted: Option<Moment>,
}

/// Rule that decided about a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Timing {
    /// The time of submission or the due date is not known; it counts as in time.
    Unknown,
    /// The submission is in time.
    InTime,
    /// The submission is late, and within the grace period.
    InGrace,
    /// The submission is late.
    Late,
    /// The submission is late, and after the hard stop.
    AfterStop,
}

/// Points that count, and how they came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict {
    /// Rule that decided.
    pub timing: Timing,
    /// Seconds after the due date, extended if it was; 0 if in time.
    pub late_by: i64,
    /// Late days used.
    pub late_days: u32,
    /// Days late that are not paid for by late days.
    pub days_charged: u32,
    /// Points taken off.
    pub deducted: Points,
    /// Points that count.
    pub points: Points,
}

impl Window {
    /// Applies the extension: returns the window with the later due date and hard stop.
    #[must_use]
    pub fn extended(self) -> Self {
        let (Some(due), Some(extension)) = (self.due, self.extension) else { return self };
        let stop = self.stop.map(|stop| extension.stop.map_or(stop, |later| later.max(stop)));
        Self { due: Some(extension.due.max(due)), stop, ..self }
    }
}

/// Applies a policy to a submission of a student who has `late_days_left`.
///
/// ```
/// use softmark::course::policy::{LatePolicy, Scored, Window, apply};
/// use softmark::course::Moment;
/// use softmark::model::Points;
///
/// let policy = LatePolicy { percent_per_day: Some(1_000), late_days: 5, ..LatePolicy::default() };
/// let window = Window { due: Some(Moment::from_seconds(0)), ..Window::default() };
/// let points = Points::from_hundredths(2_850);
/// let scored = |hours: i64| Scored {
///     points,
///     max_points: Points::from_hundredths(3_000),
///     submitted: Some(Moment::from_seconds(hours * 3600)),
/// };
/// let verdict = apply(&policy, window, scored(26), 5);
/// assert_eq!((verdict.late_days, verdict.points), (2, points));
/// // One late day is left, and the other day costs 10 %.
/// let verdict = apply(&policy, window, scored(26), 1);
/// assert_eq!((verdict.late_days, verdict.points.to_string().as_str()), (1, "25.65"));
/// ```
pub fn apply(policy: &LatePolicy, window: Window, scored: Scored, late_days_left: u32) -> Verdict {
    let points = scored.points.min(scored.max_points);
    let timed = |timing, late_by| Verdict {
        timing,
        late_by,
        late_days: 0,
        days_charged: 0,
        deducted: Points::ZERO,
        points,
    };
    let window = window.extended();
    let (Some(due), Some(submitted)) = (window.due, scored.submitted) else {
        return timed(Timing::Unknown, 0);
    };
    let late_by = submitted.seconds().saturating_sub(due.seconds());
    if late_by <= 0 {
        return timed(Timing::InTime, 0);
    }
    if late_by <= policy.grace {
        return timed(Timing::InGrace, late_by);
    }
    let days = days_begun(late_by - policy.grace.max(0));
    if window.stop.is_some_and(|stop| submitted > stop) {
        let timing = Timing::AfterStop;
        return Verdict { deducted: points, points: Points::ZERO, ..timed(timing, late_by) };
    }
    let most = policy.late_days_per_assignment.unwrap_or(u32::MAX).min(late_days_left);
    let is_charged = policy.percent_per_day.is_some_and(|percent| percent > 0);
    let late_days = if points > Points::ZERO && is_charged { days.min(most) } else { 0 };
    let days_charged = days - late_days;
    let left = after_percent(policy, points, scored.max_points, days_charged);
    Verdict {
        late_days,
        days_charged,
        deducted: Points::from_hundredths(points.hundredths() - left.hundredths()),
        points: left,
        ..timed(Timing::Late, late_by)
    }
}

/// Returns the number of days that have begun in these seconds.
fn days_begun(seconds: i64) -> u32 {
    let days = seconds.max(0) / DAY + i64::from(seconds % DAY > 0);
    u32::try_from(days).unwrap_or(u32::MAX)
}

/// Returns the points that are left after `days`, rounded half up to hundredths.
fn after_percent(policy: &LatePolicy, points: Points, max_points: Points, days: u32) -> Points {
    let percent = u64::from(policy.percent_per_day.unwrap_or(0)) * u64::from(days);
    let percent = percent.min(WHOLE);
    let points = u64::from(points.hundredths());
    let base = match policy.percent_of {
        PercentOf::Points => points,
        PercentOf::Maximum => u64::from(max_points.hundredths()),
    };
    let left = (points * WHOLE).saturating_sub(base * percent);
    Points::from_hundredths(u32::try_from((left + WHOLE / 2) / WHOLE).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HOUR: i64 = 3600;

    fn at(hours: i64) -> Moment {
        Moment::from_seconds(hours * HOUR)
    }

    fn scored(hundredths: u32, submitted: Option<Moment>) -> Scored {
        let max_points = Points::from_hundredths(3_000);
        Scored { points: Points::from_hundredths(hundredths), max_points, submitted }
    }

    /// 10 % a day, a quarter of an hour of grace, and five late days of which an assignment may take three.
    fn usual() -> LatePolicy {
        LatePolicy {
            percent_per_day: Some(1_000),
            percent_of: PercentOf::Points,
            grace: 900,
            late_days: 5,
            late_days_per_assignment: Some(3),
        }
    }

    /// A row of the table: seconds after the due date, late days left, and what is expected.
    struct Row {
        late: i64,
        left: u32,
        timing: Timing,
        used: u32,
        charged: u32,
        points: u32,
    }

    #[test]
    fn rules_are_applied_in_their_order() {
        use Timing::{AfterStop, InGrace, InTime, Late};
        // Due at 0, hard stop a week later; 28.50 of 30 points.
        let window = Window { due: Some(at(0)), stop: Some(at(7 * 24)), extension: None };
        let row = |late, left, timing, used, charged, points| Row {
            late,
            left,
            timing,
            used,
            charged,
            points,
        };
        for row in [
            row(-1, 5, InTime, 0, 0, 2_850),
            row(0, 5, InTime, 0, 0, 2_850),
            row(1, 5, InGrace, 0, 0, 2_850),
            row(900, 0, InGrace, 0, 0, 2_850),
            row(901, 5, Late, 1, 0, 2_850),
            row(901, 0, Late, 0, 1, 2_565),
            // The day begins with the end of the grace period.
            row(DAY + 900, 0, Late, 0, 1, 2_565),
            row(DAY + 901, 0, Late, 0, 2, 2_280),
            row(26 * HOUR, 5, Late, 2, 0, 2_850),
            row(26 * HOUR, 1, Late, 1, 1, 2_565),
            // An assignment may take three.
            row(5 * DAY, 5, Late, 3, 2, 2_280),
            row(7 * DAY, 0, Late, 0, 7, 855),
            row(7 * DAY + 1, 5, AfterStop, 0, 0, 0),
        ] {
            let submitted = Some(Moment::from_seconds(row.late));
            let verdict = apply(&usual(), window, scored(2_850, submitted), row.left);
            let found = (verdict.timing, verdict.late_days, verdict.days_charged);
            assert_eq!(found, (row.timing, row.used, row.charged), "{} s late", row.late);
            assert_eq!(verdict.points.hundredths(), row.points, "{} s late", row.late);
            assert_eq!((verdict.points + verdict.deducted).hundredths(), 2_850);
        }
    }

    #[test]
    fn an_extension_moves_due_date_and_hard_stop() {
        let extension = |due, stop| Some(Extended { due: at(due), stop: Some(at(stop)) });
        let window = Window { due: Some(at(0)), stop: Some(at(24)), extension: extension(48, 72) };
        let points =
            |hours| apply(&usual(), window, scored(3_000, Some(at(hours))), 0).points.to_string();
        assert_eq!(points(48), "30.00");
        assert_eq!(points(49), "27.00");
        assert_eq!(points(72), "27.00");
        assert_eq!(points(73), "0.00");
        // An earlier date takes nothing away.
        let window = Window { extension: extension(-48, -24), ..window };
        assert_eq!(
            apply(&usual(), window, scored(3_000, Some(at(0))), 0).points.to_string(),
            "30.00"
        );
    }

    #[test]
    fn a_percentage_is_of_the_points_or_of_the_maximum_and_rounded_half_up() {
        let window = Window { due: Some(at(0)), ..Window::default() };
        let left = |percent, of, points| {
            let policy = LatePolicy {
                percent_per_day: Some(percent),
                percent_of: of,
                ..LatePolicy::default()
            };
            apply(&policy, window, scored(points, Some(at(1))), 0).points.hundredths()
        };
        assert_eq!(left(1_000, PercentOf::Points, 1_005), 905); // 904.5
        assert_eq!(left(1_000, PercentOf::Points, 1_004), 904); // 903.6
        assert_eq!(left(3_333, PercentOf::Points, 1), 1); // 0.6667
        assert_eq!(left(1_000, PercentOf::Maximum, 1_005), 705);
        assert_eq!(left(1_000, PercentOf::Maximum, 200), 0);
        assert_eq!(left(10_000, PercentOf::Points, 3_000), 0);
    }

    #[test]
    fn late_days_are_not_wasted() {
        let window = Window { due: Some(at(0)), stop: Some(at(24)), extension: None };
        let used = |policy: &LatePolicy, points, hours| {
            apply(policy, window, scored(points, Some(at(hours))), 5).late_days
        };
        assert_eq!(used(&usual(), 0, 5), 0, "there is nothing to lose");
        assert_eq!(used(&usual(), 3_000, 25), 0, "nothing is left");
        let free = LatePolicy { percent_per_day: None, ..usual() };
        assert_eq!(used(&free, 3_000, 5), 0, "lateness costs nothing");
        assert_eq!(used(&usual(), 3_000, 5), 1);
    }

    #[test]
    fn a_time_that_is_not_known_is_in_time() {
        let window = Window { due: Some(at(0)), stop: Some(at(1)), extension: None };
        let verdict = apply(&usual(), window, scored(3_000, None), 5);
        assert_eq!((verdict.timing, verdict.points.hundredths()), (Timing::Unknown, 3_000));
        let verdict = apply(&usual(), Window::default(), scored(3_000, Some(at(1_000))), 5);
        assert_eq!((verdict.timing, verdict.points.hundredths()), (Timing::Unknown, 3_000));
    }

    fn any_policy() -> impl Strategy<Value = LatePolicy> {
        let of = prop_oneof![Just(PercentOf::Points), Just(PercentOf::Maximum)];
        (prop::option::of(0_u32..=10_000), of, 0_i64..200_000, 0_u32..9, prop::option::of(0_u32..5))
            .prop_map(|(percent_per_day, percent_of, grace, late_days, most)| LatePolicy {
                percent_per_day,
                percent_of,
                grace,
                late_days,
                late_days_per_assignment: most,
            })
    }

    fn any_moment() -> impl Strategy<Value = Option<Moment>> {
        prop::option::of((-1_000_000_i64..1_000_000).prop_map(Moment::from_seconds))
    }

    fn any_window() -> impl Strategy<Value = Window> {
        let dates = (any_moment(), any_moment(), any_moment(), any_moment());
        dates.prop_map(|(due, stop, extended_due, extended_stop)| {
            let extension = extended_due.map(|due| Extended { due, stop: extended_stop });
            Window { due, stop, extension }
        })
    }

    fn any_scored() -> impl Strategy<Value = Scored> {
        (0_u32..=1_000_000, 0_u32..=1_000_000, any_moment()).prop_map(|(points, max, submitted)| {
            let (points, max_points) =
                (Points::from_hundredths(points), Points::from_hundredths(max));
            Scored { points, max_points, submitted }
        })
    }

    proptest! {
        #[test]
        fn points_are_never_above_what_was_earned_or_available(
            policy in any_policy(), window in any_window(), scored in any_scored(), left in 0_u32..9,
        ) {
            let verdict = apply(&policy, window, scored, left);
            let earned = scored.points.min(scored.max_points);
            prop_assert!(verdict.points <= earned);
            prop_assert_eq!(verdict.points + verdict.deducted, earned);
            prop_assert!(verdict.late_days <= left);
            prop_assert!(policy.late_days_per_assignment.is_none_or(|most| verdict.late_days <= most));
        }

        #[test]
        fn a_later_submission_never_gets_more(
            policy in any_policy(), window in any_window(), scored in any_scored(), left in 0_u32..9, more in 0_i64..500_000,
        ) {
            prop_assume!(scored.submitted.is_some());
            let later = Scored { submitted: scored.submitted.map(|it| it.plus(more)), ..scored };
            prop_assert!(apply(&policy, window, later, left).points <= apply(&policy, window, scored, left).points);
        }

        #[test]
        fn an_extension_or_a_late_day_never_takes_points_away(
            policy in any_policy(), window in any_window(), scored in any_scored(), left in 0_u32..9,
        ) {
            let points = |window, left| apply(&policy, window, scored, left).points;
            let usual = Window { extension: None, ..window };
            prop_assert!(points(usual, left) <= points(window, left));
            prop_assert!(points(window, left) <= points(window, left + 1));
        }
    }
}
