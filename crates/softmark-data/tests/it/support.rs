//! Location of the published data, and a check that it is unchanged.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Returns the folder with the published data; prints that nothing is tested if there is none.
///
/// The folder is named by `SOFTMARK_DATA`, or lies beside the project as `shared/data`.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment where data is")]
pub(crate) fn data() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folder = std::env::var("SOFTMARK_DATA").map_or(beside, PathBuf::from);
    if folder.join("SHA256SUMS").is_file() {
        return Some(folder);
    }
    let line =
        format!("\nSKIPPED: no published data in {} (set SOFTMARK_DATA)\n", folder.display());
    writeln!(std::io::stderr().lock(), "{line}").unwrap();
    None
}

/// Returns the SHA-256 of bytes in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Returns bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// Asserts that every file below `folder` of the published data has its listed digest.
pub(crate) fn assert_published(data: &Path, folder: &str) {
    let sums = std::fs::read_to_string(data.join("SHA256SUMS")).unwrap();
    let mut checked = 0;
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let path = data.join(name);
        if name.starts_with(folder) && path.is_file() {
            assert_eq!(sha256(&std::fs::read(path).unwrap()), sum, "{name}");
            checked += 1;
        }
    }
    assert!(checked > 0, "nothing is listed below {folder}");
}
