//! Groups of the roster to which submissions belong.

use softmark_untrusted::Untrusted;

use crate::course::roster::{Owner, Prefixes, Roster, Student, StudentIndex};

/// Groups of the roster; none if the course has no roster.
#[derive(Debug, Clone, Copy)]
pub(in crate::serve) struct Groups<'a>(pub(in crate::serve) Option<&'a Roster>);

impl Groups<'_> {
    /// Returns the group of a submission, or the groups: those of its first student who is in one. It is empty if there is none, or
    /// if the submission may belong to several students.
    pub(in crate::serve) fn of(self, submission: &Untrusted, prefixes: &Prefixes) -> Untrusted {
        let Some(roster) = self.0 else { return Untrusted::EMPTY };
        let owners: Vec<StudentIndex> = match roster.owner(submission, prefixes) {
            Ok(Owner::Student(student)) => vec![student],
            Ok(Owner::Group(members) | Owner::OneOfGroup(members)) => members.into_iter().collect(),
            Ok(Owner::Unknown) | Err(_) => Vec::new(),
        };
        let students = owners.iter().filter_map(|it| roster.students().get(*it));
        let mut groups = students.map(Student::group_names).filter(|it| !it.is_empty());
        groups.next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_is_in_the_group_of_its_student() {
        let student = |id: &str, group: &str| Student {
            id: id.into(),
            group: group.into(),
            ..Student::default()
        };
        let roster = Roster::new(vec![student("amara", "Red"), student("ben", "")]).unwrap();
        let (groups, none) = (Groups(Some(&roster)), Prefixes::default());
        assert_eq!(groups.of(&"amara".into(), &none), "Red");
        assert_eq!(groups.of(&"ben".into(), &none), "");
        assert_eq!(groups.of(&"nobody".into(), &none), "");
        assert_eq!(Groups(None).of(&"amara".into(), &none), "");
    }
}
