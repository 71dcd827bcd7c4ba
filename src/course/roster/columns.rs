//! Columns of the CSV files that platforms export, by which a file is recognised.

use std::fmt;

use thiserror::Error;

/// Meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// Text by which nobody else goes.
    Identifier(IdKind),
    /// Full name.
    Name,
    FirstName,
    LastName,
    /// Number of the student in one assignment, as Moodle has it: `Participant 1234567`.
    Participant,
    /// Name of the student's group.
    Group,
    /// Names of all groups of the student, with `, ` between them.
    Groups,
    /// Name of the student's submission of one assignment.
    Submission,
    /// Time of that submission.
    Submitted,
    /// Role in the course; rows of staff are skipped.
    Staff,
}

/// Kind of a text by which a student goes alone. Two different texts of the same kind are of two people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum IdKind {
    /// Id at the institution.
    Institution,
    /// Id of another system at the institution, which Canvas calls integration id.
    Integration,
    /// Id in a plain file or in GitHub Classroom's roster: one of the institution, an e-mail address, or one that the
    /// instructor has made up.
    Chosen,
    /// Login at the institution.
    Login,
    /// Login on GitHub.
    GitHubLogin,
    /// Login in a plain file, at the institution or elsewhere.
    ChosenLogin,
    /// E-mail address.
    Email,
    /// Number on Canvas.
    CanvasNumber,
    /// Number on GitHub.
    GitHubNumber,
}

impl IdKind {
    /// True for ids.
    pub(crate) fn is_id(self) -> bool {
        matches!(self, Self::Institution | Self::Integration | Self::Chosen)
    }

    /// True for logins.
    pub(crate) fn is_login(self) -> bool {
        matches!(self, Self::Login | Self::GitHubLogin | Self::ChosenLogin)
    }

    /// True for numbers on a platform, which are the same in all assignments.
    pub(crate) fn is_number(self) -> bool {
        matches!(self, Self::CanvasNumber | Self::GitHubNumber)
    }
}

impl fmt::Display for IdKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Institution | Self::Chosen => "id",
            Self::Integration => "integration id",
            Self::Login | Self::ChosenLogin => "login",
            Self::GitHubLogin => "login on GitHub",
            Self::Email => "e-mail address",
            Self::CanvasNumber => "number on Canvas",
            Self::GitHubNumber => "number on GitHub",
        })
    }
}

/// Format of a file with students.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RosterFormat {
    /// Gradebook of Canvas.
    Canvas,
    /// Grading worksheet of an assignment in Moodle.
    MoodleWorksheet,
    /// Gradebook or list of participants of Moodle.
    Moodle,
    /// Grade center of Blackboard.
    Blackboard,
    /// Roster of GitHub Classroom.
    GitHubRoster,
    /// Grades of an assignment in GitHub Classroom.
    GitHubGrades,
    /// Roster or grades of Gradescope.
    Gradescope,
    /// Plain file: `id,name,email,group`, and perhaps `login`, `submission` and `submitted`.
    Plain,
}

/// Description of a format: name, columns that it must have, and meanings of columns.
struct Description {
    format: RosterFormat,
    name: &'static str,
    /// Columns by which it is recognised.
    required: &'static [&'static str],
    roles: &'static [(&'static str, Role)],
}

/// All formats; the first whose columns a file has is meant.
const FORMATS: [Description; 8] = [
    Description {
        format: RosterFormat::Canvas,
        name: "Canvas",
        required: &["Student", "ID", "Section"],
        roles: &[
            ("Student", Role::Name),
            ("ID", Role::Identifier(IdKind::CanvasNumber)),
            ("SIS User ID", Role::Identifier(IdKind::Institution)),
            ("SIS Login ID", Role::Identifier(IdKind::Login)),
            ("Integration ID", Role::Identifier(IdKind::Integration)),
        ],
    },
    Description {
        format: RosterFormat::MoodleWorksheet,
        name: "Moodle's grading worksheet",
        required: &["Identifier", "Full name", "Grade"],
        roles: &[
            ("Identifier", Role::Participant),
            ("Full name", Role::Name),
            ("ID number", Role::Identifier(IdKind::Institution)),
            ("Username", Role::Identifier(IdKind::Login)),
            ("Email address", Role::Identifier(IdKind::Email)),
            ("Group", Role::Group),
            ("Groups", Role::Groups),
            ("Last modified (submission)", Role::Submitted),
        ],
    },
    Description {
        format: RosterFormat::Moodle,
        name: "Moodle",
        required: &["First name", "Email address"],
        roles: &[
            ("First name", Role::FirstName),
            ("Last name", Role::LastName),
            ("Surname", Role::LastName),
            ("ID number", Role::Identifier(IdKind::Institution)),
            ("Username", Role::Identifier(IdKind::Login)),
            ("Email address", Role::Identifier(IdKind::Email)),
            ("Groups", Role::Groups),
            ("Group", Role::Group),
        ],
    },
    Description {
        format: RosterFormat::Blackboard,
        name: "Blackboard",
        required: &["Last Name", "First Name", "Username"],
        roles: &[
            ("Last Name", Role::LastName),
            ("First Name", Role::FirstName),
            ("Username", Role::Identifier(IdKind::Login)),
            ("Student ID", Role::Identifier(IdKind::Institution)),
        ],
    },
    Description {
        format: RosterFormat::GitHubRoster,
        name: "GitHub Classroom's roster",
        required: &["identifier", "github_username"],
        roles: &[
            ("identifier", Role::Identifier(IdKind::Chosen)),
            ("github_username", Role::Identifier(IdKind::GitHubLogin)),
            ("github_id", Role::Identifier(IdKind::GitHubNumber)),
            ("name", Role::Name),
            ("group", Role::Group),
            ("email", Role::Identifier(IdKind::Email)),
        ],
    },
    Description {
        format: RosterFormat::GitHubGrades,
        name: "GitHub Classroom's grades",
        required: &["github_username", "roster_identifier", "student_repository_name"],
        roles: &[
            ("roster_identifier", Role::Identifier(IdKind::Chosen)),
            ("github_username", Role::Identifier(IdKind::GitHubLogin)),
            ("student_repository_name", Role::Submission),
            ("submission_timestamp", Role::Submitted),
            ("group_name", Role::Group),
        ],
    },
    Description {
        format: RosterFormat::Gradescope,
        name: "Gradescope",
        required: &["SID", "Email"],
        roles: &[
            ("SID", Role::Identifier(IdKind::Institution)),
            ("Email", Role::Identifier(IdKind::Email)),
            ("Name", Role::Name),
            ("Full Name", Role::Name),
            ("First Name", Role::FirstName),
            ("Last Name", Role::LastName),
            ("Role", Role::Staff),
            ("Submission ID", Role::Submission),
            ("Submission Time", Role::Submitted),
        ],
    },
    Description {
        format: RosterFormat::Plain,
        name: "a plain file",
        required: &["id"],
        roles: &[
            ("id", Role::Identifier(IdKind::Chosen)),
            ("name", Role::Name),
            ("email", Role::Identifier(IdKind::Email)),
            ("group", Role::Group),
            ("login", Role::Identifier(IdKind::ChosenLogin)),
            ("github", Role::Identifier(IdKind::GitHubLogin)),
            ("github_username", Role::Identifier(IdKind::GitHubLogin)),
            ("submission", Role::Submission),
            ("submitted", Role::Submitted),
        ],
    },
];

/// Header of a file that has the columns of no format.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the columns are those of no known export: {}; known are {}", .columns.join(", "), known())]
pub struct UnknownColumns {
    /// Names of the columns, escaped.
    pub columns: Vec<String>,
}

/// Returns the formats with the columns by which they are recognised.
fn known() -> String {
    let each = FORMATS.iter().map(|it| format!("{} ({})", it.name, it.required.join(", ")));
    each.collect::<Vec<_>>().join(", ")
}

impl fmt::Display for RosterFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = FORMATS.iter().find(|it| it.format == *self);
        f.write_str(found.map_or("", |it| it.name))
    }
}

/// Meanings of a file's columns.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) format: RosterFormat,
    /// Meaning of each column; `None` if it has none here.
    pub(crate) roles: Vec<Option<Role>>,
}

impl Columns {
    /// Recognises the format by the names of the columns, whatever their capitals.
    pub(crate) fn of(header: &[String]) -> Result<Self, UnknownColumns> {
        let has = |name: &&str| header.iter().any(|column| column.eq_ignore_ascii_case(name));
        let fits = |it: &&Description| it.required.iter().all(&has);
        let Some(found) = FORMATS.iter().find(fits) else {
            let columns = header.iter().map(|it| format!("`{}`", it.escape_debug())).collect();
            return Err(UnknownColumns { columns });
        };
        let role = |column: &String| {
            let mut roles = found.roles.iter();
            roles.find(|(name, _)| column.eq_ignore_ascii_case(name)).map(|(_, role)| *role)
        };
        Ok(Self { format: found.format, roles: header.iter().map(role).collect() })
    }

    /// Returns the numbers of the columns with texts by which a student goes alone, and their kinds.
    pub(crate) fn identifiers(&self) -> impl Iterator<Item = (usize, IdKind)> {
        let kind = |role: &Option<Role>| match role {
            Some(Role::Identifier(kind)) => Some(*kind),
            Some(_) | None => None,
        };
        let all = self.roles.iter().enumerate();
        all.filter_map(move |(at, role)| Some((at, kind(role)?)))
    }

    /// Returns the numbers of the columns with this meaning.
    pub(crate) fn with(&self, role: Role) -> impl Iterator<Item = usize> {
        let all = self.roles.iter().enumerate();
        all.filter(move |(_, it)| **it == Some(role)).map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognized(header: &str) -> Result<RosterFormat, UnknownColumns> {
        let header: Vec<String> = header.split(',').map(str::to_owned).collect();
        Columns::of(&header).map(|columns| columns.format)
    }

    #[test]
    fn formats_are_recognized_by_their_columns() {
        for (header, format) in [
            ("Student,ID,SIS User ID,SIS Login ID,Section,Lab 1 (4711)", RosterFormat::Canvas),
            (
                "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed",
                RosterFormat::MoodleWorksheet,
            ),
            (
                "First name,Last name,ID number,Institution,Department,Email address,Assignment: Lab (Real)",
                RosterFormat::Moodle,
            ),
            (
                "Last Name,First Name,Username,Student ID,Last Access,Availability",
                RosterFormat::Blackboard,
            ),
            ("identifier,github_username,github_id,name", RosterFormat::GitHubRoster),
            (
                "assignment_name,assignment_url,starter_code_url,github_username,roster_identifier,\
                 student_repository_name,student_repository_url,submission_timestamp,points_awarded",
                RosterFormat::GitHubGrades,
            ),
            ("Name,SID,Email,Total Score,Max Points,Submission ID", RosterFormat::Gradescope),
            ("id,name,email,group", RosterFormat::Plain),
            ("ID", RosterFormat::Plain),
        ] {
            assert_eq!(recognized(header), Ok(format), "{header}");
        }
        let unknown = recognized("who,\u{1b}[2J").unwrap_err().to_string();
        assert!(unknown.contains("`who`, `\\u{1b}[2J`; known are Canvas (Student,"), "{unknown}");
    }
}
