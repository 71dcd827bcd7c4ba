//! Columns with grades, as each platform names them.

use std::fmt;
use std::sync::LazyLock;

use regex::Regex;

use crate::course::roster::RosterFormat;
use crate::course::table::{Cell, Table};
use crate::model::Points;

/// Platform whose gradebook is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GradebookFormat {
    /// Canvas.
    Canvas,
    /// Moodle.
    Moodle,
    /// Blackboard.
    Blackboard,
    /// Gradescope.
    Gradescope,
}

impl GradebookFormat {
    /// All platforms.
    const ALL: [Self; 4] = [Self::Canvas, Self::Moodle, Self::Blackboard, Self::Gradescope];

    /// Returns the name on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Canvas => "canvas",
            Self::Moodle => "moodle",
            Self::Blackboard => "blackboard",
            Self::Gradescope => "gradescope",
        }
    }

    /// Returns the platform with this name on a command line; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }

    /// Returns true if a file with students of this format is a gradebook of the platform.
    pub(crate) fn fits(self, file: RosterFormat) -> bool {
        match self {
            Self::Canvas => file == RosterFormat::Canvas,
            Self::Moodle => matches!(file, RosterFormat::Moodle | RosterFormat::MoodleWorksheet),
            Self::Blackboard => file == RosterFormat::Blackboard,
            Self::Gradescope => file == RosterFormat::Gradescope,
        }
    }
}

impl fmt::Display for GradebookFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canvas => "Canvas",
            Self::Moodle => "Moodle",
            Self::Blackboard => "Blackboard",
            Self::Gradescope => "Gradescope",
        })
    }
}

/// Column with the grades of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradeColumn {
    /// Number of the column, from 0 on.
    pub(crate) at: usize,
    /// Name in the header.
    pub header: String,
    /// Names and numbers by which it may be asked for; none if the file is of one assignment.
    names: Vec<String>,
    /// Points that it is worth, if the file says so.
    pub max_points: Option<Points>,
}

impl GradeColumn {
    /// True if it may be asked for by this name or number, or is the only one that the file can have.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        let name = comparable(name);
        self.names.is_empty() || self.names.iter().any(|own| comparable(own) == name)
    }
}

/// Returns the name of a column in the form in which names are compared: small letters and single spaces, also for line breaks.
fn comparable(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Canvas: a name, and a number in parentheses.
static CANVAS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)^(.+?)\s*\(([0-9]+)\)$").ok());

/// Moodle: perhaps a kind of activity, a name, and the way in which grades are shown.
static MOODLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)^(?:([^:]+):\s*)?(.+?)\s*(?:\(([^()]+)\))?$").ok());

/// Blackboard: a name, the points that it is worth, and a number.
static BLACKBOARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(.+?)\s*\[Total Pts:\s*(?:up to\s*)?([0-9.,]*)[^\]]*\][^|]*\|\s*([0-9]+)$").ok()
});

/// Columns of Canvas that are no assignment.
const OF_CANVAS: [&str; 8] = [
    "Student",
    "ID",
    "SIS User ID",
    "SIS Login ID",
    "Integration ID",
    "Root Account",
    "Section",
    "Notes",
];

/// Ends of Gradescope's columns that say something about an assignment.
const MAX_POINTS: &str = " - Max Points";

/// Returns the columns with grades.
pub(crate) fn of(file: RosterFormat, table: &Table) -> Vec<GradeColumn> {
    let header = table.header();
    let each = header.iter().enumerate();
    let columns =
        each.filter_map(|(at, name)| Found { table, header: &header, at, name }.column_in(file));
    columns.collect()
}

/// Column of a file.
struct Found<'a> {
    table: &'a Table,
    header: &'a [String],
    at: usize,
    name: &'a str,
}

impl Found<'_> {
    /// Returns the column if it has grades in a file of this format.
    fn column_in(&self, file: RosterFormat) -> Option<GradeColumn> {
        match file {
            RosterFormat::Canvas => self.in_canvas(),
            RosterFormat::Moodle => self.in_moodle(),
            RosterFormat::MoodleWorksheet => self.in_worksheet(),
            RosterFormat::Blackboard => self.in_blackboard(),
            RosterFormat::Gradescope => self.in_gradescope(),
            RosterFormat::GitHubRoster | RosterFormat::GitHubGrades | RosterFormat::Plain => None,
        }
    }

    fn column(&self, names: &[&str], max_points: Option<Points>) -> GradeColumn {
        let names = names.iter().filter(|name| !name.is_empty()).map(|it| (*it).to_owned());
        let names = names.chain([self.name.to_owned()]).collect();
        GradeColumn { at: self.at, header: self.name.to_owned(), names, max_points }
    }

    fn captures(&self, pattern: &'static LazyLock<Option<Regex>>) -> Option<[String; 3]> {
        let found = pattern.as_ref()?.captures(self.name)?;
        Some([1, 2, 3].map(|group| found.get(group).map_or("", |it| it.as_str()).to_owned()))
    }

    /// Returns the first number in a column.
    fn number_in(&self, column: usize) -> Option<Points> {
        let mut rows = 0..self.table.len();
        rows.find_map(|row| number(&self.table.cell(Cell { row, column })))
    }

    fn in_canvas(&self) -> Option<GradeColumn> {
        // The row may come after others about columns; read-only columns say so in it.
        let is_points = |row: &usize| {
            let first = self.table.cell(Cell { row: *row, column: 0 });
            first.trim().eq_ignore_ascii_case("points possible")
        };
        let row = (0..self.table.len()).find(is_points);
        let possible = row.map(|row| self.table.cell(Cell { row, column: self.at }));
        let possible = possible.unwrap_or_default();
        let is_assignment = !self.name.is_empty()
            && !OF_CANVAS.iter().any(|it| it.eq_ignore_ascii_case(self.name))
            && !possible.contains("read only");
        let [name, id, _] = self.captures(&CANVAS).unwrap_or_default();
        is_assignment.then(|| self.column(&[&name, &id], number(&possible)))
    }

    fn in_moodle(&self) -> Option<GradeColumn> {
        let [kind, name, shown] = self.captures(&MOODLE)?;
        let is_total = ["course total", "category total"].contains(&name.to_lowercase().as_str())
            || name.to_lowercase().ends_with(" total");
        let is_grade = shown.eq_ignore_ascii_case("real") || (shown.is_empty() && !kind.is_empty());
        let with_kind = if kind.is_empty() { String::new() } else { format!("{kind}: {name}") };
        (is_grade && !is_total).then(|| self.column(&[&name, &with_kind], None))
    }

    fn in_worksheet(&self) -> Option<GradeColumn> {
        let most = self.header.iter().position(|it| it.eq_ignore_ascii_case("maximum grade"));
        let max_points = most.and_then(|column| self.number_in(column));
        let column = GradeColumn { names: Vec::new(), ..self.column(&[], max_points) };
        self.name.eq_ignore_ascii_case("grade").then_some(column)
    }

    fn in_blackboard(&self) -> Option<GradeColumn> {
        let [name, points, id] = self.captures(&BLACKBOARD)?;
        Some(self.column(&[&name, &id], number(&points)))
    }

    fn in_gradescope(&self) -> Option<GradeColumn> {
        let most = |wanted: &str| self.header.iter().position(|name| name == wanted);
        if self.name.eq_ignore_ascii_case("total score") {
            let max_points = most("Max Points").and_then(|column| self.number_in(column));
            return Some(GradeColumn { names: Vec::new(), ..self.column(&[], max_points) });
        }
        let most = most(&format!("{}{MAX_POINTS}", self.name))?;
        Some(self.column(&[], self.number_in(most)))
    }
}

/// Parses a number of points.
pub(crate) fn number(text: &str) -> Option<Points> {
    text.trim().replace(',', ".").parse().ok().and_then(Points::parse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(file: RosterFormat, text: &str) -> Vec<String> {
        let table = Table::parse(text.as_bytes()).unwrap();
        let each = of(file, &table).into_iter();
        let each = each.map(|it| {
            let most = it.max_points.map_or_else(|| "?".to_owned(), |it| it.to_string());
            format!("{}={most}", it.names.join("|"))
        });
        each.collect()
    }

    #[test]
    fn a_line_break_in_a_header_is_a_space() {
        let text = "Student,ID,SIS User ID,SIS Login ID,Section,\"Lab\n 1 (4711)\"\n";
        let table = Table::parse(text.as_bytes()).unwrap();
        let column = of(RosterFormat::Canvas, &table).remove(0);
        for name in ["lab 1", "Lab 1 (4711)", "4711", "Lab\n1"] {
            assert!(column.is_called(name), "{name:?} {column:?}");
        }
        assert!(!column.is_called("lab1"));
    }

    #[test]
    fn each_platform_names_its_columns() {
        assert_eq!(
            columns(
                RosterFormat::Canvas,
                "Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711),New one,Labs Final Score\n\
                 ,,,,,Manual Posting,,\n    Points Possible,,,,,30.00,,(read only)\n"
            ),
            ["Lab 1|4711|Lab 1 (4711)=30.00", "New one=?"]
        );
        assert_eq!(
            columns(
                RosterFormat::Moodle,
                "First name,Last name,Email address,Assignment: Lab 1 (Real),Assignment: Lab 1 (Percentage),\
                 Assignment: Lab 1 (Feedback),Quiz: Lab: two,Course total (Real),Last downloaded from this course\n"
            ),
            [
                "Lab 1|Assignment: Lab 1|Assignment: Lab 1 (Real)=?",
                "Lab: two|Quiz: Lab: two|Quiz: Lab: two=?"
            ]
        );
        assert_eq!(
            columns(
                RosterFormat::MoodleWorksheet,
                "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\nParticipant 1,A,,30.00,-\n"
            ),
            ["=30.00"]
        );
        assert_eq!(
            columns(
                RosterFormat::Blackboard,
                "Last Name,First Name,Username,Weighted Total [Total Pts: up to 100 Percentage] |1,Lab 1 [Total Pts: 30 Score] |67890,Quiz 3 [Total Pts: 10] |664617\n"
            ),
            [
                "Weighted Total|1|Weighted Total [Total Pts: up to 100 Percentage] |1=100.00",
                "Lab 1|67890|Lab 1 [Total Pts: 30 Score] |67890=30.00",
                "Quiz 3|664617|Quiz 3 [Total Pts: 10] |664617=10.00"
            ]
        );
        assert_eq!(
            columns(
                RosterFormat::Gradescope,
                "First Name,Last Name,SID,Email,Lab 1,Lab 1 - Max Points,Lab 1 - Submission Time,Total Lateness (H:M:S)\nA,B,1,a@x,,30.0,,\n"
            ),
            ["Lab 1=30.00"]
        );
        assert_eq!(
            columns(
                RosterFormat::Gradescope,
                "Name,SID,Email,Total Score,Max Points,Status\nA,1,a@x,,30.0,Missing\n"
            ),
            ["=30.00"]
        );
    }
}
