//! Reasons for which an archive is rejected.

use std::fmt;

use softmark_untrusted::UntrustedName;
use thiserror::Error;

/// Name of an entry of an archive, in a message. It prints in backticks, and cut if it is long.
#[derive(Clone, PartialEq, Eq)]
pub struct EntryName(UntrustedName);

impl<N: Into<UntrustedName>> From<N> for EntryName {
    fn from(name: N) -> Self {
        Self(name.into())
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 80;
        let shown = self.0.to_string();
        match shown.char_indices().nth(MOST) {
            Some((end, _)) => write!(f, "`{}…`", shown.split_at(end).0),
            None => write!(f, "`{shown}`"),
        }
    }
}

impl fmt::Debug for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reason for rejecting an archive, which is the student's fault. Each message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Offence {
    /// A path is absolute.
    #[error("the archive holds the absolute path {}: pack the folder, not its whole path", .0)]
    Absolute(EntryName),
    /// A path contains `..`.
    #[error("the archive holds the path {}, which leads out of it by `..`", .0)]
    Parent(EntryName),
    /// A path contains a backslash.
    #[error(
        "the archive holds the name {}: a backslash separates no folders in an archive; pack it \
         with another program, such as the file manager's own",
        .0
    )]
    Backslash(EntryName),
    /// A path has a drive letter.
    #[error("the archive holds the path {}, which names a drive: pack the folder alone", .0)]
    Drive(EntryName),
    /// A name contains a control character.
    #[error("the archive holds the name {}, in which there is a control character", .0)]
    Control(EntryName),
    /// A name is not UTF-8.
    #[error("the archive holds the name {}, which is not UTF-8: rename it", .0)]
    NotUtf8(EntryName),
    /// An entry has no name.
    #[error("the archive holds an entry without a name")]
    NoName,
    /// A path is too long.
    #[error("the archive holds the path {}, which is longer than {limit} bytes", path)]
    LongPath {
        /// The path.
        path: EntryName,
        /// The limit.
        limit: usize,
    },
    /// A path has too many folders.
    #[error("the archive holds the path {}, which is more than {limit} folders deep", path)]
    Deep {
        /// The path.
        path: EntryName,
        /// The limit.
        limit: usize,
    },
    /// An entry is a link.
    #[error("{} in the archive is a link: pack the file itself", .0)]
    Link(EntryName),
    /// An entry is a device, a pipe or the like.
    #[error("{} in the archive is neither a file nor a folder", .0)]
    Special(EntryName),
    /// Two entries have one name.
    #[error("{} stands twice in the archive: pack it again from the start", .0)]
    Duplicate(EntryName),
    /// Two names differ only in case.
    #[error(
        "{} and {} in the archive differ in capitals only, and are one name on many systems: \
         rename one of them",
        one,
        other
    )]
    Clash {
        /// First name.
        one: EntryName,
        /// Second name.
        other: EntryName,
    },
    /// A file contains other entries.
    #[error("{} in the archive is both a file and a folder", .0)]
    FileAndFolder(EntryName),
    /// An entry is encrypted.
    #[error("{} in the archive is encrypted: pack without a password", .0)]
    Encrypted(EntryName),
    /// The compression method is not supported.
    #[error(
        "{} in the archive is packed by {method}, which is not read: pack as an ordinary .zip \
         (deflate) or .tar.gz",
        name
    )]
    Method {
        /// Name of the entry.
        name: EntryName,
        /// Compression method.
        method: String,
    },
    /// The format is not supported.
    #[error("{0} archives are not read: hand in a .zip or a .tar.gz")]
    Format(&'static str),
    /// The file is not an archive.
    #[error(
        "the file is called an archive, and is none that can be read: hand in a .zip or a .tar.gz"
    )]
    NoArchive,
    /// The file is empty.
    #[error("the archive is an empty file: hand it in again")]
    Empty,
    /// The archive is too large.
    #[error(
        "the archive has {bytes} bytes, at most {limit} are taken: leave out `target/` and whatever \
         else is not asked for"
    )]
    Large {
        /// Size in bytes.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
    /// The archive has too many entries.
    #[error(
        "the archive holds more than {limit} files and folders: leave out `target/` and whatever \
         else is not asked for"
    )]
    Entries {
        /// The limit.
        limit: usize,
    },
    /// The files are too large when unpacked.
    #[error(
        "the archive unpacks to more than {limit} bytes: leave out `target/` and whatever else is \
         not asked for"
    )]
    Total {
        /// The limit.
        limit: u64,
    },
    /// The files are far larger than the archive.
    #[error("the archive unpacks to more than {limit} times its size, as no honest one does")]
    Ratio {
        /// The limit.
        limit: u64,
    },
    /// The archive is in zip64 format.
    #[error(
        "the archive is of the kind for more than 4 GiB (zip64), which is not read: pack as an \
         ordinary .zip or .tar.gz"
    )]
    Zip64,
    /// An entry is a sparse file.
    #[error("{} in the archive is a sparse file, which is not read: pack without `--sparse`", .0)]
    Sparse(EntryName),
    /// The archive contradicts itself or is incomplete.
    #[error("the archive is damaged or incomplete ({0}): pack it and hand it in again")]
    Broken(&'static str),
    /// The contents of an entry do not match its header.
    #[error("{} in the archive is damaged ({why}): pack it and hand it in again", name)]
    Damaged {
        /// Name of the entry.
        name: EntryName,
        /// Reason.
        why: &'static str,
    },
}
