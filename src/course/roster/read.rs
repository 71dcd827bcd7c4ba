//! Students, read from a CSV file.

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::roster::columns::{Columns, Role, RosterFormat, UnknownColumns};
use crate::course::table::{Cell, Table, TableError};

/// Student of the course, or a row of a platform's export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Student {
    /// Id at the institution; of a file without such ids, the login, the e-mail address, the number on the platform or the
    /// name.
    pub id: Untrusted,
    /// Full name; may be empty.
    pub name: Untrusted,
    /// E-mail addresses.
    pub emails: Vec<Untrusted>,
    /// Names by which nobody else goes: ids, logins, names of submissions.
    pub aliases: Vec<Untrusted>,
    /// Numbers on the platform, which are the same in all assignments.
    pub numbers: Vec<Untrusted>,
    /// Number of the student in one assignment of Moodle.
    pub participant: Untrusted,
    /// Name of the group; empty if there is none.
    pub group: Untrusted,
    /// Names of the student's submissions of one assignment.
    pub submissions: Vec<Untrusted>,
    /// Time of that submission, as it is written; may be empty.
    pub submitted: Untrusted,
    /// Number of the row in the file, from 0 on.
    pub row: usize,
    /// Number of the line in the file, from 1 on.
    pub line: usize,
}

/// File with students that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RosterError {
    /// The file is no table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The columns are unknown.
    #[error(transparent)]
    Columns(#[from] UnknownColumns),
    /// Nothing in a row says who it is.
    #[error("line {line}: nothing says which student this is")]
    Nobody {
        /// Number of the line.
        line: usize,
    },
    /// Two rows have the same id.
    #[error("lines {first} and {second}: two students have the id `{id}`")]
    Twice {
        /// Id.
        id: Untrusted,
        /// Number of the first line.
        first: usize,
        /// Number of the second line.
        second: usize,
    },
}

/// Students of a file, and its format.
#[derive(Debug, Clone)]
pub struct StudentTable {
    /// Format of the file.
    pub format: RosterFormat,
    /// Students in the order of the file.
    pub students: Vec<Student>,
}

impl StudentTable {
    /// Reads the students of a table. Rows of staff and the row with the points of Canvas are skipped.
    ///
    /// # Errors
    ///
    /// Fails if the columns are unknown, or nothing in a row says who it is.
    pub fn read(table: &Table) -> Result<Self, RosterError> {
        let columns = Columns::of(&table.header())?;
        let mut students = Vec::new();
        for row in 0..table.len() {
            let reader = RowReader { table, columns: &columns, row };
            if !reader.is_student() {
                continue;
            }
            let student = reader.student();
            if student.id.is_empty() {
                return Err(RosterError::Nobody { line: student.line });
            }
            students.push(student);
        }
        Ok(Self { format: columns.format, students })
    }
}

/// Row of a file and the meanings of its columns.
struct RowReader<'a> {
    table: &'a Table,
    columns: &'a Columns,
    row: usize,
}

impl RowReader<'_> {
    /// Returns the texts in the columns with this meaning that are not empty.
    fn all(&self, role: Role) -> Vec<String> {
        let cell = |column| self.table.cell(Cell { row: self.row, column }).trim().to_owned();
        let texts = self.columns.with(role).map(cell);
        texts.filter(|text| !text.is_empty()).collect()
    }

    fn one(&self, role: Role) -> String {
        self.all(role).into_iter().next().unwrap_or_default()
    }

    /// False for rows of staff, and for those of Canvas that say something about columns.
    fn is_student(&self) -> bool {
        let is_staff =
            self.all(Role::Staff).iter().any(|role| !role.eq_ignore_ascii_case("student"));
        let of_canvas = self.columns.format == RosterFormat::Canvas;
        !(is_staff || of_canvas && self.one(Role::Number).is_empty())
    }

    fn name(&self) -> String {
        let whole = self.one(Role::Name);
        if !whole.is_empty() {
            // Canvas writes the last name first.
            return match whole.split_once(',') {
                Some((last, first)) => format!("{} {}", first.trim(), last.trim()),
                None => whole,
            };
        }
        format!("{} {}", self.one(Role::FirstName), self.one(Role::LastName)).trim().to_owned()
    }

    fn student(&self) -> Student {
        let [ids, logins, numbers] = [Role::Id, Role::Login, Role::Number].map(|it| self.all(it));
        let (emails, submissions) = (self.all(Role::Email), self.all(Role::Submission));
        let name = self.name();
        let each = [&ids, &logins, &emails, &numbers].into_iter().flatten().chain([&name]);
        let id = each.into_iter().find(|text| !text.is_empty()).cloned().unwrap_or_default();
        let aliases = [ids, logins, submissions.clone()].concat();
        let participant = self.one(Role::Participant);
        let participant = participant.rsplit(' ').next().unwrap_or_default();
        let untrusted = |all: Vec<String>| all.into_iter().map(Untrusted::from).collect();
        Student {
            id: id.into(),
            name: name.into(),
            emails: untrusted(emails),
            aliases: untrusted(aliases),
            numbers: untrusted(numbers),
            participant: participant.into(),
            group: self.one(Role::Group).into(),
            submissions: untrusted(submissions),
            submitted: self.one(Role::Submitted).into(),
            row: self.row,
            line: self.table.line(self.row),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Student>, RosterError> {
        Table::parse(text.as_bytes())
            .map_err(RosterError::from)
            .and_then(|table| StudentTable::read(&table))
            .map(|it| it.students)
    }

    fn shown(student: &Student) -> String {
        let list =
            |all: &[Untrusted]| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let Student { id, name, group, emails, aliases, .. } = student;
        format!("{id}|{name}|{}|{}|{group}", list(emails), list(aliases))
    }

    #[test]
    fn each_platform_is_read() {
        for (text, expected) in [
            (
                "Student,ID,SIS User ID,SIS Login ID,Section,Lab (9)\n,,,,,Manual Posting\n    Points Possible,,,,,30.00\n\
                 \"Okafor, Amara\",70311,00123,amara,S1,\n",
                vec!["00123|Amara Okafor||00123 amara|"],
            ),
            (
                "Identifier,Full name,Email address,Status,Grade\nParticipant 1234567,Amara Okafor,a@x.org,Submitted,-\n",
                vec!["a@x.org|Amara Okafor|a@x.org||"],
            ),
            (
                "First name,Surname,ID number,Email address\nAmara,Okafor,7,a@x.org\n",
                vec!["7|Amara Okafor|a@x.org|7|"],
            ),
            (
                "Last Name\tFirst Name\tUsername\tStudent ID\nOkafor\tAmara\tao1\t123\n",
                vec!["123|Amara Okafor||123 ao1|"],
            ),
            (
                "identifier,github_username,github_id,name\namara@x.org,ao-dev,99,\"\"\n",
                vec!["amara@x.org|||amara@x.org ao-dev|"],
            ),
            (
                "First Name,Last Name,Email,Role,SID\nAmara,Okafor,a@x.org,Student,7\nGrace,Hopper,g@x.org,Instructor,\n",
                vec!["7|Amara Okafor|a@x.org|7|"],
            ),
            ("id,name,email,group\namara,Amara,,team-1\n", vec!["amara|Amara||amara|team-1"]),
        ] {
            let students = read(text).unwrap();
            assert_eq!(students.iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    #[test]
    fn a_row_of_nobody_is_refused() {
        let refused = read("id,name\namara,\n,\n").unwrap_err().to_string();
        assert_eq!(refused, "line 3: nothing says which student this is");
    }
}
