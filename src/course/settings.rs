//! Tables of `softmark.toml`: assignments, late policy, extensions.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use crate::course::day::Day;
use crate::course::deadline::Deadline;
use crate::course::moment::Moment;
use crate::course::policy::{Extended, LatePolicy, PercentOf, Window};
use crate::course::wall_clock::WallClock;

/// Submission that counts, if a student has handed in several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// The latest before the hard stop.
    #[default]
    Latest,
    /// The one with the most points, the late policy applied.
    Best,
    /// The one that `marked` of the assignment names; the latest for students whom it does not name.
    Marked,
}

impl Counts {
    /// Returns the word in the course's file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Latest => "latest",
            Self::Best => "best",
            Self::Marked => "marked",
        }
    }
}

/// Percentage, exact to hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "f64")]
pub struct Percent(u32);

impl Percent {
    /// Returns the percentage in hundredths of a percent.
    pub const fn hundredths(self) -> u32 {
        self.0
    }
}

impl TryFrom<f64> for Percent {
    type Error = String;

    fn try_from(value: f64) -> Result<Self, String> {
        let wrong = || format!("{value} is no percentage from 0 to 100, such as 10 or 12.5");
        let hundredths = crate::model::Points::parse(value).ok_or_else(wrong)?.hundredths();
        (hundredths <= 10_000).then_some(Self(hundredths)).ok_or_else(wrong)
    }
}

/// Amount of which a percentage is taken, in `softmark.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PercentOfSetting {
    /// Points that the submission earned.
    Points,
    /// Points available.
    Maximum,
}

impl From<PercentOfSetting> for PercentOf {
    fn from(setting: PercentOfSetting) -> Self {
        match setting {
            PercentOfSetting::Points => Self::Points,
            PercentOfSetting::Maximum => Self::Maximum,
        }
    }
}

/// Table `[late]`: the late policy of the course.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LateSettings {
    /// Percentage that each day late costs.
    pub percent_per_day: Option<Percent>,
    /// Amount of which the percentage is taken [default: the points earned].
    pub percent_of: Option<PercentOfSetting>,
    /// Minutes after the due date that are in time.
    pub grace_minutes: Option<u32>,
    /// Late days of each student in the whole course.
    pub late_days: Option<Spanned<u32>>,
    /// Most late days that one assignment may take.
    pub late_days_per_assignment: Option<Spanned<u32>>,
    /// Days after the due date of an assignment at which its hard stop is, unless it has a `late_until`.
    pub hard_stop_days: Option<u32>,
}

/// Table `[assignments.ID.late]`: differences from the late policy of the course.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssignmentLateSettings {
    /// Percentage that each day late costs.
    pub percent_per_day: Option<Percent>,
    /// Amount of which the percentage is taken.
    pub percent_of: Option<PercentOfSetting>,
    /// Minutes after the due date that are in time.
    pub grace_minutes: Option<u32>,
    /// Most late days that this assignment may take.
    pub late_days_per_assignment: Option<Spanned<u32>>,
}

/// Table `[assignments.ID]`: dates of an assignment, and which submission counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AssignmentSettings {
    /// Day or time from which students have the assignment. Nothing is handed out or kept back by it: `grade release` reminds of
    /// it, and `grade course check` shows it.
    pub release: Option<Spanned<Deadline>>,
    /// Last day, or last moment, at which students hand in.
    pub due: Option<Spanned<Deadline>>,
    /// Hard stop: last moment at which a late submission gets points.
    pub late_until: Option<Spanned<Deadline>>,
    /// Day after which students may see hidden inputs and expected values; never before the last submission.
    pub answers: Option<Spanned<Day>>,
    /// Differences from the late policy of the course.
    pub late: AssignmentLateSettings,
    /// Submission that counts, if it differs from that of the course.
    pub counts: Option<Spanned<Counts>>,
    /// Submission of each student that counts, by the student's id: its name, or the beginning of its SHA-256.
    pub marked: BTreeMap<String, Spanned<String>>,
    /// True if a group hands in once for all of its members.
    pub groups: bool,
    /// CSV file with times of submission.
    pub times: Option<Spanned<String>>,
    /// Name or number of the assignment's column in the gradebook of the learning platform.
    pub column: Option<String>,
}

/// Table `[[extensions]]`: a later due date of a student or a group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtensionSettings {
    /// Id, e-mail address or login of the student.
    pub student: Option<Spanned<String>>,
    /// Name of the group.
    pub group: Option<Spanned<String>>,
    /// Assignment id.
    pub assignment: Spanned<String>,
    /// New due date.
    pub due: Option<Spanned<Deadline>>,
    /// Days that are added to the due date.
    pub days: Option<Spanned<u32>>,
    /// Reason, for a person.
    #[serde(default)]
    pub reason: String,
}

impl AssignmentSettings {
    /// Returns all deadlines, with their places in the file.
    pub(super) fn deadlines(&self) -> impl Iterator<Item = &Spanned<Deadline>> {
        [&self.release, &self.due, &self.late_until].into_iter().flatten()
    }

    /// Reads and shows all deadlines on this clock.
    pub(super) fn set_clock(&mut self, wall: &WallClock) {
        let all = [&mut self.release, &mut self.due, &mut self.late_until];
        for deadline in all.into_iter().flatten() {
            deadline.get_mut().set_clock(wall);
        }
    }

    /// Returns the due date; `None` if there is none.
    pub fn due(&self) -> Option<&Deadline> {
        self.due.as_ref().map(Spanned::get_ref)
    }

    /// Returns the hard stop: `late_until`, or the end of the days that the course's policy allows; `None` if there is none.
    pub fn hard_stop(&self, late: &LateSettings) -> Option<Deadline> {
        if let Some(late_until) = &self.late_until {
            return Some(late_until.get_ref().clone());
        }
        Some(self.due()?.plus_days(late.hard_stop_days?))
    }

    /// Returns the last moment at which students hand in; `None` if there is no due date.
    pub fn last_moment(&self, late: &LateSettings) -> Option<Moment> {
        let due = self.due()?.moment();
        let stop = self.hard_stop(late).map(|stop| stop.moment());
        Some(stop.map_or(due, |stop| stop.max(due)))
    }

    /// Returns the dates of a student, whose due date is `extended_to` if there is an extension.
    pub fn window(&self, late: &LateSettings, extended_to: Option<Moment>) -> Window {
        let stop = self.hard_stop(late);
        let extension = self.due().zip(extended_to).map(|(due, to)| Extended {
            due: to,
            stop: stop.as_ref().map(|stop| stop.moved(due, to).moment()),
        });
        let due = self.due().map(Deadline::moment);
        Window { due, stop: stop.map(|it| it.moment()), extension }
    }

    /// Returns the late policy: the course's, with the differences of this assignment.
    pub fn policy(&self, late: &LateSettings) -> LatePolicy {
        let own = &self.late;
        let grace = own.grace_minutes.or(late.grace_minutes).unwrap_or(0);
        let percent = own.percent_per_day.or(late.percent_per_day);
        let of = own.percent_of.or(late.percent_of);
        LatePolicy {
            percent_per_day: percent.map(Percent::hundredths),
            percent_of: of.map(PercentOf::from).unwrap_or_default(),
            grace: i64::from(grace) * 60,
            late_days: late.budget(),
            late_days_per_assignment: own
                .late_days_per_assignment
                .as_ref()
                .or(late.late_days_per_assignment.as_ref())
                .map(|most| *most.get_ref()),
        }
    }

    /// Returns true if students may see hidden inputs and expected values on the day `today`.
    ///
    /// ```
    /// use softmark::course::{Course, Day};
    ///
    /// let course = Course::parse("title = 'T'\n[assignments.lab]\nanswers = 2026-12-01").unwrap();
    /// let shown = |time| course.assignments["lab"].are_answers_shown(&Day::of(time));
    /// assert!(!shown("2026-12-01T23:59:59Z") && shown("2026-12-02T00:00:00Z"));
    /// ```
    pub fn are_answers_shown(&self, today: &Day) -> bool {
        self.answers.as_ref().is_some_and(|answers| today > answers.get_ref())
    }
}

impl LateSettings {
    /// Returns the number of late days that a student has in the whole course.
    pub fn budget(&self) -> u32 {
        self.late_days.as_ref().map_or(0, |days| *days.get_ref())
    }
}

impl ExtensionSettings {
    /// Returns the new due date of an assignment; `None` if it has no due date.
    pub fn due(&self, of: &AssignmentSettings) -> Option<Moment> {
        let due = of.due()?;
        let stated = self.due.as_ref().map(|due| due.get_ref().moment());
        let days = self.days.as_ref().map(|days| *days.get_ref());
        stated.or_else(|| Some(due.plus_days(days?).moment()))
    }
}
