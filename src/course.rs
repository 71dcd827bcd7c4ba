//! Courses: folders with a `softmark.toml`, which hold assignments and solutions.

mod slurm;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use nix::unistd::{Uid, geteuid};
use serde::Deserialize;
use thiserror::Error;
use toml::Spanned;
use toml::value::Datetime;

pub use slurm::SlurmSettings;

/// Name of the file that makes a folder a course.
pub const FILE: &str = "softmark.toml";

/// Course, as its `softmark.toml` describes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Course {
    /// Title of the course.
    pub title: String,
    /// Dates of assignments, by id.
    #[serde(default)]
    pub assignments: BTreeMap<String, Dates>,
    /// Settings of Slurm.
    #[serde(default)]
    pub slurm: SlurmSettings,
}

/// Dates of an assignment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dates {
    /// Last day on which students hand in.
    pub due: Option<Day>,
    /// Day after which students may see hidden inputs and expected values; never before the due date.
    pub answers: Option<Spanned<Day>>,
}

impl Dates {
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

/// Day of the calendar, in UTC.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "Datetime")]
pub struct Day(String);

impl Day {
    /// Returns the day of a time in RFC 3339 and UTC.
    ///
    /// ```
    /// use softmark::course::Day;
    ///
    /// let day = |time| Day::of(time).to_string();
    /// assert_eq!(day("2026-11-26T21:35:15Z"), "2026-11-26");
    /// assert!(Day::of("2026-11-26T00:00:00Z") > Day::of("2026-09-30T23:59:59Z"));
    /// ```
    pub fn of(time: &str) -> Self {
        Self(time.split('T').next().unwrap_or_default().to_owned())
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<Datetime> for Day {
    type Error = String;

    fn try_from(written: Datetime) -> Result<Self, String> {
        match written {
            Datetime { date: Some(date), time: None, offset: None } => Ok(Self(date.to_string())),
            _ => Err(format!("{written} is not a day, such as 2026-11-26")),
        }
    }
}

/// A `softmark.toml` that cannot be used.
#[derive(Debug, Error)]
pub enum CourseError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is not valid; the error gives line and column.
    #[error("{} is not valid: {source}", path.display())]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        source: Box<toml::de::Error>,
    },
    /// The answers of an assignment would be shown to students who may still hand in.
    #[error("{}:{line}: the answers of `{assignment}` are shown after {answers}, before it is due on {due}", path.display())]
    EarlyAnswers {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line with the date.
        line: usize,
        /// Assignment id.
        assignment: String,
        /// Day after which answers are shown.
        answers: Day,
        /// Due date.
        due: Day,
    },
    /// A course lies in another one, and it is unknown which of them is meant.
    #[error(
        "{} lies below {}, so nothing tells which of the two courses is meant",
        inner.display(),
        outer.display()
    )]
    Nested {
        /// Path of the nearest file.
        inner: PathBuf,
        /// Path of the next one above it.
        outer: PathBuf,
    },
}

/// Returns the folder of the course that `from` is in: the one, at `from` or above it, with a `softmark.toml` that
/// belongs to this user or to the administrator; `None` if there is none.
///
/// A course is built and run, so a file that another user put into `/tmp`, say, must not make one.
///
/// # Errors
///
/// Fails if there are several. The nearest may belong to a submission that is kept in the folder of the course.
pub fn find(from: &Path) -> Result<Option<&Path>, CourseError> {
    let mut courses = from.ancestors().filter(|folder| is_own(&folder.join(FILE), geteuid()));
    match (courses.next(), courses.next()) {
        (Some(inner), Some(outer)) => {
            Err(CourseError::Nested { inner: inner.join(FILE), outer: outer.join(FILE) })
        }
        (found, _) => Ok(found),
    }
}

/// True if there is such a file, and it belongs to `user` or to the administrator.
fn is_own(file: &Path, user: Uid) -> bool {
    let own = |uid| Uid::from_raw(uid) == user || Uid::from_raw(uid).is_root();
    fs::metadata(file).is_ok_and(|metadata| metadata.is_file() && own(metadata.uid()))
}

impl Course {
    /// Reads the `softmark.toml` of the course at `home`.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or is not valid: unknown keys are not, nor are answers that are shown before an
    /// assignment is due.
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
        for (assignment, Dates { due, answers }) in &course.assignments {
            if let (Some(due), Some(answers)) = (due, answers)
                && answers.get_ref() < due
            {
                let before = text.get(..answers.span().start).unwrap_or_default();
                return Err(CourseError::EarlyAnswers {
                    path,
                    line: before.matches('\n').count() + 1,
                    assignment: assignment.clone(),
                    answers: answers.get_ref().clone(),
                    due: due.clone(),
                });
            }
        }
        Ok(course)
    }

    /// Parses the text of a `softmark.toml`; does not compare its dates.
    ///
    /// # Errors
    ///
    /// Fails if the text is not valid; the error gives line and column.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Returns the ids of the assignments whose hidden inputs and expected values students may see on the day `today`.
    pub fn assignments_with_answers(&self, today: &Day) -> BTreeSet<String> {
        let shown = self.assignments.iter().filter(|(_, dates)| dates.are_answers_shown(today));
        shown.map(|(id, _)| id.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_course_is_found_from_any_folder_below_it() {
        let dir = tempfile::tempdir().unwrap();
        let below = dir.path().join("assignments/x/src");
        fs::create_dir_all(&below).unwrap();
        fs::write(dir.path().join(FILE), "title = \"T\"").unwrap();
        assert_eq!(find(&below).unwrap(), Some(dir.path()));
        assert_eq!(find(dir.path()).unwrap(), Some(dir.path()));
        assert_eq!(find(Path::new("/")).unwrap(), None);
    }

    #[test]
    fn dates_are_days() {
        let read = |text: &str| toml::from_str::<Course>(&format!("title = \"T\"\n{text}"));
        let course = read("[assignments.lab]\ndue = 2026-11-26").unwrap();
        assert_eq!(course.assignments["lab"].due, Some(Day::of("2026-11-26T10:00:00Z")));
        assert_eq!(read("").unwrap().assignments, BTreeMap::new());
        for wrong in ["due = 2026-11-26T10:00:00Z", "due = \"tomorrow\"", "dew = 2026-11-26"] {
            assert!(read(&format!("[assignments.lab]\n{wrong}")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_are_not_shown_before_an_assignment_is_due() {
        let dir = tempfile::tempdir().unwrap();
        let read = |dates: &str| {
            let text = format!("title = \"T\"\n[assignments.lab]\n{dates}\n");
            fs::write(dir.path().join(FILE), text).unwrap();
            Course::read(dir.path()).map_err(|error| error.to_string())
        };
        let shown =
            |dates: &str, day: &str| read(dates).unwrap().assignments_with_answers(&Day::of(day));
        let lab = BTreeSet::from(["lab".to_owned()]);
        for dates in ["due = 2026-11-26\nanswers = 2026-11-26", "answers = 2026-11-26"] {
            assert_eq!(shown(dates, "2026-11-26"), BTreeSet::new(), "{dates}");
            assert_eq!(shown(dates, "2026-11-27"), lab, "{dates}");
        }
        assert_eq!(shown("due = 2026-11-26", "2027-01-01"), BTreeSet::new());
        let early = read("due = 2026-11-26\nanswers = 2026-11-25").unwrap_err();
        let told = "softmark.toml:4: the answers of `lab` are shown after 2026-11-25, before it is due on 2026-11-26";
        assert!(early.ends_with(told), "{early}");
        for wrong in ["answers = 2026-11-26T10:00:00Z", "answers = \"soon\"", "answer = 2026-11-26"]
        {
            assert!(read(wrong).unwrap_err().contains("line 3"), "{wrong}");
        }
    }

    #[test]
    fn a_course_in_another_one_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("class/amara");
        fs::create_dir_all(inner.join("src")).unwrap();
        fs::write(dir.path().join(FILE), "title = \"T\"").unwrap();
        fs::write(inner.join(FILE), "title = \"mine\"").unwrap();
        for from in [inner.join("src"), inner.clone()] {
            let refused = find(&from).unwrap_err().to_string();
            let (inner, outer) = (inner.join(FILE), dir.path().join(FILE));
            let both = format!("{} lies below {}, so", inner.display(), outer.display());
            assert!(refused.starts_with(&both), "{refused}");
        }
        assert_eq!(find(&dir.path().join("class")).unwrap(), Some(dir.path()));
    }

    #[test]
    fn a_file_of_another_user_makes_no_course() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join(FILE);
        fs::write(&file, "title = \"T\"").unwrap();
        let owner = fs::metadata(&file).unwrap().uid();
        assert!(is_own(&file, Uid::from_raw(owner)));
        // The administrator's are everybody's.
        assert_eq!(is_own(&file, Uid::from_raw(owner + 1)), owner == 0);
        std::os::unix::fs::chown(&file, Some(owner + 1), None).map_or_else(
            |_| println!("SKIPPED: this user may not give files away"),
            |()| assert!(!is_own(&file, Uid::from_raw(owner + 2))),
        );
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        let read = |text: &str| {
            fs::write(dir.path().join(FILE), text).unwrap();
            Course::read(dir.path()).map_err(|error| error.to_string())
        };
        assert_eq!(
            read("title = \"T\""),
            Ok(Course { title: "T".to_owned(), ..Course::default() })
        );
        let unknown = read("title = \"T\"\ntilte = 1").unwrap_err();
        assert!(unknown.contains("line 2, column 1") && unknown.contains("tilte"), "{unknown}");
        assert!(read("").unwrap_err().contains("missing field `title`"));
        fs::remove_file(dir.path().join(FILE)).unwrap();
        let missing = Course::read(dir.path()).unwrap_err().to_string();
        assert!(missing.starts_with("cannot read "), "{missing}");
    }
}
