//! Groups in which students hand in together.

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::file::Course;
use crate::course::roster::{Roster, Student};

/// Students who are in more than one group, and nothing says with which one they hand in.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "groups hand in `{}`, and these students are in several groups:\n  {}",
    .assignment.escape_debug(),
    .students.iter().map(described).collect::<Vec<_>>().join("\n  ")
)]
pub struct SeveralGroups {
    /// Id of an assignment that is handed in by groups.
    pub assignment: String,
    /// Students.
    pub students: Vec<Student>,
}

/// Checks that each student is in at most one group if an assignment of the course is handed in by groups. The table `[groups]`
/// of the course, which is part of the roster, says with which group such a student hands in.
///
/// # Errors
///
/// Fails if there are such an assignment and students in several groups.
pub fn check_groups(course: &Course, roster: &Roster) -> Result<(), SeveralGroups> {
    let Some((id, _)) = course.assignments.iter().find(|(_, settings)| settings.groups) else {
        return Ok(());
    };
    let several = roster.students().iter().filter(|it| it.is_in_several_groups());
    let students: Vec<Student> = several.cloned().collect();
    if students.is_empty() {
        return Ok(());
    }
    Err(SeveralGroups { assignment: id.clone(), students })
}

/// Returns a student with line and groups, for a list: line 2, `7` (Amara Okafor): `red`, `tutorial 1`.
fn described(student: &Student) -> String {
    let quoted = |name: &Untrusted| format!("`{name}`");
    let groups: Vec<String> = student.groups.iter().map(quoted).collect();
    let name = if student.name.is_empty() || student.name == student.id {
        String::new()
    } else {
        format!(" ({})", student.name)
    };
    format!("line {}, `{}`{name}: {}", student.line, student.id, groups.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::course::roster::StudentTable;
    use crate::course::table::Table;

    #[test]
    fn a_student_of_several_groups_hands_in_with_one() {
        let text = "First name,Last name,Email address,Groups\n\
            Amara,Okafor,a@x,\"red, tutorial 1\"\nBao,Tran,b@x,\"red, tutorial 2\"\nC,R,c@x,tutorial 1\n";
        let students =
            StudentTable::read(&Table::parse(text.as_bytes()).unwrap()).unwrap().students;
        let roster = Roster::new(students).unwrap();
        let course = |groups: &str| {
            let text = format!("title = 'T'\n[assignments.alone]\n[assignments.lab]\n{groups}");
            Course::parse(&text).unwrap()
        };
        assert_eq!(check_groups(&course(""), &roster), Ok(()), "nobody hands in with a group");
        let together = course("groups = true");
        let refused = check_groups(&together, &roster).unwrap_err().to_string();
        assert_eq!(
            refused,
            "groups hand in `lab`, and these students are in several groups:\n  \
             line 2, `a@x` (Amara Okafor): `red`, `tutorial 1`\n  \
             line 3, `b@x` (Bao Tran): `red`, `tutorial 2`"
        );
        let decided = |members: &[&str]| {
            let members =
                members.iter().map(|it| toml::Spanned::new(0..1, (*it).to_owned())).collect();
            let groups = BTreeMap::from([("red".to_owned(), members)]);
            check_groups(&together, &roster.clone().with_groups(&groups).unwrap())
        };
        assert_eq!(decided(&["a@x", "b@x"]), Ok(()));
        assert_eq!(decided(&["a@x"]).unwrap_err().students.len(), 1);
    }
}
