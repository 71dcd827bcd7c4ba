//! The file `softmark.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::course::day::Day;
use crate::course::error::{Contradiction, CourseError};
use crate::course::find::FILE;
use crate::course::moment::Moment;
use crate::course::roster::name_key;
use crate::course::settings::{AssignmentSettings, Counts, ExtensionSettings, LateSettings};
use crate::course::slurm::SlurmSettings;
use crate::course::wall_clock::{WallClock, Zone};

/// Course, as its `softmark.toml` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Title of the course.
    pub title: String,
    /// Time zone of days and of times without an offset.
    pub time_zone: Option<Zone>,
    /// CSV file with the students, relative to the folder of the course.
    pub roster: Option<Spanned<String>>,
    /// Submission that counts, if a student has handed in several.
    #[serde(default)]
    pub counts: Counts,
    /// Late policy.
    #[serde(default)]
    pub late: LateSettings,
    /// Members of groups, by the group's name: ids, e-mail addresses or logins of students.
    #[serde(default)]
    pub groups: BTreeMap<String, Vec<Spanned<String>>>,
    /// Later due dates of students and groups.
    #[serde(default)]
    pub extensions: Vec<ExtensionSettings>,
    /// Students of submissions whose names do not tell: id, e-mail address or login, by the submission's name.
    #[serde(default)]
    pub submissions: BTreeMap<String, Spanned<String>>,
    /// Dates of assignments, by id.
    #[serde(default)]
    pub assignments: BTreeMap<String, AssignmentSettings>,
    /// Settings of Slurm.
    #[serde(default)]
    pub slurm: SlurmSettings,
}

/// Position in a text; both numbers begin with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Number of the line.
    pub line: usize,
    /// Number of the character in the line.
    pub column: usize,
}

impl Position {
    /// Returns the position of a byte of a text.
    pub fn of(text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|it| *it != '\n').count() + 1;
        Self { line, column }
    }
}

/// Contradiction, and the place of the value in the text.
struct Found {
    at: Range<usize>,
    contradiction: Contradiction,
}

impl Course {
    /// Reads the `softmark.toml` of the course at `home`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, is not valid (unknown keys are not), or contradicts itself: answers that are shown before
    /// the last submission, dates in the wrong order, extensions of unknown assignments.
    pub fn read(home: &Path) -> Result<Self, CourseError> {
        let path = home.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(CourseError::Read { path, source }),
        };
        let course = match Self::parse(&text) {
            Ok(course) => course,
            Err(source) => return Err(CourseError::Invalid { path, source: Box::new(source) }),
        };
        match course.contradiction() {
            None => Ok(course),
            Some(Found { at, contradiction }) => {
                let Position { line, column } = Position::of(&text, at.start);
                let contradiction = Box::new(contradiction);
                Err(CourseError::Contradiction { path, line, column, contradiction })
            }
        }
    }

    /// Parses the text of a `softmark.toml`; does not compare its values.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid; the error gives line and column.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let mut course: Self = toml::from_str(text)?;
        if let Some(zone) = &course.time_zone {
            let wall = WallClock::Zone(zone.clone());
            course.assignments.values_mut().for_each(|settings| settings.set_clock(&wall));
            let dates = course.extensions.iter_mut().filter_map(|it| it.due.as_mut());
            dates.for_each(|due| due.get_mut().set_clock(&wall));
        }
        Ok(course)
    }

    /// Returns the day of the calendar at a moment, in the course's time zone or else in UTC.
    pub fn day(&self, moment: Moment) -> Day {
        self.time_zone.clone().map_or(WallClock::UTC, WallClock::Zone).day(moment)
    }

    /// Returns the last day on which students hand in to an assignment; `None` if it has no due date.
    pub fn last_day(&self, assignment: &str) -> Option<Day> {
        let last = self.assignments.get(assignment)?.last_moment(&self.late)?;
        Some(self.day(last))
    }

    /// Returns the last day on which anybody hands in to an assignment, with the extensions; `None` if it has no due date.
    pub fn last_day_with_extensions(&self, assignment: &str) -> Option<Day> {
        let of = self.extensions.iter().filter(|it| it.assignment.get_ref() == assignment);
        let extended = of.filter_map(|it| self.last_day_of(it));
        extended.chain(self.last_day(assignment)).max()
    }

    /// Returns the last day on which a student with this extension hands in; `None` if the assignment has no due date.
    pub fn last_day_of(&self, extension: &ExtensionSettings) -> Option<Day> {
        let settings = self.assignments.get(extension.assignment.get_ref())?;
        let extended = settings.window(&self.late, extension.due(settings)).extension?;
        let last = extended.stop.map_or(extended.due, |stop| stop.max(extended.due));
        Some(self.day(last))
    }

    /// Returns the clock on which times of an assignment are that have no offset: the course's time zone, or else the clock on which
    /// the due date is stated.
    pub fn wall_clock(&self, assignment: &str) -> WallClock {
        let zone = self.time_zone.clone().map(WallClock::Zone);
        let due = || self.assignments.get(assignment)?.due().map(|due| due.wall_clock().clone());
        zone.or_else(due).unwrap_or(WallClock::UTC)
    }

    /// Returns the ids of the assignments whose hidden inputs and expected values students may see on the day `today`.
    pub fn assignments_with_answers(&self, today: &Day) -> BTreeSet<String> {
        let shown = self.assignments.iter().filter(|(_, dates)| dates.are_answers_shown(today));
        shown.map(|(id, _)| id.clone()).collect()
    }

    /// Returns the ids of the assignments whose hidden inputs and expected values students of the course in the folder `home` may
    /// see at the moment `now`; none if the folder is of no course.
    ///
    /// # Errors
    ///
    /// Fails if the file of the course cannot be read or is not valid.
    pub fn answers_shown_in(home: &Path, now: Moment) -> Result<BTreeSet<String>, CourseError> {
        if !home.join(FILE).is_file() {
            return Ok(BTreeSet::new());
        }
        let course = Self::read(home)?;
        Ok(course.assignments_with_answers(&course.day(now)))
    }

    /// Returns the rule by which the submission that counts is chosen.
    pub fn counts(&self, assignment: &AssignmentSettings) -> Counts {
        assignment.counts.as_ref().map_or(self.counts, |counts| *counts.get_ref())
    }

    /// Returns the first contradiction; `None` if there is none.
    fn contradiction(&self) -> Option<Found> {
        let of_assignments = self.assignments.iter();
        let mut found =
            of_assignments.filter_map(|(id, settings)| self.in_assignment(id, settings));
        let in_extensions = || self.extensions.iter().find_map(|it| self.in_extension(it));
        let in_policy = || self.in_policy();
        self.in_times().or_else(|| found.next()).or_else(in_extensions).or_else(in_policy)
    }

    /// Finds a time without an offset, if the course has no time zone.
    fn in_times(&self) -> Option<Found> {
        let of_assignments = self.assignments.values().flat_map(AssignmentSettings::deadlines);
        let of_extensions = self.extensions.iter().filter_map(|it| it.due.as_ref());
        let mut all = of_assignments.chain(of_extensions);
        let found = all.find(|it| it.get_ref().needs_zone())?;
        Some(Found { at: found.span(), contradiction: Contradiction::NoTimeZone })
    }

    fn in_policy(&self) -> Option<Found> {
        let of_course = std::iter::once(&self.late.late_days_per_assignment);
        let of_assignments = self.assignments.values().map(|it| &it.late.late_days_per_assignment);
        let mut most = of_course.chain(of_assignments).flatten();
        let budget = self.late.budget();
        if let Some(most) = most.find(|most| *most.get_ref() > budget) {
            let (at, most) = (most.span(), *most.get_ref());
            let contradiction = Contradiction::TooManyLateDays { most, budget };
            return Some(Found { at, contradiction });
        }
        let days = self.late.late_days.as_ref().filter(|days| *days.get_ref() > 0)?;
        let own = |it: &AssignmentSettings| it.late.percent_per_day.is_some();
        let costs = self.late.percent_per_day.is_some() || self.assignments.values().any(own);
        let found = Found { at: days.span(), contradiction: Contradiction::UselessLateDays };
        (!costs).then_some(found)
    }

    fn in_assignment(&self, id: &str, settings: &AssignmentSettings) -> Option<Found> {
        let assignment = || id.to_owned();
        let due = settings.due().cloned();
        if let (Some(release), Some(due)) = (&settings.release, &due)
            && release.get_ref().moment() > due.moment()
        {
            let (assignment, at) = (assignment(), release.span());
            let release = release.get_ref().clone();
            let due = due.clone();
            let contradiction = Contradiction::LateRelease { assignment, release, due };
            return Some(Found { at, contradiction });
        }
        if let Some(late_until) = &settings.late_until {
            let at = late_until.span();
            let Some(due) = due else {
                return Some(Found { at, contradiction: Contradiction::NoDueDate(assignment()) });
            };
            let late_until = late_until.get_ref().clone();
            if late_until.moment() < due.moment() {
                let assignment = assignment();
                let contradiction = Contradiction::EarlyStop { assignment, late_until, due };
                return Some(Found { at, contradiction });
            }
        }
        if let (Some(answers), Some(due)) = (&settings.answers, self.last_day(id))
            && *answers.get_ref() < due
        {
            let (assignment, at, answers) =
                (assignment(), answers.span(), answers.get_ref().clone());
            let zone = self.time_zone.as_ref().map_or_else(|| "UTC".to_owned(), Zone::to_string);
            let contradiction = Contradiction::EarlyAnswers { assignment, answers, due, zone };
            return Some(Found { at, contradiction });
        }
        if let Some(first) = settings.marked.values().next()
            && self.counts(settings) != Counts::Marked
        {
            let (at, contradiction) = (first.span(), Contradiction::UselessMarks(assignment()));
            return Some(Found { at, contradiction });
        }
        marked_twice(settings)
    }

    fn in_extension(&self, extension: &ExtensionSettings) -> Option<Found> {
        let id = extension.assignment.get_ref();
        let here = |contradiction| Some(Found { at: extension.assignment.span(), contradiction });
        if extension.student.is_some() == extension.group.is_some() {
            return here(Contradiction::ExtensionOfWhom);
        }
        if extension.due.is_some() == extension.days.is_some() {
            return here(Contradiction::ExtensionWithoutDate);
        }
        let Some(settings) = self.assignments.get(id) else {
            return here(Contradiction::NoAssignment(id.clone()));
        };
        let Some(due) = settings.due().cloned() else {
            return here(Contradiction::NoDueDate(id.clone()));
        };
        if let Some(days) = extension.days.as_ref().filter(|days| *days.get_ref() == 0) {
            let contradiction = Contradiction::ExtensionOfNothing;
            return Some(Found { at: days.span(), contradiction });
        }
        let to: &Spanned<_> = extension.due.as_ref()?;
        let is_early = to.get_ref().moment() <= due.moment();
        let (at, to) = (to.span(), to.get_ref().clone());
        let contradiction = Contradiction::EarlyExtension { to, due };
        is_early.then_some(Found { at, contradiction })
    }
}

/// Finds a student whom `marked` names twice, in capitals and in small letters.
fn marked_twice(settings: &AssignmentSettings) -> Option<Found> {
    let mut seen: BTreeMap<String, (&String, &Spanned<String>)> = BTreeMap::new();
    for (student, submission) in &settings.marked {
        let key = name_key(&student.as_str().into());
        if let Some((other, earlier)) = seen.insert(key, (student, submission)) {
            let mut both = [(earlier.span().start, other), (submission.span().start, student)];
            both.sort_unstable();
            let [(_, one), (at, other)] = both.map(|(at, name)| (at, name.clone()));
            return Some(Found {
                at: at..at,
                contradiction: Contradiction::MarkedTwice { one, other },
            });
        }
    }
    None
}

/// Tables of a course's file that are named by assignments.
#[derive(Deserialize)]
struct Tables {
    #[serde(default)]
    assignments: BTreeMap<Spanned<String>, toml::Value>,
}

impl Position {
    /// Returns the position at which the text of a course's file begins the table of an assignment, or else the beginning.
    pub fn of_assignment(text: &str, id: &str) -> Self {
        let tables = toml::from_str(text).unwrap_or(Tables { assignments: BTreeMap::new() });
        let key = tables.assignments.keys().find(|key| key.get_ref() == id);
        Self::of(text, key.map_or(0, |key| key.span().start))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<Course, String> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), text).unwrap();
        let home = dir.path().display().to_string();
        Course::read(dir.path()).map_err(|error| error.to_string().replace(&format!("{home}/"), ""))
    }

    fn lab(lines: &str) -> Result<Course, String> {
        read(&format!("title = \"T\"\n[assignments.lab]\n{lines}\n"))
    }

    #[test]
    fn a_due_date_is_a_day_or_a_time_with_an_offset() {
        let due = |lines| lab(lines).map(|it| it.assignments["lab"].due().unwrap().to_string());
        assert_eq!(due("due = 2026-11-26").as_deref(), Ok("2026-11-26"));
        assert_eq!(
            due("due = 2026-11-26T23:59:00+01:00").as_deref(),
            Ok("2026-11-26 23:59 +01:00")
        );
        assert_eq!(read("title = \"T\"").unwrap().assignments, BTreeMap::new());
        let local = lab("due = 2026-11-26T10:00:00").unwrap_err();
        assert!(local.starts_with("softmark.toml:3:7: a time without an offset"), "{local}");
        for wrong in ["due = \"tomorrow\"", "dew = 2026-11-26"] {
            assert!(lab(wrong).unwrap_err().contains("line 3, column "), "{wrong}");
        }
    }

    #[test]
    fn answers_are_not_shown_before_the_last_submission() {
        let shown =
            |dates: &str, day: &str| lab(dates).unwrap().assignments_with_answers(&Day::of(day));
        let both = BTreeSet::from(["lab".to_owned()]);
        for dates in ["due = 2026-11-26\nanswers = 2026-11-26", "answers = 2026-11-26"] {
            assert_eq!(shown(dates, "2026-11-26"), BTreeSet::new(), "{dates}");
            assert_eq!(shown(dates, "2026-11-27"), both, "{dates}");
        }
        assert_eq!(shown("due = 2026-11-26", "2027-01-01"), BTreeSet::new());
        assert_eq!(
            lab("due = 2026-11-26\nanswers = 2026-11-25").unwrap_err(),
            "softmark.toml:4:11: the answers of `lab` are shown after 2026-11-25, while students hand in through 2026-11-26 (UTC)"
        );
        let late = "due = 2026-11-26\nlate_until = 2026-12-03\nanswers = 2026-12-02";
        assert!(lab(late).unwrap_err().contains("while students hand in through 2026-12-03 (UTC)"));
        for wrong in ["answers = 2026-11-26T10:00:00Z", "answers = \"soon\"", "answer = 2026-11-26"]
        {
            assert!(lab(wrong).unwrap_err().contains("line 3"), "{wrong}");
        }
    }

    #[test]
    fn the_day_of_a_moment_is_that_of_the_time_zone() {
        let text =
            "title = 'T'\ntime_zone = 'America/Los_Angeles'\n[assignments.lab]\ndue = 2026-11-26";
        let course = read(text).unwrap();
        // 07:59:59 in UTC of the next day.
        let last = course.assignments["lab"].due().unwrap().moment();
        assert_eq!(last, Moment::from_seconds(1_795_766_399));
        assert_eq!(course.day(last).to_string(), "2026-11-26");
        assert_eq!(course.day(last.plus(1)).to_string(), "2026-11-27");
        assert_eq!(Course::default().day(last).to_string(), "2026-11-27");
        // Answers of that day are shown once it is over there.
        let course = read(&format!("{text}\nanswers = 2026-11-26")).unwrap();
        let shown = |moment| course.assignments_with_answers(&course.day(moment)).len();
        assert_eq!((shown(last), shown(last.plus(1))), (0, 1));
    }

    proptest! {
        /// Whatever the clock of the due date: without a time zone, days are in UTC.
        #[test]
        fn no_answer_is_shown_to_whoever_may_hand_in(hour in 0_i64..24, offset in -12_i64..15, answers in 25_u32..29) {
            let offset = format!("{}{:02}:00", if offset < 0 { '-' } else { '+' }, offset.abs());
            let due = format!("due = 2026-11-26T{hour:02}:30:00{offset}");
            if let Ok(course) = lab(&format!("{due}\nanswers = 2026-11-{answers}")) {
                let last = course.assignments["lab"].due().unwrap().moment();
                prop_assert!(course.assignments_with_answers(&course.day(last)).is_empty());
            } else {
                prop_assert!(answers < 27, "the day after is late enough for each of these clocks");
            }
        }
    }

    #[test]
    fn errors_have_a_line_and_a_column() {
        let course = Course { title: "T".to_owned(), ..Course::default() };
        assert_eq!(read("title = \"T\""), Ok(course));
        let unknown = read("title = \"T\"\ntilte = 1").unwrap_err();
        assert!(unknown.contains("line 2, column 1") && unknown.contains("tilte"), "{unknown}");
        assert!(read("").unwrap_err().contains("missing field `title`"));
        let missing = Course::read(Path::new("/nowhere")).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read "), "{missing}");
    }

    #[test]
    fn values_that_contradict_one_another_are_refused() {
        for (lines, said) in [
            (
                "release = 2026-11-27\ndue = 2026-11-26",
                "3:11: `lab` is released on 2026-11-27, after",
            ),
            (
                "due = 2026-11-26\nlate_until = 2026-11-25",
                "4:14: late submissions of `lab` end on 2026-11-25",
            ),
            ("late_until = 2026-11-25", "3:14: `lab` has no due date"),
            ("counts = \"best\"\nmarked = { amara = \"x\" }", "4:20: `marked` has no effect"),
            ("marked = { amara = \"x\" }", "3:20: `marked` has no effect"),
            ("late = { late_days = 3 }", "unknown field `late_days`"),
            ("late = { percent_per_day = 100.5 }", "100.5 is no percentage"),
            ("counts = \"first\"", "unknown variant `first`"),
            ("[late]\nlate_days = 5", "5:13: late days pay for a percentage"),
            (
                "[late]\npercent_per_day = 10\nlate_days = 2\nlate_days_per_assignment = 3",
                "7:28: an assignment may take 3 late days, and a student has 2 in the whole course",
            ),
            (
                "late = { late_days_per_assignment = 1 }",
                "3:37: an assignment may take 1 late day, and",
            ),
            (
                "counts = \"marked\"\nmarked = { amara = \"x\", bao = \"z\", AMARA = \"y\" }",
                "4:44: `marked` names one student twice, `amara` and `AMARA`",
            ),
        ] {
            let lines =
                if lines.starts_with('[') { format!("\n{lines}") } else { lines.to_owned() };
            let refused = lab(&lines).unwrap_err();
            assert!(refused.contains(said), "{lines}: {refused}");
        }
        let extension = |rest: &str| {
            lab(&format!("due = 2026-11-26\n[[extensions]]\nassignment = \"lab\"\n{rest}"))
        };
        for (rest, said) in [
            ("days = 2", "5:14: an extension is of either"),
            ("student = \"a\"\ngroup = \"b\"\ndays = 2", "an extension is of either"),
            ("student = \"a\"", "an extension has either `due` or `days`"),
            ("student = \"a\"\ndays = 0", "7:8: an extension of 0 days changes nothing"),
            ("student = \"a\"\ndue = 2026-11-26", "7:7: the extension to 2026-11-26 is not after"),
        ] {
            let refused = extension(rest).unwrap_err();
            assert!(refused.contains(said), "{rest}: {refused}");
        }
        assert!(extension("student = \"a\"\ndays = 1").is_ok());
        for lines in [
            "[late]\npercent_per_day = 10\nlate_days = 3\nlate_days_per_assignment = 3",
            "late = { late_days_per_assignment = 0 }",
            "counts = \"marked\"\nmarked = { amara = \"x\", amar = \"x\" }",
        ] {
            assert!(lab(&format!("\n{lines}")).is_ok(), "{lines}");
        }
        let unknown =
            read("title = \"T\"\n[[extensions]]\nassignment = \"lab\"\nstudent = \"a\"\ndays = 1");
        assert!(unknown.unwrap_err().contains("3:14: there is no table [assignments.lab]"));
    }

    #[test]
    fn the_table_of_an_assignment_has_a_position() {
        let text = "title = \"T\"\n\n[assignments.lab]\ndue = 2026-11-26\n[assignments.\"a b\"]\n";
        let at = |id| {
            let Position { line, column } = Position::of_assignment(text, id);
            (line, column)
        };
        assert_eq!((at("lab"), at("a b")), ((3, 14), (5, 14)));
        assert_eq!(at("nothing"), (1, 1));
    }

    #[test]
    fn an_assignment_differs_from_the_policy_of_the_course() {
        let text = "title = \"T\"
            [late]
            percent_per_day = 10
            grace_minutes = 15
            late_days = 5
            hard_stop_days = 7
            [assignments.lab]
            due = 2026-11-26
            late = { percent_per_day = 12.5, percent_of = \"maximum\" }
            [assignments.essay]
            due = 2026-12-10
            late_until = 2026-12-12";
        let course = read(text).unwrap();
        let [lab, essay] = ["lab", "essay"].map(|id| &course.assignments[id]);
        let policy = lab.policy(&course.late);
        assert_eq!((policy.percent_per_day, policy.grace, policy.late_days), (Some(1_250), 900, 5));
        assert_eq!(essay.policy(&course.late).percent_per_day, Some(1_000));
        assert_eq!(lab.hard_stop(&course.late).unwrap().to_string(), "2026-12-03");
        assert_eq!(essay.hard_stop(&course.late).unwrap().to_string(), "2026-12-12");
        assert_eq!(course.last_day("essay"), Some(Day::of("2026-12-12")));
        assert_eq!(course.last_day_with_extensions("essay"), Some(Day::of("2026-12-12")));
    }
}
