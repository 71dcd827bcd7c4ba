//! Owners of submissions, found by their names.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;
use thiserror::Error;
use toml::Spanned;

use crate::course::roster::identity::{Difference, SameKinds};
use crate::course::roster::keys::{self, Key};
use crate::course::roster::prefixes::Prefixes;
use crate::course::roster::read::{RosterError, Student};

/// Number of a student in the roster.
pub type StudentIndex = usize;

/// Students of a course, found by id, e-mail address, login, number on the platform or name.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    students: Vec<Student>,
    by_key: BTreeMap<Key, BTreeSet<StudentIndex>>,
    /// Members of each group, by the form in which its name is compared.
    groups: BTreeMap<String, Group>,
}

/// Group of students.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name, as it was first written.
    pub name: Untrusted,
    /// Numbers of the members in the roster.
    pub members: BTreeSet<StudentIndex>,
}

/// Owner of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// A student.
    Student(StudentIndex),
    /// All members of a group.
    Group(BTreeSet<StudentIndex>),
    /// One of these, who are of one group: whichever it is if they hand in together.
    OneOfGroup(BTreeSet<StudentIndex>),
    /// Nobody in the roster.
    Unknown,
}

/// Person of another file, looked for in the roster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Found {
    /// A student.
    Student(StudentIndex),
    /// Somebody else than the student of the same name.
    Namesake(Namesake),
    /// Nobody in the roster.
    Nobody,
}

/// Student with the name of somebody else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namesake {
    /// Number of the student in the roster.
    pub student: StudentIndex,
    /// Identifiers by which they are two people.
    pub difference: Difference,
}

/// Name that belongs to several students.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{name}` may be {}", described(students))]
pub struct Ambiguous {
    /// Name of the submission or student.
    pub name: Untrusted,
    /// Students to whom it may belong.
    pub students: Vec<Student>,
}

/// Members of a group that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GroupError {
    /// A member is not in the roster.
    #[error("[groups]: `{member}` of `{group}` is not in the roster")]
    Unknown {
        /// Place of the member in the text of the course's file, in bytes.
        at: usize,
        /// Name of the group.
        group: String,
        /// Name of the member.
        member: String,
    },
    /// The name of a member fits more than one student.
    #[error("[groups]: {source}")]
    Ambiguous {
        /// Place of the member in the text of the course's file, in bytes.
        at: usize,
        /// Students whom it fits.
        source: Ambiguous,
    },
    /// A student is in two groups.
    #[error("[groups]: `{student}` is in two groups, `{one}` and `{other}`")]
    InTwo {
        /// Place of the member in the text of the course's file, in bytes.
        at: usize,
        /// Id of the student.
        student: Untrusted,
        /// Name of a group.
        one: Untrusted,
        /// Name of the other group.
        other: Untrusted,
    },
}

impl GroupError {
    /// Returns the place of the member in the text of the course's file, in bytes.
    pub fn at(&self) -> usize {
        match self {
            Self::Unknown { at, .. } | Self::Ambiguous { at, .. } | Self::InTwo { at, .. } => *at,
        }
    }
}

/// Returns the students with names, for a sentence: `7` (Amara Okafor) or `8` (Bao Tran).
fn described(students: &[Student]) -> String {
    let name = |student: &Student| match student.name.to_string() {
        none if none.is_empty() => format!("`{}`", student.id),
        name => format!("`{}` ({name})", student.id),
    };
    let each = students.iter().map(name);
    each.collect::<Vec<_>>().join(" or ")
}

impl Roster {
    /// Creates a roster.
    ///
    /// # Errors
    ///
    /// Fails if two students have the same id.
    pub fn new(students: Vec<Student>) -> Result<Self, RosterError> {
        let mut ids: BTreeMap<String, &Student> = BTreeMap::new();
        for student in &students {
            if let Some(other) = ids.insert(keys::name_key(&student.id), student) {
                let (id, first, second) = (student.id.clone(), other.line, student.line);
                return Err(RosterError::Twice { id, first, second });
            }
        }
        let mut by_key: BTreeMap<Key, BTreeSet<StudentIndex>> = BTreeMap::new();
        let mut groups: BTreeMap<String, Group> = BTreeMap::new();
        for (at, student) in students.iter().enumerate() {
            for key in keys::of_student(student) {
                by_key.entry(key).or_default().insert(at);
            }
            for name in groups_of(student) {
                join(&mut groups, name, at);
            }
        }
        Ok(Self { students, by_key, groups })
    }

    /// Adds groups by the names of their members.
    ///
    /// # Errors
    ///
    /// Fails if a member is not in the roster, fits more than one student, or is in another group.
    pub fn with_groups(
        mut self,
        groups: &BTreeMap<String, Vec<Spanned<String>>>,
    ) -> Result<Self, GroupError> {
        for (name, members) in groups {
            for member in members {
                let (at, member) = (member.span().start, member.get_ref());
                let unknown =
                    || GroupError::Unknown { at, group: name.clone(), member: member.clone() };
                let found = self.student(member);
                let found = found.map_err(|source| GroupError::Ambiguous { at, source })?;
                let number = found.ok_or_else(unknown)?;
                let group = Untrusted::from(name.as_str());
                let Some(student) = self.students.get_mut(number) else { continue };
                if !student.group.is_empty()
                    && keys::name_key(&student.group) != keys::name_key(&group)
                {
                    let (student, one) = (student.id.clone(), student.group.clone());
                    return Err(GroupError::InTwo { at, student, one, other: group });
                }
                student.group = group.clone();
                leave_all(&mut self.groups, number);
                join(&mut self.groups, &group, number);
            }
        }
        Ok(self)
    }

    /// Returns the students in the order of the roster.
    pub fn students(&self) -> &[Student] {
        &self.students
    }

    /// Returns a group by its name, with all students who are in it, also those who hand in with another group; `None` if there
    /// is none.
    pub fn group(&self, name: &str) -> Option<Group> {
        let key = keys::normalized(name);
        let mut all = BTreeMap::new();
        for (at, student) in self.students.iter().enumerate() {
            for name in student.groups.iter().chain(groups_of(student)) {
                join(&mut all, name, at);
            }
        }
        all.remove(&key)
    }

    /// Returns the members of a student's group; only the student if there is none.
    pub fn team(&self, student: StudentIndex) -> BTreeSet<StudentIndex> {
        let group = self.students.get(student).filter(|it| !it.group.is_empty());
        let group = group.and_then(|it| self.groups.get(&keys::name_key(&it.group)));
        group.map_or_else(|| BTreeSet::from([student]), |group| group.members.clone())
    }

    /// Returns the student with exactly this id, e-mail address, login or number on the platform; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if there are several.
    pub fn student(&self, name: &str) -> Result<Option<StudentIndex>, Ambiguous> {
        let found = self.by_key.get(&keys::exact(name));
        found.map_or(Ok(None), |found| self.only(name, found))
    }

    /// Returns the kinds of identifiers that the roster has in common with another file.
    pub(crate) fn same_kinds(&self, others: &[Student]) -> SameKinds {
        SameKinds::between(&self.students, others)
    }

    /// Finds a student of another file: by id, login and e-mail address, or else by name, if no identifier of the same kind
    /// differs.
    ///
    /// # Errors
    ///
    /// Fails if there are several.
    pub(crate) fn find(&self, other: &Student, kinds: &SameKinds) -> Result<Found, Ambiguous> {
        let [exact, name] = keys::of_same_student(other).map(|keys| self.with_any(&keys));
        if let Some(found) = self.only(other.id.as_raw(), &exact)? {
            return Ok(Found::Student(found));
        }
        let mut not_found = Found::Nobody;
        let mut left = BTreeSet::new();
        for student in name {
            let known = self.students.get(student);
            if let Some(difference) = known.and_then(|known| kinds.difference(known, other)) {
                not_found = Found::Namesake(Namesake { student, difference });
            } else {
                left.insert(student);
            }
        }
        let found = self.only(other.id.as_raw(), &left)?;
        Ok(found.map_or(not_found, Found::Student))
    }

    /// Finds the owner of a submission by its name: an id, an e-mail address, a login, a number on the platform, a full name,
    /// or a name in which a platform has put one of these.
    ///
    /// # Errors
    ///
    /// Fails if it may belong to several students who are not one group.
    pub fn owner(&self, submission: &Untrusted, prefixes: &Prefixes) -> Result<Owner, Ambiguous> {
        let name = submission.as_raw();
        if let Some(group) = self.groups.get(&keys::normalized(name)) {
            // The id of a student may be the name of a group of others.
            if let Some(student) = self.student(name)?
                && !group.members.contains(&student)
            {
                let mut all = group.members.clone();
                all.insert(student);
                return Err(self.ambiguous(name, &all));
            }
            return Ok(Owner::Group(group.members.clone()));
        }
        for (step, keys) in keys::of_submission(name, prefixes).into_iter().enumerate() {
            let found = self.with_any(&keys);
            if let Some(first) = found.first()
                && found.len() > 1
                && self.team(*first).is_superset(&found)
            {
                // A platform that gives several students one name for what they hand in knows of their group.
                let is_shared = step == 0;
                return Ok(if is_shared { Owner::Group(found) } else { Owner::OneOfGroup(found) });
            }
            if let Some(found) = self.only(name, &found)? {
                return Ok(Owner::Student(found));
            }
        }
        Ok(Owner::Unknown)
    }

    fn with_any(&self, keys: &BTreeSet<Key>) -> BTreeSet<StudentIndex> {
        keys.iter().filter_map(|key| self.by_key.get(key)).flatten().copied().collect()
    }

    fn only(
        &self,
        name: &str,
        found: &BTreeSet<StudentIndex>,
    ) -> Result<Option<StudentIndex>, Ambiguous> {
        match (found.first(), found.len()) {
            (Some(one), 1) => Ok(Some(*one)),
            (None, _) => Ok(None),
            (Some(_), _) => Err(self.ambiguous(name, found)),
        }
    }

    /// Returns the error of a name that may belong to several students.
    pub fn ambiguous(&self, name: &str, students: &BTreeSet<StudentIndex>) -> Ambiguous {
        let students = students.iter().filter_map(|at| self.students.get(*at)).cloned().collect();
        Ambiguous { name: name.into(), students }
    }
}

/// Returns the group in which a student hands in; all groups of the student if nothing says which one it is.
fn groups_of(student: &Student) -> &[Untrusted] {
    match (student.is_in_several_groups(), student.group.is_empty()) {
        (true, _) => &student.groups,
        (false, true) => &[],
        (false, false) => std::slice::from_ref(&student.group),
    }
}

/// Takes a student out of all groups.
fn leave_all(groups: &mut BTreeMap<String, Group>, student: StudentIndex) {
    for group in groups.values_mut() {
        group.members.remove(&student);
    }
    groups.retain(|_, group| !group.members.is_empty());
}

fn join(groups: &mut BTreeMap<String, Group>, name: &Untrusted, student: StudentIndex) {
    let new = || Group { name: name.clone(), members: BTreeSet::new() };
    groups.entry(keys::name_key(name)).or_insert_with(new).members.insert(student);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::roster::read::StudentTable;
    use crate::course::table::Table;

    fn roster(text: &str) -> Roster {
        let table = Table::parse(text.as_bytes()).unwrap();
        Roster::new(StudentTable::read(&table).unwrap().students).unwrap()
    }

    fn owner(roster: &Roster, name: &str) -> String {
        let names = ["lab-1", "lab-2", "lab-3", "lab-1-x", "lab-1-y", "lab-1-z"].map(Into::into);
        let prefixes = Prefixes::of(&"x".into(), &names.iter().collect::<Vec<_>>());
        match roster.owner(&name.into(), &prefixes) {
            Ok(Owner::Student(at)) => roster.students()[at].id.to_string(),
            Ok(Owner::Group(members)) => format!("group of {}", members.len()),
            Ok(Owner::OneOfGroup(members)) => format!("one of {}", members.len()),
            Ok(Owner::Unknown) => "unknown".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section\n\
        \"Okafor, Amara\",70311,00123,amara@x.org,S\n\"Tran, Bao\",70312,124,btran,S\n\"Tran, Bao\",70399,125,btran2,S\n";

    #[test]
    fn a_submission_is_found_by_whatever_names_its_student() {
        let canvas = roster(CANVAS);
        for (name, found) in [
            ("okaforamara_70311", "00123"),
            ("somebodyelse_70311", "00123"),
            ("okaforamara_123", "00123"),
            ("rossichiara_123", "unknown"),
            ("tranbao_70399", "125"),
            ("123", "00123"),
            ("AMARA@x.org", "00123"),
            ("btran", "124"),
            ("lab-1-btran", "124"),
            // No submission is called by this beginning alone.
            ("other-1-btran", "unknown"),
            ("amara-123", "unknown"),
            ("Amara Okafor", "00123"),
            ("okaforamara", "00123"),
            ("zoe", "unknown"),
            ("tranbao", "`tranbao` may be `124` (Bao Tran) or `125` (Bao Tran)"),
        ] {
            assert_eq!(owner(&canvas, name), found, "{name}");
        }
        let plain = roster(
            "id,name,email,login,group\n1,Amara Okafor,amara@x.org,b,\n2,Bao Tran,bao@x.org,1-b,\n",
        );
        assert_eq!(owner(&plain, "amara"), "1");
        // Both `lab-` and `lab-1-` come before logins.
        assert_eq!(
            owner(&plain, "lab-1-b"),
            "`lab-1-b` may be `1` (Amara Okafor) or `2` (Bao Tran)"
        );
    }

    #[test]
    fn namesakes_in_one_group_are_one_of_it() {
        let table = "id,name,email,login,group\ns1,Bao Tran,,dev,red\ns2,Bao Tran,,ao-dev,red\ns3,Amara,,amara,red\n";
        let red = roster(table);
        for name in ["Bao Tran", "baotran", "Bao Tran_5"] {
            assert_eq!(owner(&red, name), "one of 2", "{name}");
        }
        assert_eq!(owner(&red, "lab-ao-dev"), "s2");
    }

    #[test]
    fn a_number_of_moodle_counts_with_its_name_alone() {
        let moodle = roster(
            "Identifier,Full name,Email address,Grade\nParticipant 11,Amara Okafor,a@x.org,\nParticipant 12,Bao Tran,b@x.org,\n",
        );
        assert_eq!(owner(&moodle, "Amara Okafor_11"), "a@x.org");
        // In another assignment 12 is somebody else.
        assert_eq!(owner(&moodle, "Amara Okafor_12"), "a@x.org");
        assert_eq!(owner(&moodle, "Chiara Rossi_12"), "unknown");
    }

    #[test]
    fn a_group_owns_what_is_handed_in_under_its_name_or_for_all() {
        let team = roster(
            "github_username,roster_identifier,student_repository_name,group_name\na,1,lab-team,red\nb,2,lab-team,red\nc,3,lab-c,\n",
        );
        assert_eq!(owner(&team, "lab-team"), "group of 2");
        assert_eq!(owner(&team, "Red"), "group of 2");
        assert_eq!(owner(&team, "lab-c"), "3");
        assert_eq!(team.team(0), BTreeSet::from([0, 1]));
        assert_eq!(team.team(2), BTreeSet::from([2]));
        let groups = |members: &[&str]| {
            let members = members.iter().map(|it| Spanned::new(5..6, (*it).to_owned()));
            BTreeMap::from([("blue".to_owned(), members.collect())])
        };
        let added = team.clone().with_groups(&groups(&["c"])).unwrap();
        assert_eq!(owner(&added, "blue"), "group of 1");
        let refused = |members| {
            let error = team.clone().with_groups(&groups(members)).unwrap_err();
            format!("{}: {error}", error.at())
        };
        assert_eq!(refused(&["d"]), "5: [groups]: `d` of `blue` is not in the roster");
        assert_eq!(refused(&["a"]), "5: [groups]: `1` is in two groups, `red` and `blue`");
    }

    #[test]
    fn a_student_of_several_groups_is_in_the_one_that_the_course_names() {
        let moodle = roster(
            "First name,Last name,Email address,Groups\nA,A,a@x,\"red, tutorial 1\"\nB,B,b@x,\"red, tutorial 2\"\n\
             C,C,c@x,\"tutorial 1, blue\"\n",
        );
        let members = |roster: &Roster, name: &str| roster.group(name).map(|it| it.members);
        assert_eq!(members(&moodle, "Red"), Some(BTreeSet::from([0, 1])));
        assert_eq!(members(&moodle, "tutorial 1"), Some(BTreeSet::from([0, 2])));
        assert_eq!(members(&moodle, "red, tutorial 1"), None);
        assert_eq!(owner(&moodle, "red"), "group of 2");
        assert_eq!(moodle.team(0), BTreeSet::from([0]), "it is not known which");
        let course = |text: &[(&str, &[&str])]| {
            let spanned = |it: &&str| Spanned::new(5..6, (*it).to_owned());
            let own = |all: &[&str]| all.iter().map(spanned).collect::<Vec<_>>();
            text.iter().map(|(name, all)| ((*name).to_owned(), own(all))).collect()
        };
        let decided = course(&[("red", &["a@x"]), ("blue", &["b@x", "c@x"])]);
        let decided = moodle.clone().with_groups(&decided).unwrap();
        assert_eq!(
            (decided.team(0), decided.team(1)),
            (BTreeSet::from([0]), BTreeSet::from([1, 2]))
        );
        assert_eq!(owner(&decided, "red"), "group of 1");
        assert_eq!(owner(&decided, "tutorial 2"), "unknown");
        // Dates of a tutorial are of all who are in it.
        assert_eq!(members(&decided, "tutorial 1"), Some(BTreeSet::from([0, 2])));
        let twice = course(&[("red", &["a@x"]), ("blue", &["a@x"])]);
        let twice = moodle.with_groups(&twice).unwrap_err().to_string();
        assert_eq!(twice, "[groups]: `a@x` is in two groups, `blue` and `red`");
    }

    fn found(roster: &Roster, other: &Student) -> Option<StudentIndex> {
        match roster.find(other, &SameKinds::default()).unwrap() {
            Found::Student(student) => Some(student),
            Found::Namesake(_) | Found::Nobody => None,
        }
    }

    #[test]
    fn a_namesake_with_other_ids_is_somebody_else() {
        let two = roster("id,name,email\n124,Bao Tran,b1@x\nown,Amara Okafor,\n");
        let row = |text: &str| {
            let header = "Student,ID,SIS User ID,SIS Login ID,Section";
            let table = Table::parse(format!("{header}\n{text}\n").as_bytes()).unwrap();
            found(&two, &StudentTable::read(&table).unwrap().students[0])
        };
        assert_eq!(row("\"Tran, Bao\",70399,555,b2@x,S"), None);
        assert_eq!(row("\"Tran, Bao\",70399,,,S"), Some(0));
        assert_eq!(row("\"Tran, Bao\",70399,00124,,S"), Some(0));
        assert_eq!(row("\"Tran-Le, Bao\",70399,555,b1@x,S"), Some(0), "an e-mail address decides");
        assert_eq!(row("\"Okafor, Amara\",70311,00123,ao,S"), Some(1), "ids of the instructor");
        // Of two of one name the one is left who has no id that differs.
        let twins = roster("id,name\n124,Bao Tran\nbt,Bao Tran\n");
        let table = Table::parse(b"id,name\n555,Bao Tran\n").unwrap();
        let other = StudentTable::read(&table).unwrap().students.remove(0);
        assert_eq!(found(&twins, &other), Some(1));
    }

    #[test]
    fn ids_are_unique() {
        let table = Table::parse(b"id\n7\n007\n").unwrap();
        let twice = Roster::new(StudentTable::read(&table).unwrap().students).unwrap_err();
        assert_eq!(twice.to_string(), "lines 2 and 3: two students have the id `007`");
    }
}
