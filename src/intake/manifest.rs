//! What a submission's manifest says: read as data, and one value of it only.

use std::io::ErrorKind;
use std::path::PathBuf;

use crate::assignment::is_id;
use crate::intake::error::IntakeError;
use crate::intake::open::Content;
use crate::intake::place::{Place, open};
use crate::intake::submission::{Candidate, Rejection};
use crate::intake::tree::Disk;

/// A longer manifest is not read.
const MAX_BYTES: u64 = 64 * 1024;

/// The assignment that a candidate's `Cargo.toml` names under `[package.metadata.softmark]`.
///
/// `None` as well where the file is missing, is not TOML, or names what cannot be an assignment's
/// id: then it is for the instructor to say.
///
/// # Errors
///
/// When the file is there and cannot be read; the inner one when what was handed in is no
/// submission, whatever its assignment is.
pub fn assignment_of(
    candidate: &Candidate,
) -> Result<Result<Option<String>, Rejection>, IntakeError> {
    let path = PathBuf::from("Cargo.toml");
    let tree = match candidate.place {
        // That a folder is none its record says.
        Place::Folder => Box::new(Disk(candidate.path.clone())),
        Place::Archive | Place::Within(_) | Place::Refused(_) | Place::Undecided(_) => {
            match open(candidate, &[(path.clone(), MAX_BYTES)])? {
                Ok(tree) => tree,
                Err(reason) => return Ok(Err(Rejection::of_nothing(reason))),
            }
        }
    };
    match tree.content(&path, MAX_BYTES) {
        Ok(Content::Bytes(bytes)) => Ok(Ok(named(&bytes))),
        Ok(Content::TooLong | Content::Other(_)) => Ok(Ok(None)),
        // The candidate's folder itself may not be opened: its rejection or error says so.
        Err(IntakeError::Read { source, .. }) if source.kind() == ErrorKind::PermissionDenied => {
            Ok(Ok(None))
        }
        Err(error) => Err(error),
    }
}

fn named(manifest: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(manifest).ok()?;
    let table: toml::Table = text.parse().ok()?;
    let metadata = table.get("package")?.get("metadata")?.get("softmark")?;
    let id = metadata.get("assignment")?.as_str()?;
    is_id(id).then(|| id.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn with(line: &str) -> Option<String> {
        named(format!("[package]\nname = \"x\"\n[package.metadata.softmark]\n{line}\n").as_bytes())
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
        assert_eq!(named(b"package = 3"), None);
        assert_eq!(named(b"\xff\xfe"), None);
        let deep = format!("a = {}", "[".repeat(60_000));
        assert_eq!(named(deep.as_bytes()), None);
        let deep = format!("a = {}1{}", "{a=".repeat(15_000), "}".repeat(15_000));
        assert_eq!(named(deep.as_bytes()), None);
        let deep = format!("{}a = 1", "a.".repeat(30_000));
        assert_eq!(named(deep.as_bytes()), None);
    }

    proptest! {
        #[test]
        fn whatever_it_holds_it_is_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            named(&bytes);
        }
    }
}
