//! SHA-256 of pieces, in hexadecimal.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// A hash of pieces, each with its length, so that no two lists of pieces read the same.
#[derive(Debug, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Adds a piece.
    pub(crate) fn add(&mut self, piece: &[u8]) {
        self.0.update((piece.len() as u64).to_le_bytes());
        self.0.update(piece);
    }

    /// The hash in small hexadecimal digits.
    pub(crate) fn finish(self) -> String {
        let mut text = String::new();
        for byte in self.0.finalize() {
            // Writing to a string does not fail.
            write!(text, "{byte:02x}").ok();
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pieces: &[&str]) -> String {
        let mut digest = Digest::default();
        for piece in pieces {
            digest.add(piece.as_bytes());
        }
        digest.finish()
    }

    #[test]
    fn pieces_do_not_run_into_one_another() {
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["ab"]), of(&["ab", ""]));
        // As `sha256sum` says of no bytes.
        assert_eq!(of(&[]), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
