//! The column of an assignment, filled.

use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::gradebook::cells::{self, Reserved};
use crate::course::gradebook::columns::{self, GradeColumn, GradebookFormat};
use crate::course::roster::{
    Ambiguous, Found, Namesake, Roster, RosterError, RosterFormat, Student, StudentIndex,
    StudentTable,
};
use crate::course::table::{Cell, Table, TableError};
use crate::model::Points;

/// Gradebook that a platform exported.
#[derive(Debug, Clone)]
pub struct Gradebook {
    table: Table,
    file: RosterFormat,
    /// Students, a row each.
    pub students: Vec<Student>,
    columns: Vec<GradeColumn>,
}

/// Gradebook that cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GradebookError {
    /// The file is no table of students.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The file is of another platform.
    #[error("it is no gradebook of {wanted}, but a file of {found}")]
    OtherPlatform {
        /// Platform that was asked for.
        wanted: GradebookFormat,
        /// Format of the file.
        found: RosterFormat,
    },
    /// No column belongs to the assignment.
    #[error(
        "it has no column {}; columns with grades: {}",
        quoted(wanted, " or "),
        listed(columns)
    )]
    NoColumn {
        /// Names that were looked for.
        wanted: Vec<String>,
        /// Columns with grades.
        columns: Vec<String>,
    },
    /// Several columns may belong to the assignment.
    #[error("several columns fit {}: {}", quoted(wanted, " or "), listed(columns))]
    SeveralColumns {
        /// Names that were looked for.
        wanted: Vec<String>,
        /// Columns that fit.
        columns: Vec<String>,
    },
    /// The column is worth another number of points than the assignment.
    #[error("the column `{column}` is worth {worth} points, and the assignment {available}")]
    OtherPoints {
        /// Name of the column.
        column: Untrusted,
        /// Points of the column.
        worth: Points,
        /// Points of the assignment.
        available: Points,
    },
    /// A row fits more than one student.
    #[error("line {line}: {source}")]
    Ambiguous {
        /// Number of the line.
        line: usize,
        /// Students.
        source: Ambiguous,
    },
    /// Two rows fit the same student.
    #[error("lines {first} and {second} are both of `{student}`")]
    SeveralRows {
        /// Number of the first line.
        first: usize,
        /// Number of the second line.
        second: usize,
        /// Id of the student.
        student: Untrusted,
    },
    /// A row lacks the cell.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Gradebook with a filled column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Column that was filled.
    pub column: String,
    /// Number of cells that were written.
    pub written: usize,
    /// Number of cells that had these points already.
    pub same: usize,
    /// Rows that were left as they were.
    pub skipped: Vec<Skipped>,
    /// Students with points who have no row.
    pub without_row: Vec<StudentIndex>,
}

/// Row that was left as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Number of the line.
    pub line: usize,
    /// Student, as the gradebook names it.
    pub student: Untrusted,
    /// Reason.
    pub why: SkippedWhy,
}

/// Reason why a row was left as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkippedWhy {
    /// The student is not in the roster.
    NotInRoster,
    /// A student of the roster has the same name, and is somebody else by id, login or e-mail address.
    Namesake(Namesake),
    /// The student has no points yet.
    NoPoints(StudentIndex),
    /// The platform does not take a grade back.
    Locked,
    /// The cell has words in place of a grade, such as `EX` for excused.
    Reserved(Reserved),
}

/// Returns names in backticks, with a word between them.
fn quoted(names: &[String], between: &str) -> String {
    let each = names.iter().map(|name| format!("`{}`", name.escape_debug()));
    each.collect::<Vec<_>>().join(between)
}

fn listed(columns: &[String]) -> String {
    if columns.is_empty() { "none".to_owned() } else { quoted(columns, ", ") }
}

impl Gradebook {
    /// Reads the gradebook of a platform.
    ///
    /// # Errors
    ///
    /// Fails if the file is no table, or of another platform.
    pub fn read(bytes: &[u8], platform: GradebookFormat) -> Result<Self, GradebookError> {
        let table = Table::parse(bytes)?;
        let StudentTable { format: file, students } = StudentTable::read(&table)?;
        if !platform.fits(file) {
            return Err(GradebookError::OtherPlatform { wanted: platform, found: file });
        }
        let columns = columns::of(file, &table);
        Ok(Self { table, file, students, columns })
    }

    /// Returns the column with one of these names or numbers.
    ///
    /// # Errors
    ///
    /// Fails if there is none, or several; the error lists the columns.
    pub fn column(&self, wanted: &[String]) -> Result<&GradeColumn, GradebookError> {
        let is_wanted = |column: &&GradeColumn| wanted.iter().any(|name| column.is_called(name));
        let found: Vec<&GradeColumn> = self.columns.iter().filter(is_wanted).collect();
        let names = |columns: &[&GradeColumn]| columns.iter().map(|it| it.header.clone()).collect();
        let wanted = wanted.to_vec();
        match found.as_slice() {
            [one] => Ok(one),
            [] => {
                let columns = names(&self.columns.iter().collect::<Vec<_>>());
                Err(GradebookError::NoColumn { wanted, columns })
            }
            several => Err(GradebookError::SeveralColumns { wanted, columns: names(several) }),
        }
    }

    /// Fills a column with the points of students of a roster. Rows of students without points stay as they are, and so do
    /// cells with words in place of a grade. A column that is worth another number of points than the assignment is refused,
    /// unless points are scaled, and rounded half up to hundredths.
    ///
    /// # Errors
    ///
    /// Fails if the column is worth another number of points, a row fits more than one student, or two rows fit the same one.
    pub fn fill(
        &self,
        column: &GradeColumn,
        roster: &Roster,
        marks: &BTreeMap<StudentIndex, Points>,
        scale: Scale,
    ) -> Result<Filled, GradebookError> {
        column.check_points(scale)?;
        let (mut texts, mut same, mut skipped) = (BTreeMap::new(), 0, Vec::new());
        let mut without_row = marks.clone();
        let mut lines: BTreeMap<StudentIndex, usize> = BTreeMap::new();
        let kinds = roster.same_kinds(&self.students);
        for row in &self.students {
            let line = row.line;
            let ambiguous = |source| GradebookError::Ambiguous { line, source };
            let mut skip = |why| skipped.push(Skipped { line, student: name_of(row), why });
            let student = match roster.find(row, &kinds).map_err(ambiguous)? {
                Found::Student(student) => student,
                Found::Namesake(namesake) => {
                    skip(SkippedWhy::Namesake(namesake));
                    continue;
                }
                Found::Nobody => {
                    skip(SkippedWhy::NotInRoster);
                    continue;
                }
            };
            if let Some(first) = lines.insert(student, line) {
                let found = roster.students().get(student);
                let student = found.map(|it| it.id.clone()).unwrap_or_default();
                return Err(GradebookError::SeveralRows { first, second: line, student });
            }
            without_row.remove(&student);
            let Some(points) = marks.get(&student) else {
                skip(SkippedWhy::NoPoints(student));
                continue;
            };
            let points = scale.apply(*points, column.max_points);
            let cell = Cell { row: row.row, column: column.at };
            let text = self.table.cell(cell);
            if columns::number(&text) == Some(points) {
                same += 1;
            } else if self.is_locked(row.row) {
                skip(SkippedWhy::Locked);
            } else if let Some(reserved) = cells::reserved(self.file, &text) {
                skip(SkippedWhy::Reserved(reserved));
            } else {
                texts.insert(cell, points.to_string());
            }
        }
        let bytes = self.table.with_cells(&texts)?;
        let without_row = without_row.into_keys().collect();
        let column = column.header.clone();
        Ok(Filled { bytes, column, written: texts.len(), same, skipped, without_row })
    }

    /// True if Moodle says that the grade of a row cannot be changed.
    fn is_locked(&self, row: usize) -> bool {
        let header = self.table.header();
        let column = header.iter().position(|it| it.eq_ignore_ascii_case("grade can be changed"));
        let is_no = |column| self.table.cell(Cell { row, column }).eq_ignore_ascii_case("no");
        self.file == RosterFormat::MoodleWorksheet && column.is_some_and(is_no)
    }
}

/// Treatment of a column that is worth another number of points than the assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// The column is refused.
    Refuse {
        /// Points of the assignment.
        available: Points,
    },
    /// Points are scaled.
    Scale {
        /// Points of the assignment.
        available: Points,
    },
}

impl GradeColumn {
    /// Checks that the column is worth as many points as the assignment, or that points are scaled.
    ///
    /// # Errors
    ///
    /// Fails if it is worth another number of points and none are scaled.
    pub fn check_points(&self, scale: Scale) -> Result<(), GradebookError> {
        match (self.max_points, scale) {
            (Some(worth), Scale::Refuse { available }) if worth != available => {
                let column = self.header.as_str().into();
                Err(GradebookError::OtherPoints { column, worth, available })
            }
            _ => Ok(()),
        }
    }
}

impl Scale {
    /// Returns the points for a column that is worth `worth`, rounded half up to hundredths.
    fn apply(self, points: Points, worth: Option<Points>) -> Points {
        let (Self::Scale { available }, Some(worth)) = (self, worth) else { return points };
        let available = u64::from(available.hundredths());
        if available == 0 {
            return points;
        }
        let exact = u64::from(points.hundredths()) * u64::from(worth.hundredths());
        let rounded = (exact * 2 + available) / (available * 2);
        Points::from_hundredths(u32::try_from(rounded).unwrap_or(u32::MAX))
    }
}

/// Returns the name of a student for a person: the full name, or else the id.
fn name_of(student: &Student) -> Untrusted {
    if student.name.is_empty() { student.id.clone() } else { student.name.clone() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Lab 1 (4711),Lab 2 (4712)\r\n\
        \"    Points Possible\",,,,,,30.00,10\r\n\
        \"Okafor, Amara\",70311,00123,amara,S1,\"=HYPERLINK(\"\"x\"\")\",,7\r\n\
        \"Tran, Bao\",70312,124,bao,\"S1, S2\",,12.5,8\r\n\
        \"Ito, Uma\",9,,uma,S1,,,\r\n\
        \"Student, Test\",9,,test,S1,,,\r\n";

    fn points(all: &[(StudentIndex, u32)]) -> BTreeMap<StudentIndex, Points> {
        all.iter().map(|(at, it)| (*at, Points::from_hundredths(*it))).collect()
    }

    fn roster(text: &str) -> Roster {
        let table = Table::parse(text.as_bytes()).unwrap();
        Roster::new(StudentTable::read(&table).unwrap().students).unwrap()
    }

    const REFUSE: Scale = Scale::Refuse { available: Points::from_hundredths(3_000) };

    #[test]
    fn canvas_gets_its_file_back_with_one_column_filled() {
        let book = Gradebook::read(CANVAS.as_bytes(), GradebookFormat::Canvas).unwrap();
        let roster = roster("id,name\n123,Amara Okafor\n124,Bao Tran\n125,Chiara Rossi\n");
        let column = book.column(&["lab".to_owned(), "4711".to_owned()]).unwrap();
        let marks = points(&[(0, 2_850), (1, 1_250), (2, 100)]);
        let filled = book.fill(column, &roster, &marks, REFUSE).unwrap();
        let expected =
            CANVAS.replace("\"=HYPERLINK(\"\"x\"\")\",,7", "\"=HYPERLINK(\"\"x\"\")\",28.50,7");
        assert_eq!(String::from_utf8(filled.bytes).unwrap(), expected);
        assert_eq!((filled.written, filled.same, filled.without_row), (1, 1, vec![2]));
        assert_eq!(filled.skipped.len(), 1);
        assert_eq!(
            filled.skipped[0].student, "Uma Ito",
            "the test student of Canvas is nobody's loss"
        );
    }

    #[test]
    fn columns_that_do_not_match_are_refused_and_listed() {
        let book = Gradebook::read(CANVAS.as_bytes(), GradebookFormat::Canvas).unwrap();
        let refused = book.column(&["Lab 3".to_owned()]).unwrap_err().to_string();
        assert_eq!(
            refused,
            "it has no column `Lab 3`; columns with grades: `Lab 1 (4711)`, `Lab 2 (4712)`"
        );
        let twice = CANVAS.replace("Lab 2 (", "Lab 1 (");
        let twice = Gradebook::read(twice.as_bytes(), GradebookFormat::Canvas).unwrap();
        let refused = twice.column(&["Lab 1".to_owned()]).unwrap_err().to_string();
        assert_eq!(refused, "several columns fit `Lab 1`: `Lab 1 (4711)`, `Lab 1 (4712)`");
        let other = Gradebook::read(CANVAS.as_bytes(), GradebookFormat::Moodle).unwrap_err();
        assert_eq!(other.to_string(), "it is no gradebook of Moodle, but a file of Canvas");
        let column = book.column(&["Lab 2".to_owned()]).unwrap();
        let roster = roster("id\n123\n");
        let refused = book.fill(column, &roster, &points(&[(0, 3_000)]), REFUSE).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the column `Lab 2 (4712)` is worth 10.00 points, and the assignment 30.00"
        );
        let scale = Scale::Scale { available: Points::from_hundredths(3_000) };
        let scaled = book.fill(column, &roster, &points(&[(0, 2_850)]), scale).unwrap();
        assert!(String::from_utf8(scaled.bytes).unwrap().contains(",,9.50\r\n"));
    }

    #[test]
    fn each_platform_gets_its_file_back() {
        for (platform, text, column, expected) in [
            (
                GradebookFormat::Moodle,
                "First name,Last name,ID number,Email address,Assignment: Lab 1 (Real),Course total (Real)\nAmara,Okafor,123,a@x.org,-,-\n",
                "Lab 1",
                "Amara,Okafor,123,a@x.org,28.50,-\n",
            ),
            (
                GradebookFormat::Moodle,
                "Identifier,Full name,Email address,Grade,Maximum Grade,Grade can be changed\nParticipant 5,Amara Okafor,a@x.org,,30.00,Yes\nParticipant 6,Bao Tran,b@x.org,,30.00,No\n",
                "whatever",
                "Participant 5,Amara Okafor,a@x.org,28.50,30.00,Yes\nParticipant 6,Bao Tran,b@x.org,,30.00,No\n",
            ),
            (
                GradebookFormat::Blackboard,
                "\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Student ID\"\t\"Lab 1 [Total Pts: 30 Score] |67890\"\n\"Okafor\"\t\"Amara\"\t\"ao\"\t\"123\"\t\"\"\n",
                "67890",
                "\"Okafor\"\t\"Amara\"\t\"ao\"\t\"123\"\t\"28.50\"\n",
            ),
            (
                GradebookFormat::Gradescope,
                "First Name,Last Name,SID,Email,Lab 1,Lab 1 - Max Points\nAmara,Okafor,123,a@x.org,,30.0\n",
                "Lab 1",
                "Amara,Okafor,123,a@x.org,28.50,30.0\n",
            ),
        ] {
            let book = Gradebook::read(text.as_bytes(), platform).unwrap();
            let column = book.column(&[column.to_owned()]).unwrap();
            let roster = roster("id,name\n123,Amara Okafor\n124,Bao Tran\n");
            let marks = points(&[(0, 2_850), (1, 2_850)]);
            let filled = book.fill(column, &roster, &marks, REFUSE).unwrap();
            let head = text.split_inclusive('\n').next().unwrap();
            assert_eq!(String::from_utf8(filled.bytes).unwrap(), format!("{head}{expected}"));
        }
    }

    fn filled(text: &str, platform: GradebookFormat, roster_text: &str) -> Filled {
        let book = Gradebook::read(text.as_bytes(), platform).unwrap();
        let column = book.column(&["Lab".to_owned()]).unwrap();
        let roster = roster(roster_text);
        let each = 0..roster.students().len();
        book.fill(column, &roster, &points(&each.map(|at| (at, 2_850)).collect::<Vec<_>>()), REFUSE)
            .unwrap()
    }

    #[test]
    fn a_namesake_gets_no_mark_of_somebody_else() {
        let header = "Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\n";
        let text = format!("{header}\"Tran, Bao\",70399,555,bao2@x,S2,\n");
        let roster = "id,name,email\n124,Bao Tran,bao1@x\n";
        let left = filled(&text, GradebookFormat::Canvas, roster);
        assert_eq!(String::from_utf8(left.bytes).unwrap(), text);
        assert_eq!(left.without_row, [0]);
        let [Skipped { line: 2, why: SkippedWhy::Namesake(namesake), .. }] =
            left.skipped.as_slice()
        else {
            panic!("{:?}", left.skipped);
        };
        assert_eq!(namesake.student, 0);
        assert_eq!(namesake.difference.of_other.text, "555");
        // Of two with one name each gets the own mark.
        let both = format!("{text}\"Tran, Bao\",70312,124,bao1@x,S1,\n");
        let both = String::from_utf8(filled(&both, GradebookFormat::Canvas, roster).bytes).unwrap();
        assert!(both.ends_with("bao2@x,S2,\n\"Tran, Bao\",70312,124,bao1@x,S1,28.50\n"), "{both}");
    }

    #[test]
    fn a_name_is_enough_where_ids_are_of_other_kinds() {
        for (platform, text, roster) in [
            (
                GradebookFormat::Canvas,
                "Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\n\"Tran, Bao\",70399,,,S2,\n",
                "id,name,email\n124,Bao Tran,bao1@x\n",
            ),
            (
                GradebookFormat::Canvas,
                "Student,ID,SIS User ID,SIS Login ID,Section,Lab (1)\n\"Tran, Bao\",70399,555,btran,S2,\n",
                "id,name,login\nbao,Bao Tran,bao-dev\n",
            ),
            (
                GradebookFormat::Blackboard,
                "Last Name,First Name,Username,Student ID,Lab [Total Pts: 30 Score] |1\nTran,Bao,btran,,\n",
                "First name,Last name,ID number,Email address\nBao,Tran,124,bao1@x\n",
            ),
            (
                GradebookFormat::Moodle,
                "First name,Last name,Email address,Assignment: Lab (Real)\nBao,Tran,bao1@x,\n",
                "Student,ID,SIS User ID,SIS Login ID,Section\n\"Tran, Bao\",70399,124,bao@sso.x,S\n",
            ),
        ] {
            let filled = filled(text, platform, roster);
            assert_eq!((filled.written, filled.skipped), (1, Vec::new()), "{text}{roster}");
        }
    }

    #[test]
    fn a_grade_in_words_is_not_replaced() {
        let canvas = |cell: &str| {
            format!("Student,ID,SIS User ID,Section,Lab (1)\n\"Tran, Bao\",70312,124,S,{cell}\n")
        };
        let blackboard = |cell: &str| {
            let header = "Last Name,First Name,Username,Student ID,Lab [Total Pts: 30 Score] |1";
            format!("{header}\nTran,Bao,bt,124,{cell}\n")
        };
        let moodle = |cell: &str| {
            format!(
                "First name,Last name,ID number,Email address,Assignment: Lab (Real)\nB,T,124,,{cell}\n"
            )
        };
        let written = |text: &str, platform| {
            let filled = filled(text, platform, "id,name\n124,Bao Tran\n");
            let is_same = filled.bytes == text.as_bytes();
            assert_eq!(is_same, !filled.skipped.is_empty(), "{text}");
            filled.written
        };
        for cell in ["EX", "ex ", "\"EX\"", "N/A", "A-"] {
            assert_eq!(written(&canvas(cell), GradebookFormat::Canvas), 0, "{cell}");
        }
        for cell in ["", "12.5", "\"12,5\"", "\"1,000.00\"", "-", "95%"] {
            assert_eq!(written(&canvas(cell), GradebookFormat::Canvas), 1, "{cell}");
        }
        assert_eq!(written(&blackboard("Exempt"), GradebookFormat::Blackboard), 0);
        for cell in ["Needs Grading", "In Progress", "In Progress(12.00)", ""] {
            assert_eq!(written(&blackboard(cell), GradebookFormat::Blackboard), 1, "{cell}");
        }
        assert_eq!(written(&moodle("Excluded"), GradebookFormat::Moodle), 0);
        assert_eq!(written(&moodle("-"), GradebookFormat::Moodle), 1);
    }

    /// The gradebook does not tell which of two is the one in the roster.
    #[test]
    fn two_rows_of_one_student_are_refused() {
        let text =
            "Student,ID,SIS User ID,Section,Lab (1)\n\"Tran, Bao\",1,124,,\n\"Tran, Bao\",2,,,\n";
        let book = Gradebook::read(text.as_bytes(), GradebookFormat::Canvas).unwrap();
        let column = book.column(&["Lab".to_owned()]).unwrap();
        let roster = roster("id,name\n124,Bao Tran\n");
        let refused = book.fill(column, &roster, &points(&[(0, 1_300)]), REFUSE).unwrap_err();
        assert_eq!(refused.to_string(), "lines 2 and 3 are both of `124`");
    }

    proptest! {
        #[test]
        fn no_other_cell_changes(
            cells in prop::collection::vec(("[a-z\",\n=]{1,5}", "[a-z\",=]{0,5}", 0_u32..3_000), 1..8),
        ) {
            let mut writer = ::csv::Writer::from_writer(Vec::new());
            let head = ["Student", "ID", "SIS User ID", "Section", "Lab (1)", "Other (2)"];
            writer.write_record(head).unwrap();
            for (at, (name, other, _)) in cells.iter().enumerate() {
                let id = format!("s{at}");
                let row = [name.as_str(), &id, &id, "", "", other];
                writer.write_record(row).unwrap();
            }
            let before = writer.into_inner().unwrap();
            let book = Gradebook::read(&before, GradebookFormat::Canvas).unwrap();
            let roster = Roster::new(book.students.clone()).unwrap();
            let marks: BTreeMap<usize, Points> =
                cells.iter().enumerate().map(|(at, it)| (at, Points::from_hundredths(it.2))).collect();
            let column = book.column(&["1".to_owned()]).unwrap();
            let filled = book.fill(column, &roster, &marks, REFUSE).unwrap();
            let read = |bytes: &[u8]| -> Vec<Vec<String>> {
                let mut reader = ::csv::ReaderBuilder::new().has_headers(false).from_reader(bytes);
                reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
            };
            let mut expected = read(&before);
            for (row, (_, _, points)) in expected.iter_mut().skip(1).zip(&cells) {
                row[4] = Points::from_hundredths(*points).to_string();
            }
            prop_assert_eq!(read(&filled.bytes), expected);
        }
    }
}
