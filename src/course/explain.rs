//! Effect of a late policy, in words.

use crate::course::deadline::Deadline;
use crate::course::moment::{DAY, Moment};
use crate::course::policy::{LatePolicy, PercentOf, Scored, Timing, Verdict, Window, apply};
use crate::course::rows::{AssignmentStandings, RowOutcome, StudentRow};
use crate::course::settings::{AssignmentSettings, ExtensionSettings, LateSettings};
use crate::model::Points;

/// Seconds of a minute and of an hour.
const MINUTE: i64 = 60;
const HOUR: i64 = 3600;

/// Returns a number and its noun.
fn count(number: impl Into<i64>, noun: &str) -> String {
    let number = number.into();
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Returns a span of time in words: `5 minutes`, `26 hours`, `3 days 2 hours`; parts of a minute count as one.
///
/// ```
/// use softmark::course::duration;
///
/// assert_eq!(duration(26 * 3600), "26 hours");
/// assert_eq!(duration(24 * 3600 + 1), "24 hours 1 minute");
/// assert_eq!(duration(9 * 86_400), "9 days");
/// assert_eq!(duration(3 * 86_400 + 31 * 60), "3 days 31 minutes");
/// ```
pub fn duration(seconds: i64) -> String {
    let minutes = (seconds.max(0) + MINUTE - 1) / MINUTE;
    let (hours, rest) = (minutes / 60, minutes % 60);
    let parts = match hours {
        0 => [count(minutes, "minute"), String::new()],
        1..72 if rest == 0 => [count(hours, "hour"), String::new()],
        1..72 => [count(hours, "hour"), count(rest, "minute")],
        _ if hours % 24 == 0 && rest == 0 => [count(hours / 24, "day"), String::new()],
        // What is late by minutes has begun another day, and must not read as whole days.
        _ if hours % 24 == 0 => [count(hours / 24, "day"), count(rest, "minute")],
        _ => [count(hours / 24, "day"), count(hours % 24, "hour")],
    };
    parts.join(" ").trim_end().to_owned()
}

/// Returns a percentage in hundredths of a percent: `10 %`, `12.5 %`.
fn percent(hundredths: u32) -> String {
    let text = Points::from_hundredths(hundredths).to_string();
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Returns the effect of the policy on a student's submission: `26 hours late, 2 of 5 late days used, 28.50`.
pub fn row(of: &AssignmentStandings, row: &StudentRow) -> String {
    let mut parts = Vec::new();
    if let Some(extended_to) = &row.extended_to {
        parts.push(format!("extended to {extended_to}"));
    }
    match row.outcome {
        RowOutcome::Missing => parts.push("missing".to_owned()),
        RowOutcome::NoGrade => {
            parts.push("no grade yet, because the grader failed: grade again".to_owned());
        }
        RowOutcome::Unmarked(answers) => {
            let answers = count(i64::try_from(answers).unwrap_or(i64::MAX), "written answer");
            parts.push(format!("no mark yet: {answers} to be marked"));
        }
        RowOutcome::Undecided(number) => parts.push(format!(
            "no mark yet: {number} submissions, and not all have a time; `counts = \"marked\"` and `marked` name the one that counts"
        )),
        RowOutcome::NoSuchMarked => {
            parts.push(
                "no mark yet: `marked` names a submission that there is not (of a SHA-256, give at least 8 digits)"
                    .to_owned(),
            );
        }
        RowOutcome::LateByUnknown => parts.push(
            "no mark yet: late by an unknown time; name a file with times in `times`".to_owned(),
        ),
        RowOutcome::Counted(verdict) => {
            let stop = stop_of(of, row);
            parts.extend(timing(verdict, (of.due.as_ref(), stop)));
            parts.extend(costs(&of.policy, verdict, row.late_days_before));
            parts.push(verdict.points.to_string());
        }
    }
    parts.join(", ")
}

/// Returns the hard stop of a student.
fn stop_of(of: &AssignmentStandings, row: &StudentRow) -> Option<Deadline> {
    let stop = of.stop.as_ref()?;
    let extension = of.due.as_ref().zip(row.extended_to.as_ref());
    Some(extension.map_or_else(|| stop.clone(), |(due, to)| stop.moved(due, to.moment())))
}

fn timing(verdict: Verdict, (due, stop): (Option<&Deadline>, Option<Deadline>)) -> Option<String> {
    let late = duration(verdict.late_by);
    match verdict.timing {
        Timing::Unknown => due.map(|_| "time of submission unknown, counted as in time".to_owned()),
        Timing::InTime => Some("in time".to_owned()),
        Timing::InGrace => Some(format!("{late} late, within the grace period")),
        Timing::Late => Some(format!("{late} late")),
        Timing::AfterStop => {
            let stop = stop.map(|stop| format!(" on {stop}")).unwrap_or_default();
            Some(format!("{late} late, after the hard stop{stop}"))
        }
    }
}

/// Returns what a late submission cost: late days, and a percentage.
fn costs(policy: &LatePolicy, verdict: Verdict, before: u32) -> Vec<String> {
    let mut costs = Vec::new();
    if verdict.late_days > 0 {
        let (used, all) = (before + verdict.late_days, policy.late_days);
        let own =
            if before > 0 { count(verdict.late_days, "late day") + ", " } else { String::new() };
        costs.push(format!("{own}{used} of {} used", count(all, "late day")));
    }
    let is_charged = verdict.timing == Timing::Late && verdict.days_charged > 0;
    if let Some(each) = policy.percent_per_day.filter(|each| is_charged && *each > 0) {
        let earned = verdict.points + verdict.deducted;
        let days = count(verdict.days_charged, "day");
        let of = match policy.percent_of {
            PercentOf::Points => "",
            PercentOf::Maximum => " of the maximum",
        };
        costs.push(format!("{days} at {}{of}: {earned} less {}", percent(each), verdict.deducted));
    }
    costs
}

/// Returns the dates of an assignment in words, but for the due date; none if there are none.
pub fn dates(settings: &AssignmentSettings, late: &LateSettings) -> Vec<String> {
    let release = settings.release.as_ref().map(|it| format!("released {}", it.get_ref()));
    let late_until = settings.hard_stop(late).map(|it| format!("late until {it}"));
    let answers = settings.answers.as_ref();
    let answers =
        answers.map(|it| format!("answers of hidden checks shown after {}", it.get_ref()));
    [release, late_until, answers].into_iter().flatten().collect()
}

/// Returns the dates of an extension in words; none if its assignment has no due date.
pub fn extension(
    extension: &ExtensionSettings,
    settings: &AssignmentSettings,
    late: &LateSettings,
) -> Vec<String> {
    let (Some(due), Some(extended_to)) = (settings.due(), extension.due(settings)) else {
        return Vec::new();
    };
    let window = settings.window(late, Some(extended_to)).extended();
    let stop = settings.hard_stop(late).zip(window.stop);
    let stop = stop.map(|(clock, stop)| format!("late until {}", clock.at(stop)));
    std::iter::once(format!("due {}", due.at(extended_to))).chain(stop).collect()
}

/// Returns the policy of an assignment in words, one sentence a line.
pub fn policy(of: &AssignmentStandings) -> Vec<String> {
    let LatePolicy { percent_per_day, percent_of, grace, late_days, late_days_per_assignment } =
        of.policy;
    let mut lines = Vec::new();
    if of.due.is_none() {
        return vec!["no due date: nothing is late".to_owned()];
    }
    if grace > 0 {
        lines.push(format!("{} of grace", duration(grace)));
    }
    if late_days > 0 && percent_per_day.is_some_and(|percent| percent > 0) {
        let most = late_days_per_assignment.filter(|most| *most < late_days);
        let most = most.map(|most| format!(", at most {most} here")).unwrap_or_default();
        lines.push(format!("{} in the whole course{most}", count(late_days, "late day")));
    }
    let of_what = match percent_of {
        PercentOf::Points => "points earned",
        PercentOf::Maximum => "maximum",
    };
    match percent_per_day {
        Some(each) if each > 0 => {
            let then = if lines.is_empty() { "" } else { "then " };
            lines.push(format!("{then}{} of the {of_what} for each day late", percent(each)));
        }
        _ => lines.push("lateness costs no points".to_owned()),
    }
    if let Some(stop) = &of.stop {
        lines.push(format!("nothing for late submissions after {stop}"));
    }
    lines.push(format!("the {} submission counts", of.counts.as_str()));
    lines
}

/// Returns examples of the policy: the same submission, handed in at times at which the rules differ, by a student with all
/// late days and by one with none. There are none without a due date.
pub fn examples(of: &AssignmentStandings, max_points: Points) -> Vec<String> {
    let Some(due) = &of.due else { return Vec::new() };
    let window = Window {
        due: Some(due.moment()),
        stop: of.stop.as_ref().map(Deadline::moment),
        extension: None,
    };
    let mut times = vec![0, of.policy.grace, of.policy.grace + HOUR, 26 * HOUR, 3 * DAY];
    if let Some(stop) = &of.stop {
        times.push(stop.moment().seconds() - due.moment().seconds() + HOUR);
    }
    times.sort_unstable();
    times.dedup();
    let mut lines = Vec::new();
    for late in times {
        let submitted: Option<Moment> = Some(due.moment().plus(late));
        let scored = Scored { points: max_points, max_points, submitted };
        for left in [of.policy.late_days, 0] {
            let verdict = apply(&of.policy, window, scored, left);
            let mut parts: Vec<String> =
                timing(verdict, (of.due.as_ref(), of.stop.clone())).into_iter().collect();
            parts.extend(costs(&of.policy, verdict, of.policy.late_days - left));
            parts.push(verdict.points.to_string());
            let line = parts.join(", ");
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::policy::Extended;
    use crate::course::settings::Counts;
    use crate::course::wall_clock::WallClock;

    fn standings() -> AssignmentStandings {
        let due = Deadline::new(Moment::from_seconds(0), WallClock::UTC);
        AssignmentStandings {
            id: "lab".to_owned(),
            due: Some(due.clone()),
            stop: Some(due.at(Moment::from_seconds(7 * DAY))),
            policy: LatePolicy {
                percent_per_day: Some(1_250),
                grace: 900,
                late_days: 5,
                ..LatePolicy::default()
            },
            counts: Counts::Latest,
            rows: Vec::new(),
        }
    }

    fn told(late: i64, before: u32, extended_to: Option<i64>) -> String {
        let of = standings();
        let moment = |seconds| Moment::from_seconds(seconds);
        let window = Window {
            due: Some(moment(0)),
            stop: Some(moment(7 * DAY)),
            extension: extended_to
                .map(|to| Extended { due: moment(to), stop: Some(moment(7 * DAY + to)) }),
        };
        let points = Points::from_hundredths(2_850);
        let max_points = Points::from_hundredths(3_000);
        let scored = Scored { points, max_points, submitted: Some(moment(late)) };
        let verdict = apply(&of.policy, window, scored, 5 - before);
        row(
            &of,
            &StudentRow {
                student: 0,
                submission: Some("amara".into()),
                submitted: None,
                extended_to: extended_to.map(|it| Deadline::new(moment(it), WallClock::UTC)),
                max_points: Some(max_points),
                late_days_before: before,
                outcome: RowOutcome::Counted(verdict),
            },
        )
    }

    #[test]
    fn the_effect_is_told_in_words() {
        for (found, expected) in [
            (told(-5, 0, None), "in time, 28.50"),
            (told(600, 0, None), "10 minutes late, within the grace period, 28.50"),
            (told(26 * HOUR, 0, None), "26 hours late, 2 of 5 late days used, 28.50"),
            (told(HOUR, 3, None), "1 hour late, 1 late day, 4 of 5 late days used, 28.50"),
            (
                told(26 * HOUR, 4, None),
                "26 hours late, 1 late day, 5 of 5 late days used, 1 day at 12.5 %: 28.50 less 3.56, 24.94",
            ),
            (
                told(8 * DAY, 0, None),
                "8 days late, after the hard stop on 1970-01-08 00:00 UTC, 0.00",
            ),
            (
                told(8 * DAY, 0, Some(4 * DAY)),
                "extended to 1970-01-05 00:00 UTC, 4 days late, 4 of 5 late days used, 28.50",
            ),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_policy_is_told_with_examples() {
        let of = standings();
        assert_eq!(
            policy(&of),
            [
                "15 minutes of grace",
                "5 late days in the whole course",
                "then 12.5 % of the points earned for each day late",
                "nothing for late submissions after 1970-01-08 00:00 UTC",
                "the latest submission counts",
            ]
        );
        assert_eq!(
            examples(&of, Points::from_hundredths(3_000)),
            [
                "in time, 30.00",
                "15 minutes late, within the grace period, 30.00",
                "1 hour 15 minutes late, 1 of 5 late days used, 30.00",
                "1 hour 15 minutes late, 1 day at 12.5 %: 30.00 less 3.75, 26.25",
                "26 hours late, 2 of 5 late days used, 30.00",
                "26 hours late, 2 days at 12.5 %: 30.00 less 7.50, 22.50",
                "3 days late, 3 of 5 late days used, 30.00",
                "3 days late, 3 days at 12.5 %: 30.00 less 11.25, 18.75",
                "7 days 1 hour late, after the hard stop on 1970-01-08 00:00 UTC, 0.00",
            ]
        );
    }
}
