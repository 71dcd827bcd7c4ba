//! Keys by which names of students are compared.

use std::collections::BTreeSet;

use softmark_untrusted::{Untrusted, UntrustedName};
use unicode_normalization::UnicodeNormalization;

use crate::course::roster::prefixes::Prefixes;
use crate::course::roster::read::Student;

/// Way in which a name belongs to a student; the first that finds anybody decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// An id, an e-mail address, a login, or the name of a submission.
    Exact,
    /// A number on the platform, as it is in the names of files.
    Number,
    /// The full name.
    Name,
    /// The full name without spaces, as Canvas writes it in the names of files.
    Joined,
    /// The part of an e-mail address before the `@`.
    Mailbox,
}

/// Key of a student: a way of naming, and the name in the form in which names are compared.
pub(crate) type Key = (Rank, String);

/// Returns text in the form in which names are compared: small letters, single spaces, numbers without leading zeros, no characters
/// that are not seen. Letters are composed with their accents, because archives that were made on macOS have them apart.
pub(crate) fn normalized(text: &str) -> String {
    let text: String = without_hidden(text).nfc().collect();
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let text = words.join(" ");
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        return text;
    }
    match text.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    }
}

/// Returns text without the characters that are not seen, such as marks of the direction of writing. Names of submissions have
/// `%E2%80%8F` in place of such a character.
pub(crate) fn without_hidden(text: &str) -> String {
    let mut seen = String::new();
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let (character, length) = spelt(rest).unwrap_or((next, next.len_utf8()));
        if !UntrustedName::is_hidden(character) || character.is_whitespace() {
            seen.push(next);
            rest = rest.get(next.len_utf8()..).unwrap_or_default();
        } else {
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    seen
}

/// Returns the character whose bytes the text begins with, each as `%` and two hexadecimal digits, and the length of that spelling.
fn spelt(text: &str) -> Option<(char, usize)> {
    let byte = |at: usize| {
        let digits = text.get(3 * at..3 * at + 3)?.strip_prefix('%')?;
        let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u8::from_str_radix(digits, 16).ok().filter(|_| is_number)
    };
    let bytes: Vec<u8> = (0..4).map_while(byte).collect();
    (1..=bytes.len()).find_map(|count| {
        let character = std::str::from_utf8(bytes.get(..count)?).ok()?.chars().next()?;
        Some((character, 3 * count))
    })
}

/// Returns the letters and digits of a name, small.
fn joined(name: &str) -> String {
    let name = without_hidden(name);
    name.nfc().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the joined forms of a full name: as it is, and with any number of last names first.
fn joined_forms(name: &str) -> BTreeSet<String> {
    let words: Vec<&str> = name.split_whitespace().collect();
    let form = |first_names| {
        let (first, last) = words.split_at(first_names);
        joined(&[last, first].concat().concat())
    };
    (0..words.len()).map(form).collect()
}

/// Returns the texts by which a student goes alone.
fn exact_texts(student: &Student) -> impl Iterator<Item = &str> {
    let all = std::iter::once(&student.id).chain(&student.aliases).chain(&student.emails);
    all.map(Untrusted::as_raw)
}

/// Returns all keys of a student.
pub(crate) fn of_student(student: &Student) -> BTreeSet<Key> {
    let mut keys = BTreeSet::new();
    keys.extend(exact_texts(student).map(|text| (Rank::Exact, normalized(text))));
    keys.extend(student.numbers.iter().map(|text| (Rank::Number, normalized(text.as_raw()))));
    let name = student.name.as_raw();
    keys.insert((Rank::Name, normalized(name)));
    for form in joined_forms(name) {
        // A file named for a person and a number that both agree.
        let numbered = exact_texts(student).map(|id| normalized(&format!("{form}_{id}")));
        keys.extend(numbered.map(|text| (Rank::Exact, text)));
        keys.insert((Rank::Joined, form));
    }
    let mailboxes = student.emails.iter().filter_map(|it| it.as_raw().split_once('@'));
    keys.extend(mailboxes.map(|(mailbox, _)| (Rank::Mailbox, normalized(mailbox))));
    if !student.participant.is_empty() {
        // A number of another assignment belongs to somebody else, so that the name has to agree.
        let whole = format!("{name}_{}", student.participant.as_raw());
        keys.insert((Rank::Exact, normalized(&whole)));
    }
    keys.retain(|(_, text)| !text.is_empty());
    keys
}

/// Returns the keys by which the owner of a submission is looked for, the most certain first.
///
/// `okaforamara_70311` is read as a name and a number, as the downloads of Canvas and Moodle have them. What follows the prefix
/// of `lab-1-ao-dev` may be a login, as in the names of GitHub Classroom's repositories.
pub(crate) fn of_submission(name: &str, prefixes: &Prefixes) -> Vec<BTreeSet<Key>> {
    let exact = |text: &str| (Rank::Exact, normalized(text));
    let mut steps = vec![BTreeSet::from([exact(name)])];
    let (person, number) = match name.rsplit_once('_') {
        Some((person, number)) if number.bytes().all(|it| it.is_ascii_digit()) => {
            (person, Some(number))
        }
        Some(_) | None => (name, None),
    };
    if let Some(number) = number.filter(|_| !person.contains(' ')) {
        steps.push(BTreeSet::from([(Rank::Number, normalized(number))]));
    }
    steps.push(BTreeSet::from([exact(person)]));
    steps.push(BTreeSet::from([(Rank::Name, normalized(person))]));
    steps.push(BTreeSet::from([(Rank::Joined, joined(person))]));
    steps.push(BTreeSet::from([(Rank::Mailbox, normalized(person))]));
    steps.push(prefixes.logins(name).map(exact).collect());
    steps
}

/// Returns the keys by which a student of another file is looked for, the most certain first.
pub(crate) fn of_same_student(student: &Student) -> [BTreeSet<Key>; 2] {
    let keys = of_student(student);
    [Rank::Exact, Rank::Name]
        .map(|rank| keys.iter().filter(|(of, _)| *of == rank).cloned().collect())
}

/// Returns the key of text that names a student exactly.
pub(crate) fn exact(text: &str) -> Key {
    (Rank::Exact, normalized(text))
}

/// Returns the form in which names of groups and submissions are compared.
pub(crate) fn name_key(name: &Untrusted) -> String {
    normalized(name.as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_whatever_their_capitals_and_zeros() {
        assert_eq!(normalized("  Amara \t OKAFOR "), "amara okafor");
        assert_eq!(normalized("00123"), "123");
        assert_eq!(normalized("000"), "0");
        assert_eq!(normalized("007a"), "007a");
    }

    #[test]
    fn characters_that_are_not_seen_are_not_compared() {
        for text in ["\u{200f}Noor", "Noor\u{200e}", "%E2%80%8FNoor", "N%C2%ADoor%E2%80%8E"] {
            assert_eq!(normalized(text), "noor", "{text:?}");
            assert_eq!(joined(text), "noor", "{text:?}");
        }
        // All else stays, also what only looks so, and spaces.
        for (text, same) in [
            ("100%", "100%"),
            ("%41", "%41"),
            ("%e2%80", "%e2%80"),
            ("%+1", "%+1"),
            ("%C3%A9", "%c3%a9"),
            ("a\tb", "a b"),
            ("\u{200d}", "\u{200d}"),
        ] {
            assert_eq!(normalized(text), same, "{text:?}");
        }
    }

    #[test]
    fn accents_may_be_letters_of_their_own() {
        let apart = "Zoe\u{308} Mu\u{308}ller";
        assert_eq!(normalized(apart), "zoë müller");
        assert_eq!(joined(apart), "zoëmüller");
        assert_ne!(normalized("Zoe Muller"), normalized(apart));
    }

    #[test]
    fn canvas_writes_the_last_name_first() {
        let student = Student { name: "Zoë van Dam".into(), ..Student::default() };
        let keys = of_student(&student);
        for name in ["zoëvandam", "vandamzoë", "damzoëvan"] {
            assert!(keys.contains(&(Rank::Joined, name.to_owned())), "{name}");
        }
    }
}
