//! Detects the format of an archive from its first bytes, because a name is easily changed.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use crate::intake::archive::offence::Offence;
use crate::intake::archive::tar;

/// Endings of archive names: formats that are read, and formats that are reported as unsupported. A longer
/// ending stands before a shorter one that it ends in.
const ENDINGS: [&str; 18] = [
    ".zip",
    ".tar",
    ".tar.gz",
    ".tgz",
    ".tar.bz2",
    ".tbz2",
    ".tbz",
    ".tar.xz",
    ".txz",
    ".tar.zst",
    ".tzst",
    ".tar.lz",
    ".tar.lzma",
    ".tar.z",
    ".7z",
    ".rar",
    ".zipx",
    ".cab",
];

/// Number of first bytes that identify the format.
pub(crate) const HEAD: u64 = 512;

/// An archive format that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Zip,
    Tar,
    TarGz,
}

/// Returns the length of the ending that marks a name as an archive's.
fn ending(name: &[u8]) -> Option<usize> {
    let lower = name.to_ascii_lowercase();
    ENDINGS.iter().find(|ending| lower.ends_with(ending.as_bytes())).map(|ending| ending.len())
}

/// True if the name has the ending of an archive.
pub(crate) fn is_archive(name: &OsStr) -> bool {
    ending(name.as_bytes()).is_some()
}

/// Returns the name without the ending of an archive.
pub(crate) fn stem(name: &OsStr) -> &OsStr {
    let bytes = name.as_bytes();
    let kept = ending(bytes).and_then(|ending| bytes.get(..bytes.len().checked_sub(ending)?));
    // A name that is nothing but an ending is all there is.
    OsStr::from_bytes(kept.filter(|kept| !kept.is_empty()).unwrap_or(bytes))
}

/// The format of the archive that begins with `head`.
pub(crate) fn of(head: &[u8]) -> Result<Format, Offence> {
    const REFUSED: [(&[u8], &str); 8] = [
        (b"Rar!\x1a\x07", "RAR"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"\xfd7zXZ\0", ".xz"),
        (b"BZh", ".bz2"),
        (b"\x28\xb5\x2f\xfd", ".zst"),
        (b"LZIP", ".lz"),
        (b"\x1f\x9d", ".Z"),
        (b"MSCF", ".cab"),
    ];
    if head.is_empty() {
        return Err(Offence::Empty);
    }
    if let Some((_, name)) = REFUSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        return Err(Offence::Format(name));
    }
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        Ok(Format::Zip)
    } else if head.starts_with(b"\x1f\x8b") {
        Ok(Format::TarGz)
    } else if tar::is_header(head) {
        Ok(Format::Tar)
    } else {
        Err(Offence::NoArchive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_makes_an_archive() {
        for (name, called) in [
            ("amara.zip", "amara"),
            ("AMARA.TAR.GZ", "AMARA"),
            ("a.b.tgz", "a.b"),
            ("a.zip.zip", "a.zip"),
            ("a.rar", "a"),
            (".zip", ".zip"),
        ] {
            assert!(is_archive(OsStr::new(name)), "{name}");
            assert_eq!(stem(OsStr::new(name)), called);
        }
        for name in ["amara", "zip", "a.gz", "a.txt", ""] {
            assert!(!is_archive(OsStr::new(name)), "{name}");
            assert_eq!(stem(OsStr::new(name)), name);
        }
    }
}
