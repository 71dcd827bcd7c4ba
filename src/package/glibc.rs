//! Version of the C library that a program needs.

use std::fs;
use std::path::Path;

use crate::package::error::PackageError;

/// Beginning of the names of the versions of symbols.
const PREFIX: &[u8] = b"GLIBC_2.";

/// Returns the newest minor version of glibc 2 that the program or library in `bytes` names; `None` if it names none, such
/// as one that is linked statically with another C library.
fn needed(bytes: &[u8]) -> Option<u32> {
    let mut newest = None;
    for (at, window) in bytes.windows(PREFIX.len()).enumerate() {
        if window != PREFIX {
            continue;
        }
        let digits = bytes.iter().skip(at + PREFIX.len()).take_while(|byte| byte.is_ascii_digit());
        let minor = digits.take(4).fold(0, |number, digit| number * 10 + u32::from(digit - b'0'));
        newest = newest.max(Some(minor));
    }
    newest
}

/// Checks that the program or library at `path` runs where glibc has the minor version `available`.
///
/// # Errors
///
/// Fails if it needs a newer one, or cannot be read.
pub(super) fn check(path: &Path, available: u32) -> Result<(), PackageError> {
    let bytes = fs::read(path).map_err(|source| PackageError::io("read", path, source))?;
    match needed(&bytes) {
        Some(minor) if minor > available => Err(PackageError::Glibc {
            path: path.to_owned(),
            needed: format!("2.{minor}"),
            available: format!("2.{available}"),
        }),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_version_counts() {
        assert_eq!(needed(b"\x7fELF\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_2.17\0"), Some(34));
        assert_eq!(needed(b"\x7fELF\0GLIBC_PRIVATE\0"), None);
        assert_eq!(needed(b"GLIBC_2."), Some(0));
    }

    #[test]
    fn a_program_for_a_newer_library_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("grade");
        fs::write(&path, b"\x7fELF\0GLIBC_2.38\0").unwrap();
        let error = check(&path, 35).unwrap_err().to_string();
        assert!(
            error.ends_with("needs glibc 2.38, and the platform's container has 2.35"),
            "{error}"
        );
        assert!(check(&path, 38).is_ok());
    }
}
