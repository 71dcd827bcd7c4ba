//! Parses the names of entries.

use std::path::PathBuf;

use crate::intake::archive::limits::Limits;
use crate::intake::archive::offence::{EntryName, Offence};

/// Most bytes that are kept of a name that is rejected, and there may be thousands of a megabyte: no
/// path that is accepted is longer, and a message shows less.
const KEPT: usize = Limits::BULK.path_bytes;

/// An entry's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryPath<'a> {
    /// Components, without `.`; empty for the archive's own folder.
    pub(crate) parts: Vec<&'a str>,
    /// True if the name ends as a folder's does.
    pub(crate) is_folder: bool,
}

impl<'a> EntryPath<'a> {
    /// Splits `name` into components.
    pub(crate) fn new(name: &'a [u8], limits: &Limits) -> Result<Self, Offence> {
        let Ok(text) = std::str::from_utf8(name) else {
            return Err(Offence::NotUtf8(entry_name(name)));
        };
        let whole = || EntryName::from(String::from_utf8_lossy(kept(name)));
        if text.is_empty() {
            return Err(Offence::NoName);
        }
        if text.chars().any(char::is_control) {
            return Err(Offence::Control(whole()));
        }
        let drive = text.split_once(':').map(|(drive, _)| drive.as_bytes());
        if matches!(drive, Some([letter]) if letter.is_ascii_alphabetic()) {
            return Err(Offence::Drive(whole()));
        }
        if text.starts_with('/') {
            return Err(Offence::Absolute(whole()));
        }
        if text.contains('\\') {
            return Err(Offence::Backslash(whole()));
        }
        if text.split('/').any(|part| part == "..") {
            return Err(Offence::Parent(whole()));
        }
        if text.len() > limits.path_bytes {
            return Err(Offence::LongPath { path: whole(), limit: limits.path_bytes });
        }
        let parts: Vec<&str> =
            text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.len() > limits.depth + 1 {
            return Err(Offence::Deep { path: whole(), limit: limits.depth });
        }
        let is_folder = text.ends_with('/') || text.ends_with("/.") || parts.is_empty();
        Ok(Self { parts, is_folder })
    }
}

/// True if tools leave behind entries with this name: build output, or hidden files and folders.
pub(crate) fn is_litter(part: &str) -> bool {
    part == "target" || part == "__MACOSX" || part.starts_with('.')
}

fn kept(name: &[u8]) -> &[u8] {
    name.get(..KEPT).unwrap_or(name)
}

/// Returns the name of an entry for a message, without more bytes than a message needs.
pub(crate) fn entry_name(name: &[u8]) -> EntryName {
    kept(name).into()
}

/// As much of a name as leads somewhere, to tell whose it is, whatever is wrong with the rest.
pub(crate) fn owner(name: &[u8]) -> PathBuf {
    let parts = name.split(|byte| *byte == b'/').filter(|part| !part.is_empty() && *part != b".");
    let mut bytes = 0;
    parts
        .map_while(|part| std::str::from_utf8(part).ok().filter(|part| *part != ".."))
        .take_while(|part| {
            bytes += part.len() + 1;
            bytes <= KEPT + 1
        })
        .take(Limits::BULK.depth)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(name: &str) -> Result<Vec<&str>, Offence> {
        EntryPath::new(name.as_bytes(), &Limits::SUBMISSION).map(|path| path.parts)
    }

    #[test]
    fn a_name_is_taken_apart() {
        assert_eq!(parts("src/one.rs").unwrap(), ["src", "one.rs"]);
        assert_eq!(parts("./src//./one.rs").unwrap(), ["src", "one.rs"]);
        assert_eq!(parts("./").unwrap(), [""; 0]);
        assert_eq!(parts("a:b").unwrap_err(), Offence::Drive("a:b".into()));
        assert_eq!(parts("ab:c").unwrap(), ["ab:c"]);
        assert_eq!(parts("..a/b..").unwrap(), ["..a", "b.."]);
        for (name, is_folder) in [("a", false), ("a/", true), (".", true), ("a/.", true)] {
            let path = EntryPath::new(name.as_bytes(), &Limits::SUBMISSION).unwrap();
            assert_eq!(path.is_folder, is_folder, "{name}");
        }
    }

    #[test]
    fn depth_and_length_have_an_end() {
        let Limits { depth, path_bytes, .. } = Limits::SUBMISSION;
        let deep = |folders: usize| format!("{}x", "a/".repeat(folders));
        assert_eq!(parts(&deep(depth)).unwrap().len(), depth + 1);
        assert!(matches!(parts(&deep(depth + 1)), Err(Offence::Deep { .. })));
        assert!(parts(&"x".repeat(path_bytes)).is_ok());
        assert!(matches!(parts(&"x".repeat(path_bytes + 1)), Err(Offence::LongPath { .. })));
    }

    proptest! {
        #[test]
        fn whatever_is_taken_stays_inside(name in "[a/.\\\\:\u{0}é]{0,12}") {
            if let Ok(parts) = parts(&name) {
                for part in parts {
                    prop_assert!(!part.is_empty() && part != "." && part != "..");
                    prop_assert!(!part.contains(['/', '\\', '\0']));
                }
            }
        }
    }
}
