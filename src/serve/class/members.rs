//! Groups of the roster to which submissions belong.

use softmark_untrusted::Untrusted;

use crate::course::roster::{Owner, Prefixes, Roster, Student, StudentIndex};

/// Groups of the roster; none if the course has no roster.
#[derive(Debug, Clone, Copy)]
pub(in crate::serve) struct Groups<'a>(pub(in crate::serve) Option<&'a Roster>);

impl Groups<'_> {
    /// Returns the groups of a submission: those of its first student who is in one. There are none if it may belong to several
    /// students.
    pub(in crate::serve) fn of(
        self,
        submission: &Untrusted,
        prefixes: &Prefixes,
    ) -> Vec<Untrusted> {
        let Some(roster) = self.0 else { return Vec::new() };
        let owners: Vec<StudentIndex> = match roster.owner(submission, prefixes) {
            Ok(Owner::Student(student)) => vec![student],
            Ok(Owner::Group(members) | Owner::OneOfGroup(members)) => members.into_iter().collect(),
            Ok(Owner::Unknown) | Err(_) => Vec::new(),
        };
        let students = owners.iter().filter_map(|it| roster.students().get(*it));
        let mut groups = students.map(Student::hand_in_groups).filter(|it| !it.is_empty());
        groups.next().unwrap_or_default().to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_in_the_group_of_its_student() {
        let student = |id: &str, group: &str, groups: &[&str]| Student {
            id: id.into(),
            group: group.into(),
            groups: groups.iter().map(|it| (*it).into()).collect(),
            ..Student::default()
        };
        let students = vec![
            student("amara", "Red", &["Red", "tutorial 1"]),
            student("ben", "", &[]),
            student("chiara", "", &["Red", "tutorial 2"]),
        ];
        let roster = Roster::new(students).unwrap();
        let (groups, none) = (Groups(Some(&roster)), Prefixes::default());
        assert_eq!(groups.of(&"amara".into(), &none), ["Red"]);
        assert_eq!(groups.of(&"chiara".into(), &none), ["Red", "tutorial 2"]);
        for name in ["ben", "nobody"] {
            assert!(groups.of(&name.into(), &none).is_empty());
        }
        assert!(Groups(None).of(&"amara".into(), &none).is_empty());
    }
}
