//! Key of the server: signs cookies and the tokens of forms.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::digest::hexadecimal;

/// Number of random bytes in a key or a token, too many for an exhaustive search.
const BYTES: usize = 32;

/// Secret with which the server signs.
#[derive(Clone)]
pub(super) struct Key([u8; BYTES]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// Creates a key from a secret text.
    pub(super) fn of(secret: &str) -> Self {
        Self(Sha256::digest(format!("softmark serve\0{secret}")).into())
    }

    /// Returns the signature of these pieces for a purpose, in hexadecimal.
    pub(super) fn sign(&self, purpose: &str, pieces: &[&str]) -> String {
        // A key of any length is allowed.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return String::new() };
        for piece in [purpose].iter().chain(pieces) {
            mac.update(&(piece.len() as u64).to_le_bytes());
            mac.update(piece.as_bytes());
        }
        hexadecimal(&mac.finalize().into_bytes())
    }
}

/// Returns a new token: 256 random bits in hexadecimal; `None` if the system has no random numbers.
pub fn new_token() -> Option<String> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).ok()?;
    Some(hexadecimal(&bytes))
}

/// Returns true if two secrets are equal, in a time that does not depend on where they differ.
pub(in crate::serve) fn is_equal(one: &str, other: &str) -> bool {
    // Hashes have one length.
    let hash = |text: &str| -> [u8; BYTES] { Sha256::digest(text).into() };
    bool::from(hash(one).ct_eq(&hash(other)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_depend_on_key_purpose_and_each_piece() {
        let key = Key::of("one");
        let signed = key.sign("cookie", &["ab", "c"]);
        assert_eq!(signed, key.sign("cookie", &["ab", "c"]));
        assert_eq!(signed.len(), 64);
        for other in [
            Key::of("two").sign("cookie", &["ab", "c"]),
            key.sign("form", &["ab", "c"]),
            key.sign("cookie", &["a", "bc"]),
            key.sign("cookie", &["ab", "c", ""]),
        ] {
            assert_ne!(signed, other);
        }
    }

    #[test]
    fn random_texts_differ_and_equal_ones_are_equal() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert!(!is_equal(&one, &other) && is_equal(&one, &one.clone()));
        assert!(!is_equal("", "a") && is_equal("", ""));
    }
}
