//! Times of submission, from a file that a platform exports.
//!
//! Canvas and Moodle do not write times into the names of what they let an instructor download. The file of an assignment's
//! `times` has them: Moodle's grading worksheet, the grades of Gradescope or of GitHub Classroom, or a plain file with the columns
//! `id` or `submission`, and `submitted`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;
use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::civil_time::CivilTime;
use crate::course::moment::Moment;
use crate::course::roster::{
    Ambiguous, Difference, Found, Roster, RosterError, RosterFormat, StudentIndex, StudentTable,
    name_key,
};
use crate::course::table::Table;
use crate::course::wall_clock::{Reading, WallClock};

/// Times of submission of one assignment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Times {
    by_student: BTreeMap<StudentIndex, TimeInRow>,
    by_submission: BTreeMap<String, TimeInRow>,
    /// Students of submissions whose names do not tell, by the form in which the names are compared.
    owners: BTreeMap<String, BTreeSet<StudentIndex>>,
}

/// File with times that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TimesError {
    /// The file is no table, or its columns are unknown.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// A row fits more than one student.
    #[error("line {line}: {source}")]
    Ambiguous {
        /// Number of the line.
        line: usize,
        /// Students.
        source: Ambiguous,
    },
    /// A row has the name of a student who has no other row, and another id, login or e-mail address.
    #[error(
        "line {line}: the {} of `{name}` is `{}`, and in the roster the {} of `{student}`, who has the same name and no other \
         row, is `{}`; add it to the roster if they are one person, or else remove the row",
        .difference.of_other.kind, .difference.of_other.text, .difference.of_student.kind, .difference.of_student.text
    )]
    Namesake {
        /// Number of the line.
        line: usize,
        /// Name in the row.
        name: Untrusted,
        /// Id of the student.
        student: Untrusted,
        /// Identifiers that differ.
        difference: Box<Difference>,
    },
    /// A time cannot be read.
    #[error(
        "line {line}: `{text}` is no time, such as 2026-11-26T23:59:00+01:00 or \
         `Thursday, 26 November 2026, 11:59 PM`"
    )]
    Time {
        /// Number of the line.
        line: usize,
        /// Text in the column of times.
        text: Untrusted,
    },
    /// Two rows have different times for one student or one submission.
    #[error(
        "lines {first} and {line} have different times for `{name}`: remove the one that does not count"
    )]
    Twice {
        /// Number of the first of the lines.
        first: usize,
        /// Number of the other line.
        line: usize,
        /// Student or submission, as the other line names it.
        name: Untrusted,
    },
    /// The file has no column with times.
    #[error("it has no times of submission: {0} has none; export the grades of the assignment")]
    NoTimes(String),
    /// A plain file has no times.
    #[error(
        "it has no times of submission: a plain file has none unless they are in a column `submitted`"
    )]
    NoTimesInPlain,
}

/// Time in a row of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TimeInRow {
    time: Moment,
    /// Number of the line.
    line: usize,
}

impl Times {
    /// Reads times from a table. Times without an offset are on the clock `wall`.
    ///
    /// # Errors
    ///
    /// Fails if the columns are unknown, a time cannot be read, a row fits more than one student, it is not known whether a row
    /// is of a student or of a namesake, or two rows have different times for one student or one submission.
    pub fn read(table: &Table, roster: &Roster, wall: &WallClock) -> Result<Self, TimesError> {
        let StudentTable { format, students } = StudentTable::read(table)?;
        let mut times = Self::default();
        let mut has_any = false;
        let kinds = roster.same_kinds(&students);
        let (mut known, mut namesakes) = (BTreeSet::new(), Vec::new());
        for row in students {
            let line = row.line;
            let ambiguous = |source| TimesError::Ambiguous { line, source };
            let found = roster.find(&row, &kinds).map_err(ambiguous)?;
            let student = if let Found::Student(student) = found { Some(student) } else { None };
            known.extend(student);
            let keys: Vec<String> = row.submissions.iter().map(name_key).collect();
            if let Some(student) = student {
                for key in &keys {
                    times.owners.entry(key.clone()).or_default().insert(student);
                }
            }
            has_any |= !row.submitted.is_empty();
            // Platforms write a dash for those who have not handed in.
            if row.submitted.is_empty() || row.submitted == "-" {
                continue;
            }
            if let Found::Namesake(namesake) = found {
                namesakes.push((row.clone(), namesake));
            }
            let unreadable = || TimesError::Time { line, text: row.submitted.clone() };
            // Of a local time that comes twice, as clocks are put back, the first is taken, in favour of the student.
            let time = parse(row.submitted.as_raw()).ok_or_else(unreadable)?;
            let time = time.moment(wall, Reading::Earlier);
            let in_row = TimeInRow { time, line };
            let replaced = match student {
                Some(student) if keys.is_empty() => vec![times.by_student.insert(student, in_row)],
                None if keys.is_empty() => {
                    vec![times.by_submission.insert(name_key(&row.id), in_row)]
                }
                Some(_) | None => {
                    let insert = |key| times.by_submission.insert(key, in_row);
                    keys.into_iter().map(insert).collect()
                }
            };
            if let Some(other) = replaced.into_iter().flatten().find(|it| it.time != time) {
                let name = row.submissions.first().unwrap_or(&row.id).clone();
                return Err(TimesError::Twice { first: other.line, line, name });
            }
        }
        if let Some((row, namesake)) =
            namesakes.into_iter().find(|(_, namesake)| !known.contains(&namesake.student))
        {
            let student = roster.students().get(namesake.student).map(|it| it.id.clone());
            let (line, name, student) = (row.line, row.name, student.unwrap_or_default());
            let difference = Box::new(namesake.difference);
            return Err(TimesError::Namesake { line, name, student, difference });
        }
        if has_any {
            return Ok(times);
        }
        let is_plain = format == RosterFormat::Plain;
        Err(if is_plain {
            TimesError::NoTimesInPlain
        } else {
            TimesError::NoTimes(format.to_string())
        })
    }

    /// Returns the students of a submission, as far as the file tells.
    pub fn owners(&self, submission: &Untrusted) -> Option<&BTreeSet<StudentIndex>> {
        self.owners.get(&name_key(submission))
    }

    /// Returns the time that the file has for a submission under its name; `None` if it has none.
    pub fn of_submission(&self, submission: &Untrusted) -> Option<Moment> {
        self.by_submission.get(&name_key(submission)).map(|it| it.time)
    }

    /// Returns the latest of the times that the file has for students; `None` if it has none.
    pub fn latest_of(&self, students: &BTreeSet<StudentIndex>) -> Option<Moment> {
        students.iter().filter_map(|student| Some(self.by_student.get(student)?.time)).max()
    }
}

/// Moodle's times in English: `Thursday, 26 November 2026, 9:35 PM`.
const MOODLE: &str = r"(?ix-u)^ (?:[a-z]+,\x20)? ([0-9]{1,2}) \x20 ([a-z]+) \x20 ([0-9]{4}),
    \x20 ([0-9]{1,2}):([0-9]{2}) (?:\x20?([ap])\.?m\.?)? $";

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

static MOODLE_PARSER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(MOODLE).ok());

/// Parses a time as platforms write it.
fn parse(text: &str) -> Option<CivilTime> {
    if let Some(time) = CivilTime::parse(text) {
        return Some(time);
    }
    // A space that does not break, and is narrow, may be before `PM`.
    let text = text.trim().replace(['\u{202f}', '\u{a0}'], " ");
    let found = MOODLE_PARSER.as_ref()?.captures(&text)?;
    let part = |group| found.get(group).map_or("", |part| part.as_str());
    let month = part(2).to_lowercase();
    let month = MONTHS.iter().position(|short| month.starts_with(short))? + 1;
    let hour: u32 = part(4).parse().ok()?;
    let hour = match part(6) {
        "" => hour,
        half if half.eq_ignore_ascii_case("p") => hour % 12 + 12,
        _ => hour % 12,
    };
    let day: u32 = part(1).parse().ok()?;
    CivilTime::parse(&format!("{}-{month:02}-{day:02} {hour:02}:{}", part(3), part(5)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roster() -> Roster {
        let text = "id,name,email,login\n1,Amara Okafor,a@x.org,ao\n2,Bao Tran,b@x.org,bt\n";
        let students =
            StudentTable::read(&Table::parse(text.as_bytes()).unwrap()).unwrap().students;
        Roster::new(students).unwrap()
    }

    fn times(text: &str) -> Result<Times, String> {
        let table = Table::parse(text.as_bytes()).unwrap();
        Times::read(&table, &roster(), &WallClock::UTC).map_err(|error| error.to_string())
    }

    #[test]
    fn times_are_read_as_platforms_write_them() {
        let utc =
            |text| parse(text).map(|it| it.moment(&WallClock::UTC, Reading::Earlier).to_string());
        for (text, expected) in [
            ("Thursday, 26 November 2026, 9:35 PM", "2026-11-26T21:35:00Z"),
            ("Thursday, 26 November 2026, 12:05\u{202f}AM", "2026-11-26T00:05:00Z"),
            ("3 Mar 2026, 14:05", "2026-03-03T14:05:00Z"),
            ("2026-11-26 21:35:15 -0800", "2026-11-27T05:35:15Z"),
            ("2026-11-26 21:35:15 UTC", "2026-11-26T21:35:15Z"),
            ("2026-11-26T21:35:15.25Z", "2026-11-26T21:35:15Z"),
        ] {
            assert_eq!(utc(text).as_deref(), Some(expected), "{text}");
        }
        for wrong in ["31 February 2026, 10:00", "11/26/2026 10:00", "yesterday"] {
            assert_eq!(utc(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_file_of_each_platform_gives_times() {
        let moodle = times(
            "Identifier,Full name,Email address,Grade,Last modified (submission)\n\
             Participant 9,Amara Okafor,a@x.org,,\"Thursday, 26 November 2026, 9:35 PM\"\n\
             Participant 8,Bao Tran,b@x.org,,-\n",
        );
        let (moodle, name) = (moodle.unwrap(), "Amara Okafor_9".into());
        let of = |student| moodle.latest_of(&BTreeSet::from([student]));
        assert_eq!(of(0).unwrap().to_string(), "2026-11-26T21:35:00Z");
        assert_eq!((of(1), moodle.of_submission(&name)), (None, None));
        let gradescope = times(
            "Name,SID,Email,Total Score,Submission ID,Submission Time\n\
             Amara,1,a@x.org,3,4711,2026-11-26 21:35:15 +0100\n",
        );
        let (gradescope, name) = (gradescope.unwrap(), "4711".into());
        assert_eq!(gradescope.owners(&name), Some(&BTreeSet::from([0])));
        assert_eq!(gradescope.of_submission(&name).unwrap().to_string(), "2026-11-26T20:35:15Z");
        let plain = times("id,submission,submitted\nzoe,,2026-11-26 10:00\n").unwrap();
        assert!(plain.of_submission(&"zoe".into()).is_some());
    }

    #[test]
    fn a_namesake_gives_no_time_to_somebody_else() {
        let header = "Identifier,Full name,Email address,Grade,Last modified (submission)\n";
        let late = "\"Friday, 27 November 2026, 9:35 PM\"";
        let own = "Participant 9,Amara Okafor,a@x.org,,\"Thursday, 26 November 2026, 9:35 PM\"\n";
        let other = format!("Participant 8,Amara Okafor,a2@x.org,,{late}\n");
        let both = times(&format!("{header}{own}{other}")).unwrap();
        let time = both.latest_of(&BTreeSet::from([0])).unwrap().to_string();
        assert_eq!(time, "2026-11-26T21:35:00Z");
        assert_eq!(
            times(&format!("{header}{other}")).unwrap_err(),
            "line 2: the e-mail address of `Amara Okafor` is `a2@x.org`, and in the roster the e-mail address of `1`, who has \
             the same name and no other row, is `a@x.org`; add it to the roster if they are one person, or else remove the row"
        );
        // Who has not handed in has no time that could be given to somebody else.
        let none = times(&format!("{header}{}", other.replace(late, "-"))).unwrap();
        assert_eq!(none.latest_of(&BTreeSet::from([0])), None);
        // Without an e-mail address the name is enough.
        let named = times(&format!("{header}{}", other.replace("a2@x.org", ""))).unwrap();
        assert!(named.latest_of(&BTreeSet::from([0])).is_some());
    }

    /// Members of a group have a row each with the same submission and the same time.
    #[test]
    fn two_times_of_one_student_are_refused_unless_they_are_the_same() {
        let rows = |first: &str, second: &str| times(&format!("id,submitted\n{first}\n{second}\n"));
        let [early, late] = ["2026-11-26T01:00:00Z", "2026-11-27T01:00:00Z"];
        for name in ["1", "unknown"] {
            rows(&format!("{name},{late}"), &format!("{name},{late}")).unwrap();
            let twice = rows(&format!("{name},{late}"), &format!("{name},{early}")).unwrap_err();
            let start = format!("lines 2 and 3 have different times for `{name}`");
            assert!(twice.starts_with(&start), "{twice}");
        }
        let group = |time: &str| {
            times(&format!("id,submission,submitted\n1,team,{early}\n2,team,{time}\n"))
        };
        group(early).unwrap();
        let twice = group(late).unwrap_err();
        assert!(twice.starts_with("lines 2 and 3 have different times for `team`"), "{twice}");
    }

    #[test]
    fn what_cannot_be_read_has_its_line() {
        let refused = times("id,submitted\n1,soon\n").unwrap_err();
        assert!(refused.starts_with("line 2: `soon` is no time, such as"), "{refused}");
        let none = times("id,name\n1,A\n").unwrap_err();
        assert_eq!(
            none,
            "it has no times of submission: a plain file has none unless they are in a column `submitted`"
        );
        let roster = "Student,ID,SIS User ID,SIS Login ID,Section\n\"Okafor, Amara\",7,1,ao,A\n";
        let none = times(roster).unwrap_err();
        assert!(none.ends_with("has none; export the grades of the assignment"), "{none}");
    }
}
