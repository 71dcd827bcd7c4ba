//! Version of the C library that a program needs.

use std::fs;
use std::path::Path;

use crate::package::error::PackageError;

/// Beginning of the names of the versions of symbols.
const PREFIX: &str = "GLIBC_2.";

/// Returns the newest minor version of glibc 2 that the program or library in `bytes` names; `None` if it names none, such
/// as one that is linked statically with another C library.
///
/// Names of versions are in the table of strings, with a zero byte before and after each.
fn needed(bytes: &[u8]) -> Option<u32> {
    bytes.split(|byte| *byte == 0).filter_map(minor_version).max()
}

/// Returns the minor version in the name of a version, such as `GLIBC_2.34` or `GLIBC_2.2.5`.
fn minor_version(name: &[u8]) -> Option<u32> {
    let numbers = str::from_utf8(name).ok()?.strip_prefix(PREFIX)?;
    let mut parts = numbers.split('.').map(str::parse);
    let minor = parts.next()?.ok()?;
    parts.all(|part: Result<u32, _>| part.is_ok()).then_some(minor)
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
        for other in ["GLIBC_2.", "GLIBC_2.x", "GLIBC_2.34x", "as GLIBC_2.99", "GLIBC_2.99 has"] {
            assert_eq!(needed(format!("\0{other}\0").as_bytes()), None, "{other}");
        }
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
