//! Students, read from a CSV file.

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::roster::columns::{Columns, IdKind, Role, RosterFormat, UnknownColumns};
use crate::course::table::{Cell, Table, TableError};

/// Text between the names of groups, as Moodle writes it.
const SEPARATOR: &str = ", ";

/// Texts that Moodle writes in place of the name of a group.
const NO_GROUP: [&str; 3] = [
    "No groups",
    "Not a member of any group, so unable to make submissions.",
    "Member of more than one group, so unable to make submissions.",
];

/// Name of the student whom Canvas adds to each course, as it is written there.
const TEST_STUDENT: &str = "Student, Test";

/// Column with the ids of a plain file.
const CHOSEN: Role = Role::Identifier(IdKind::Chosen);

/// Text by which a student goes alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identifier {
    /// Kind.
    pub kind: IdKind,
    /// Text, as it is written.
    pub text: Untrusted,
}

/// Student of the course, or a row of a platform's export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Student {
    /// Id at the institution; of a file without such ids, the login, the e-mail address, the number on the platform or the
    /// name.
    pub id: Untrusted,
    /// Full name; may be empty.
    pub name: Untrusted,
    /// Ids, logins, e-mail addresses and numbers on the platform, with their kinds.
    pub identifiers: Vec<Identifier>,
    /// E-mail addresses.
    pub emails: Vec<Untrusted>,
    /// Names by which nobody else goes: ids, logins, names of submissions.
    pub aliases: Vec<Untrusted>,
    /// Numbers on the platform, which are the same in all assignments.
    pub numbers: Vec<Untrusted>,
    /// Number of the student in one assignment of Moodle.
    pub participant: Untrusted,
    /// Name of the group in which the student hands in; empty if there is none, or if the file names several.
    pub group: Untrusted,
    /// Names of all groups that the file names.
    pub groups: Vec<Untrusted>,
    /// Names of the student's submissions of one assignment.
    pub submissions: Vec<Untrusted>,
    /// Time of that submission, as it is written; may be empty.
    pub submitted: Untrusted,
    /// Number of the row in the file, from 0 on.
    pub row: usize,
    /// Number of the line in the file, from 1 on.
    pub line: usize,
}

impl Student {
    /// True if the student is in several groups, and nothing says in which one the student hands in.
    pub fn is_in_several_groups(&self) -> bool {
        self.group.is_empty() && self.groups.len() > 1
    }

    /// Returns the name of the group in which the student hands in; the names of all groups of the student if nothing says which
    /// one it is. It is empty if there is no group.
    pub fn group_names(&self) -> Untrusted {
        let names: Vec<&str> = self.hand_in_groups().iter().map(Untrusted::as_raw).collect();
        names.join(SEPARATOR).into()
    }

    /// Returns the group in which the student hands in; all groups of the student if nothing says which one it is.
    pub fn hand_in_groups(&self) -> &[Untrusted] {
        if self.is_in_several_groups() {
            return &self.groups;
        }
        if self.group.is_empty() { &[] } else { std::slice::from_ref(&self.group) }
    }
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
    /// A row of a plain file has no id.
    #[error("line {line}: {name} has no id, by which a roster tells students apart")]
    NoId {
        /// Number of the line.
        line: usize,
        /// Other text of the row about the student.
        name: Untrusted,
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
    /// Reads the students of a table. Rows of staff, and the rows of Canvas with the points and of its test student, are skipped.
    ///
    /// # Errors
    ///
    /// Fails if the columns are unknown, or nothing in a row says who it is; in a plain file, if a row has no id.
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
            if columns.format == RosterFormat::Plain && reader.one(CHOSEN).is_empty() {
                return Err(RosterError::NoId { line: student.line, name: student.id });
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

    /// False for rows of staff, and for those of Canvas that say something about columns or are of its test student.
    fn is_student(&self) -> bool {
        let is_staff =
            self.all(Role::Staff).iter().any(|role| !role.eq_ignore_ascii_case("student"));
        let of_canvas = self.columns.format == RosterFormat::Canvas;
        let is_empty = |kind| self.one(Role::Identifier(kind)).is_empty();
        let is_test = self.one(Role::Name) == TEST_STUDENT && is_empty(IdKind::Institution);
        !(is_staff || of_canvas && (is_test || is_empty(IdKind::CanvasNumber)))
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

    fn identifiers(&self) -> Vec<Identifier> {
        let cell = |column| self.table.cell(Cell { row: self.row, column }).trim().to_owned();
        let all = self.columns.identifiers().map(|(column, kind)| (kind, cell(column)));
        let all = all.filter(|(_, text)| !text.is_empty());
        all.map(|(kind, text)| Identifier { kind, text: text.into() }).collect()
    }

    /// Returns the names of all groups. Moodle writes a sentence for those who are in none.
    fn groups(&self) -> Vec<Untrusted> {
        let lists = self.all(Role::Groups);
        let listed = lists.iter().flat_map(|list| list.split(SEPARATOR)).map(str::to_owned);
        let mut names: Vec<String> = Vec::new();
        for name in self.all(Role::Group).into_iter().take(1).chain(listed) {
            let name = name.trim().to_owned();
            let is_known = names.iter().any(|it| it.to_lowercase() == name.to_lowercase());
            if !name.is_empty() && !is_known && !self.is_no_group(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(Untrusted::from).collect()
    }

    /// True if Moodle writes this for students who are in no group.
    fn is_no_group(&self, name: &str) -> bool {
        let formats = [RosterFormat::Moodle, RosterFormat::MoodleWorksheet];
        formats.contains(&self.columns.format)
            && NO_GROUP.iter().any(|it| name.eq_ignore_ascii_case(it))
    }

    fn student(&self) -> Student {
        let identifiers = self.identifiers();
        let of = |is_of: fn(IdKind) -> bool| -> Vec<Untrusted> {
            let all = identifiers.iter().filter(|it| is_of(it.kind));
            all.map(|it| it.text.clone()).collect()
        };
        let (ids, logins) = (of(IdKind::is_id), of(IdKind::is_login));
        let (emails, numbers) = (of(|kind| kind == IdKind::Email), of(IdKind::is_number));
        let untrusted = |all: Vec<String>| all.into_iter().map(Untrusted::from).collect();
        let submissions: Vec<Untrusted> = untrusted(self.all(Role::Submission));
        let name = Untrusted::from(self.name());
        let texts = [&ids, &logins, &emails, &numbers].map(Vec::as_slice).concat();
        let id = texts.into_iter().chain([name.clone()]).find(|text| !text.is_empty());
        let id = id.unwrap_or_default();
        let aliases = [ids, logins, submissions.clone()].concat();
        let participant = self.one(Role::Participant);
        let participant = participant.rsplit(' ').next().unwrap_or_default();
        let groups = self.groups();
        let group = if let [group] = groups.as_slice() { group.clone() } else { Untrusted::EMPTY };
        Student {
            id,
            name,
            identifiers,
            emails,
            aliases,
            numbers,
            participant: participant.into(),
            group,
            groups,
            submissions,
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
                 \"Okafor, Amara\",70311,00123,amara,S1,\n\"Student, Test\",9,,b71,S1,\n",
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
    fn moodle_lists_all_groups_of_a_student() {
        let moodle = |groups: &str| {
            let text = format!("First name,Last name,Email address,Groups\nA,B,a@x,\"{groups}\"\n");
            let student = read(&text).unwrap().remove(0);
            let each: Vec<String> = student.groups.iter().map(ToString::to_string).collect();
            format!("{}|{}|{}", student.group, each.join("|"), student.group_names())
        };
        assert_eq!(moodle("red"), "red|red|red");
        assert_eq!(moodle("red, tutorial 1"), "|red|tutorial 1|red, tutorial 1");
        assert_eq!(moodle("No groups"), "||");
        assert_eq!(moodle(""), "||");
        // One group, whose name may have a comma: the group of an assignment, and that of a plain file.
        for (header, cell) in [
            ("Identifier,Full name,Grade,Group", "Participant 7,A,,\"red, or blue\""),
            ("id,name,login,group", "7,A,,\"red, or blue\""),
        ] {
            let student = read(&format!("{header}\n{cell}\n")).unwrap().remove(0);
            assert_eq!(student.group, "red, or blue", "{header}");
        }
        let none = "Not a member of any group, so unable to make submissions.";
        let text = format!("Identifier,Full name,Grade,Group\nParticipant 7,A,,\"{none}\"\n");
        assert_eq!(read(&text).unwrap()[0].groups, Vec::<Untrusted>::new());
    }

    #[test]
    fn a_row_of_nobody_is_refused() {
        let refused = read("id,name\namara,\n,\n").unwrap_err().to_string();
        assert_eq!(refused, "line 3: nothing says which student this is");
        let refused = read("id,name\namara,\n,Bao Tran\n").unwrap_err().to_string();
        assert_eq!(refused, "line 3: Bao Tran has no id, by which a roster tells students apart");
    }
}
