//! Identifiers that tell people of one name apart.
//!
//! Two texts are compared if they are of the same kind: two e-mail addresses, two ids of the institution, two logins on GitHub.
//! The ids of a plain file may be of any kind. They are compared with those of another file if both are numbers, or if they
//! agree for at least half of the people whom both files have by name; otherwise an instructor has made them up.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

use crate::course::roster::columns::IdKind;
use crate::course::roster::keys::name_key;
use crate::course::roster::read::{Identifier, Student};

/// Identifiers by which a person of another file is somebody else than a student of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Identifier of the student.
    pub of_student: Identifier,
    /// Identifier of the person of the other file.
    pub of_other: Identifier,
}

/// Kinds of identifiers of the students and of the people of another file.
type Kinds = (IdKind, IdKind);

/// Kinds of identifiers that are the same in a roster and in another file.
#[derive(Debug, Clone, Default)]
pub(crate) struct SameKinds(BTreeSet<Kinds>);

/// Number of people whose identifiers of two kinds agree, and of those whose identifiers differ.
#[derive(Debug, Clone, Copy, Default)]
struct Agreement {
    agree: usize,
    differ: usize,
}

impl SameKinds {
    /// Returns the kinds that agree for at least half of the people whom both files have by name.
    pub(crate) fn between(students: &[Student], others: &[Student]) -> Self {
        let by_name = by_unique_name(students);
        let mut found: BTreeMap<Kinds, Agreement> = BTreeMap::new();
        for other in others {
            let Some(student) = by_name.get(&name_key(&other.name)) else { continue };
            for (kinds, agrees) in agreements(student, other) {
                let all = found.entry(kinds).or_default();
                all.agree += usize::from(agrees);
                all.differ += usize::from(!agrees);
            }
        }
        let is_same = |it: &Agreement| it.agree > 0 && it.agree >= it.differ;
        Self(found.into_iter().filter(|(_, it)| is_same(it)).map(|(kinds, _)| kinds).collect())
    }

    /// Returns the identifiers by which `other` is not the student; `None` if there are none, or if some agree.
    pub(crate) fn difference(&self, student: &Student, other: &Student) -> Option<Difference> {
        let mut first = None;
        for own in &student.identifiers {
            let compared = other.identifiers.iter().filter(|it| self.are_compared(own, it));
            for it in compared {
                if name_key(&own.text) == name_key(&it.text) {
                    return None;
                }
                let (of_student, of_other) = (own.clone(), it.clone());
                first.get_or_insert(Difference { of_student, of_other });
            }
        }
        first
    }

    fn are_compared(&self, own: &Identifier, other: &Identifier) -> bool {
        let kinds = (kind_of(own), kind_of(other));
        self.0.contains(&kinds) || are_alike(kinds, [&own.text, &other.text])
    }
}

/// Returns the students whose name nobody else has, by the form in which names are compared.
fn by_unique_name(students: &[Student]) -> BTreeMap<String, &Student> {
    let mut all: BTreeMap<String, Vec<&Student>> = BTreeMap::new();
    for student in students.iter().filter(|it| !it.name.is_empty()) {
        all.entry(name_key(&student.name)).or_default().push(student);
    }
    all.into_iter().filter_map(|(name, students)| Some((name, *single(&students)?))).collect()
}

fn single<T>(all: &[T]) -> Option<&T> {
    if let [one] = all { Some(one) } else { None }
}

/// Returns for all pairs of kinds that the two have whether a text of the one is one of the other.
fn agreements(student: &Student, other: &Student) -> BTreeMap<Kinds, bool> {
    let mut found = BTreeMap::new();
    for own in &student.identifiers {
        for it in &other.identifiers {
            let agrees = name_key(&own.text) == name_key(&it.text);
            *found.entry((kind_of(own), kind_of(it))).or_default() |= agrees;
        }
    }
    found
}

/// Returns the kind of an identifier. A chosen one that is an e-mail address is compared with e-mail addresses.
fn kind_of(identifier: &Identifier) -> IdKind {
    let is_chosen = matches!(identifier.kind, IdKind::Chosen | IdKind::ChosenLogin);
    if is_chosen && is_address(&identifier.text) { IdKind::Email } else { identifier.kind }
}

/// True if the two texts are of one kind, whatever other people have.
fn are_alike(kinds: Kinds, texts: [&Untrusted; 2]) -> bool {
    let are = |is: fn(&Untrusted) -> bool| texts.map(is) == [true, true];
    match kinds {
        // At some institutions logins are e-mail addresses, at others names.
        (IdKind::Login, IdKind::Login) => are(is_address) || !texts.into_iter().any(is_address),
        (IdKind::ChosenLogin, IdKind::ChosenLogin) => false,
        (IdKind::Chosen, IdKind::Chosen | IdKind::Institution)
        | (IdKind::Institution, IdKind::Chosen) => are(is_number),
        (one, other) => one == other,
    }
}

fn is_address(text: &Untrusted) -> bool {
    name_key(text).contains('@')
}

fn is_number(text: &Untrusted) -> bool {
    name_key(text).bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::roster::read::StudentTable;
    use crate::course::table::Table;

    fn students(text: &str) -> Vec<Student> {
        StudentTable::read(&Table::parse(text.as_bytes()).unwrap()).unwrap().students
    }

    /// Compares the last students of two files.
    fn difference(roster: &str, other: &str) -> Option<String> {
        let (roster, other) = (students(roster), students(other));
        let same = SameKinds::between(&roster, &other);
        let found = same.difference(roster.last().unwrap(), other.last().unwrap())?;
        let shown = |it: &Identifier| format!("{} {}", it.kind, it.text);
        Some(format!("{}, {}", shown(&found.of_student), shown(&found.of_other)))
    }

    const CANVAS: &str = "Student,ID,SIS User ID,SIS Login ID,Section\n";

    #[test]
    fn identifiers_of_one_kind_tell_people_apart() {
        let canvas = |row: &str| format!("{CANVAS}\"Tran, Bao\",{row},S\n");
        let moodle = |row: &str| {
            format!("First name,Last name,ID number,Username,Email address\nBao,Tran,{row}\n")
        };
        for (roster, other, expected) in [
            ("id,name\n124,Bao Tran\n".to_owned(), canvas("9,555,"), "id 124, id 555"),
            (moodle("124,,"), canvas("9,z55,"), "id 124, id z55"),
            (moodle(",bao,"), canvas("9,,bao2"), "login bao, login bao2"),
            (moodle(",,b@x"), moodle(",,b@y"), "e-mail address b@x, e-mail address b@y"),
            ("id,name\nb@x,Bao Tran\n".to_owned(), moodle(",,b@y"), "id b@x, e-mail address b@y"),
            (canvas("8,,"), canvas("9,,"), "number on Canvas 8, number on Canvas 9"),
            (
                "identifier,github_username,github_id,name\nbao,b1,,Bao Tran\n".to_owned(),
                "id,name,github\n1,Bao Tran,b2\n".to_owned(),
                "login on GitHub b1, login on GitHub b2",
            ),
        ] {
            assert_eq!(difference(&roster, &other).as_deref(), Some(expected), "{roster}{other}");
        }
    }

    #[test]
    fn identifiers_of_other_kinds_tell_nothing() {
        let canvas = |row: &str| format!("{CANVAS}\"Tran, Bao\",{row},S\n");
        let moodle = |row: &str| {
            format!("First name,Last name,ID number,Username,Email address\nBao,Tran,{row}\n")
        };
        for (roster, other) in [
            // The instructor's own ids, and a file without ids.
            ("id,name\nbao,Bao Tran\n".to_owned(), canvas("70312,00124,btran")),
            ("id,name\n124,Bao Tran\n".to_owned(), canvas("70312,,")),
            ("id,name,email\n124,Bao Tran,b@x\n".to_owned(), canvas("70312,,btran")),
            ("id,name,login\n124,Bao Tran,bao-dev\n".to_owned(), canvas("70312,,btran")),
            // Of two identifiers one agrees.
            (moodle("124,,b@y"), moodle("124,,b@x")),
            (moodle("0124,,b@y"), canvas("9,124,btran")),
            // The same login, once with the domain.
            (moodle(",btran,"), canvas("9,,btran@x.org")),
            ("identifier,github_username\nBao Tran,b1\n".to_owned(), canvas("9,,btran")),
        ] {
            assert_eq!(difference(&roster, &other), None, "{roster}{other}");
        }
    }

    /// Ids of a plain file are those of the platform if most people of the same name have the same.
    #[test]
    fn what_chosen_ids_are_is_seen_in_the_whole_file() {
        let roster = "id,name\nokafor1,Amara Okafor\nrossi1,Chiara Rossi\nbtran,Bao Tran\n";
        let canvas = |ids: [&str; 3]| {
            let names = ["\"Okafor, Amara\"", "\"Rossi, Chiara\"", "\"Tran, Bao\""];
            let rows: Vec<String> =
                names.iter().zip(ids).map(|(name, id)| format!("{name},9,,{id},S\n")).collect();
            format!("{CANVAS}{}", rows.concat())
        };
        assert_eq!(
            difference(roster, &canvas(["okafor1", "rossi1", "btran2"])).as_deref(),
            Some("id btran, login btran2")
        );
        assert_eq!(difference(roster, &canvas(["ao", "cr", "bt"])), None);
        assert_eq!(difference(roster, &canvas(["okafor1", "cr", "bt"])), None);
    }
}
