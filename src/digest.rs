//! SHA-256 of lists of byte strings, in hexadecimal.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use sha2::{Digest as _, Sha256};

/// Hash of a list of pieces, each with its length, so that different lists have different inputs.
#[derive(Debug, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Adds a piece to the hash.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
    }

    /// Returns the hash in lower-case hexadecimal.
    pub(crate) fn finish(self) -> String {
        hexadecimal(&self.0.finalize())
    }
}

/// Returns bytes in lower-case hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string does not fail.
        write!(text, "{byte:02x}").ok();
    }
    text
}

/// Returns the hash of these pieces.
pub(crate) fn of(pieces: &[impl AsRef<[u8]>]) -> String {
    let mut digest = Digest::default();
    for piece in pieces {
        digest.add(piece.as_ref());
    }
    digest.finish()
}

/// Returns the hash of a file's content as one piece.
pub(crate) fn of_file(path: &Path) -> io::Result<String> {
    Ok(of(&[fs::read(path)?]))
}

/// Returns the hash of bytes alone, as `sha256sum` prints it.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_do_not_run_into_one_another() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        // The output of `sha256sum` for an empty file.
        assert_eq!(
            of(&[""; 0]),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
    }

    #[test]
    fn a_file_is_one_piece() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("abc");
        fs::write(&path, "abc").unwrap();
        assert_eq!(of_file(&path).unwrap(), of(&["abc"]));
        assert!(of_file(dir.path()).is_err());
    }
}
