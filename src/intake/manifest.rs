//! Reads one value from a submission's manifest, which is treated as data.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::assignment::is_id;
use crate::intake::error::IntakeError;
use crate::intake::location::Location;
use crate::intake::open::Content;
use crate::intake::opened::open;
use crate::intake::submission::{Candidate, Opened};
use crate::intake::tree::Disk;

/// Most bytes of a manifest that is read.
const MAX_BYTES: u64 = 64 * 1024;

/// The assignment that a candidate's `Cargo.toml` names under `[package.metadata.softmark]`.
///
/// `None` as well where the file is missing, or names what cannot be an assignment's id: then it is for
/// the instructor to say. What was handed in is rejected if it is no submission, whatever its assignment is, or
/// if the file is there and is no manifest.
///
/// # Errors
///
/// When the file is there and cannot be read.
pub fn assignment_of(candidate: &Candidate) -> Result<Opened<Option<String>>, IntakeError> {
    let path = PathBuf::from("Cargo.toml");
    let tree = match candidate.place {
        // That a folder is none its record says.
        Location::Folder => Box::new(Disk(candidate.path.clone())),
        Location::Archive | Location::Within(_) | Location::Refused(_) | Location::Undecided(_) => {
            match open(candidate, &[(path.clone(), MAX_BYTES)])? {
                Opened::Accepted(tree) => tree,
                Opened::Rejected(rejection) => return Ok(Opened::Rejected(rejection)),
            }
        }
    };
    match tree.content(&path, MAX_BYTES) {
        Ok(Content::Bytes(bytes)) => {
            Ok(read(&bytes).map_or_else(Opened::rejected, Opened::Accepted))
        }
        Ok(Content::TooLong) => Ok(Opened::rejected(format!(
            "`Cargo.toml` is larger than {} KiB; the one of the assignment's folder is far smaller",
            MAX_BYTES >> 10
        ))),
        Ok(Content::Other(_)) => Ok(Opened::Accepted(None)),
        // The candidate's folder itself may not be opened: its rejection or error says so.
        Err(IntakeError::Read { source, .. }) if source.kind() == ErrorKind::PermissionDenied => {
            Ok(Opened::Accepted(None))
        }
        Err(error) => Err(error),
    }
}

/// Returns the assignment that the text of a manifest names.
pub fn assignment_in(manifest: &[u8]) -> Option<String> {
    read(manifest).ok().flatten()
}

/// Most characters of what is wrong with a manifest.
const MOST_SAID: usize = 120;

/// Returns the assignment that a manifest names, or the error of the manifest as a whole.
fn read(manifest: &[u8]) -> Result<Option<String>, String> {
    let advice = "take the one of the assignment's folder";
    let Ok(text) = std::str::from_utf8(manifest) else {
        return Err(format!("`Cargo.toml` is not UTF-8 text; {advice}"));
    };
    match text.parse::<toml::Table>() {
        Ok(table) => Ok(named(&table)),
        Err(error) => {
            let line = error.span().map_or(1, |span| line_of(text, span.start));
            let said = error.message().lines().next().unwrap_or_default();
            let said: String = said.chars().take(MOST_SAID).collect();
            Err(format!("`Cargo.toml` cannot be read as TOML, line {line}: {said}; {advice}"))
        }
    }
}

fn named(table: &toml::Table) -> Option<String> {
    let metadata = table.get("package")?.get("metadata")?.get("softmark")?;
    let id = metadata.get("assignment")?.as_str()?;
    is_id(id).then(|| id.to_owned())
}

/// Returns the line of a byte, counted from 1.
fn line_of(text: &str, at: usize) -> usize {
    1 + text.bytes().take(at).filter(|&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(line: &str) -> Option<String> {
        assignment_in(
            format!("[package]\nname = \"x\"\n[package.metadata.softmark]\n{line}\n").as_bytes(),
        )
    }

    #[test]
    fn only_an_id_is_taken() {
        assert_eq!(with("assignment = \"attention\""), Some("attention".to_owned()));
        for line in [
            "",
            "assignment = 3",
            "assignment = \"../attention\"",
            "assignment = \"\"",
            "assignment = [\"attention\"]",
            "assignment = ",
            "Assignment = \"attention\"",
        ] {
            assert_eq!(with(line), None, "{line}");
        }
        assert_eq!(assignment_in(b"package = 3"), None);
        assert_eq!(assignment_in(b"\xff\xfe"), None);
        let deep = format!("a = {}", "[".repeat(60_000));
        assert_eq!(assignment_in(deep.as_bytes()), None);
        let deep = format!("a = {}1{}", "{a=".repeat(15_000), "}".repeat(15_000));
        assert_eq!(assignment_in(deep.as_bytes()), None);
        let deep = format!("{}a = 1", "a.".repeat(30_000));
        assert_eq!(assignment_in(deep.as_bytes()), None);
    }

    #[test]
    fn what_is_no_manifest_is_told_as_that() {
        let wrong = |text: &str| read(text.as_bytes()).unwrap_err();
        let deep = format!("[package]\na = {}", "[".repeat(60_000));
        for text in [deep.as_str(), "[package]\nname = ", "[package]\nname = 1 2"] {
            let told = wrong(text);
            assert!(told.starts_with("`Cargo.toml` cannot be read as TOML, line 2: "), "{told}");
            assert!(told.len() < 250, "{told}");
        }
        assert!(read(b"\xff").unwrap_err().contains("not UTF-8"));
        assert_eq!(read(b"[package]\nname = \"x\""), Ok(None));
    }

    proptest! {
        #[test]
        fn whatever_it_holds_it_is_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            assignment_in(&bytes);
        }
    }
}
