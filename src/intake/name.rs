//! Names of submissions, which are safe as names of files, and lists of names.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use softmark_untrusted::{Untrusted, UntrustedName};

use crate::digest;

/// Most bytes of a submission's name: with an ending it still is a name that file systems take.
const MAX_BYTES: usize = 200;

/// The name of a submission in a folder of that name: as it is, for every ordinary name.
///
/// A name that is not safe is changed rather than refused, so that it holds nobody up. No two names
/// become one: a `%` that would read as the beginning of a byte in hexadecimal is itself written so.
pub(crate) fn of_submission(folder: &OsStr) -> Untrusted {
    of_written(&written(folder))
}

/// The name of a submission, from a part of what [`written`] returned.
pub(crate) fn of_written(name: &str) -> Untrusted {
    let name = name.replace('/', "%2F");
    if name.len() <= MAX_BYTES && !matches!(name.as_str(), "" | "." | "..") {
        return name.into();
    }
    let hash: String = digest::of(&[name.as_bytes()]).chars().take(16).collect();
    let (front, _) = name.split_at(name.floor_char_boundary(MAX_BYTES - 1 - hash.len()));
    format!("{front}~{hash}").into()
}

/// The name as text: characters that are not seen, and bytes that are none, in hexadecimal.
pub(crate) fn written(name: &OsStr) -> String {
    UntrustedName::from(with_percent(name.as_bytes())).to_string()
}

/// The same name, in which `%` and two hexadecimal digits stand for a `%` before two such digits alone.
fn with_percent(name: &[u8]) -> Vec<u8> {
    let is_digit = |at: usize| name.get(at).is_some_and(u8::is_ascii_hexdigit);
    let mut spelt = Vec::new();
    for (at, byte) in name.iter().enumerate() {
        spelt.push(*byte);
        if *byte == b'%' && is_digit(at + 1) && is_digit(at + 2) {
            spelt.extend(b"25");
        }
    }
    spelt
}

/// Returns the first `limit` names in alphabetical order, in backticks, and how many more there are.
pub(crate) fn listed<N: ToString>(names: impl IntoIterator<Item = N>, limit: usize) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    names.sort();
    let more = names.len().saturating_sub(limit);
    let mut shown: Vec<String> = names.iter().take(limit).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    match shown.as_slice() {
        [front @ .., last] if !front.is_empty() => format!("{} and {last}", front.join(", ")),
        _ => shown.concat(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn whatever_the_folder_is_called_the_name_is_safe(
            bytes in prop::collection::vec(1_u8.., 0..255),
        ) {
            let name = of_submission(OsStr::from_bytes(&bytes));
            let name = name.as_raw();
            prop_assert!(!name.is_empty() && name.len() <= MAX_BYTES, "{name}");
            prop_assert!(name != "." && name != ".." && !name.contains('/'), "{name}");
            prop_assert!(!name.contains(UntrustedName::is_hidden), "{name:?}");
            // It names a file.
            let dir = tempfile::tempdir().unwrap();
            std::fs::write(dir.path().join(format!("{name}.json")), "").unwrap();
        }

        #[test]
        fn an_ordinary_name_stays_as_it_is(name in "[\\w (),.@+-]{3,40}") {
            prop_assert_eq!(of_submission(OsStr::new(&name)), name);
        }
    }

    /// Decodes a name that [`of_submission`] encoded.
    fn read_back(name: &str) -> Vec<u8> {
        let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
        let (bytes, mut at, mut read) = (name.as_bytes(), 0, Vec::new());
        while let Some(byte) = bytes.get(at) {
            let pair = (bytes.get(at + 1), bytes.get(at + 2));
            let pair = (pair.0.and_then(|it| digit(*it)), pair.1.and_then(|it| digit(*it)));
            if let (b'%', (Some(high), Some(low))) = (byte, pair) {
                read.push(high * 16 + low);
                at += 3;
            } else {
                read.push(*byte);
                at += 1;
            }
        }
        read
    }

    proptest! {
        #[test]
        fn no_two_names_become_one(name in "(%|0|A|a|\n|x|\u{202e}|é){1,20}") {
            prop_assume!(!matches!(name.as_str(), "." | ".."));
            prop_assert_eq!(read_back(of_submission(OsStr::new(&name)).as_raw()), name.as_bytes());
        }
    }

    #[test]
    fn a_line_feed_is_told_from_its_spelling() {
        let name = |bytes: &[u8]| of_submission(OsStr::from_bytes(bytes));
        assert_eq!(name(b"x\n"), "x%0A");
        assert_eq!(name(b"x%0A"), "x%250A");
        assert_eq!(name(b"x%250A"), "x%25250A");
        assert_eq!(name(b"100%"), "100%");
    }

    #[test]
    fn long_names_with_one_beginning_stay_apart() {
        let name = |end: &str| of_submission(OsStr::new(&format!("{}{end}", "ä".repeat(120))));
        assert_eq!(name("x"), name("x"));
        assert_ne!(name("x"), name("y"));
    }

    #[test]
    fn a_list_is_sorted_and_capped() {
        let list = |names: &[&str], limit| listed(names, limit);
        assert_eq!(list(&["b", "a"], 5), "`a` and `b`");
        assert_eq!(list(&["c", "b", "a"], 2), "`a`, `b` and 1 more");
        assert_eq!(list(&["a"], 5), "`a`");
        assert_eq!(list(&[], 5), "");
    }
}
