//! Why an archive is not accepted.

use thiserror::Error;

use crate::intake::name::shown_text;

/// Why an archive is not accepted; the student's fault. Each message says what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Offence {
    /// A path from the root.
    #[error("the archive holds the absolute path {}: pack the folder, not its whole path", quoted(.0))]
    Absolute(String),
    /// A path with `..`.
    #[error("the archive holds the path {}, which leads out of it by `..`", quoted(.0))]
    Parent(String),
    /// A backslash in a path.
    #[error(
        "the archive holds the name {}: a backslash separates no folders in an archive; pack it \
         with another program, such as the file manager's own",
        quoted(.0)
    )]
    Backslash(String),
    /// A drive letter.
    #[error("the archive holds the path {}, which names a drive: pack the folder alone", quoted(.0))]
    Drive(String),
    /// A control character in a name.
    #[error("the archive holds the name {}, in which there is a control character", quoted(.0))]
    Control(String),
    /// A name that is no text.
    #[error("the archive holds the name {}, which is not UTF-8: rename it", quoted(.0))]
    NotUtf8(String),
    /// No name at all.
    #[error("the archive holds an entry without a name")]
    NoName,
    /// A long path.
    #[error("the archive holds the path {}, which is longer than {limit} bytes", quoted(path))]
    LongPath {
        /// It.
        path: String,
        /// What is allowed.
        limit: usize,
    },
    /// A deep path.
    #[error("the archive holds the path {}, which is more than {limit} folders deep", quoted(path))]
    Deep {
        /// It.
        path: String,
        /// What is allowed.
        limit: usize,
    },
    /// A link.
    #[error("{} in the archive is a link: pack the file itself", quoted(.0))]
    Link(String),
    /// A device, a pipe and the like.
    #[error("{} in the archive is neither a file nor a folder", quoted(.0))]
    Special(String),
    /// One name twice.
    #[error("{} stands twice in the archive: pack it again from the start", quoted(.0))]
    Duplicate(String),
    /// Two names that are one on many systems.
    #[error(
        "{} and {} in the archive differ in capitals only, and are one name on many systems: \
         rename one of them",
        quoted(one),
        quoted(other)
    )]
    Clash {
        /// One.
        one: String,
        /// The other.
        other: String,
    },
    /// A file that has something in it.
    #[error("{} in the archive is both a file and a folder", quoted(.0))]
    FileAndFolder(String),
    /// A password.
    #[error("{} in the archive is encrypted: pack without a password", quoted(.0))]
    Encrypted(String),
    /// Packed in a way that is not read.
    #[error(
        "{} in the archive is packed by {method}, which is not read: pack as an ordinary .zip \
         (deflate) or .tar.gz",
        quoted(name)
    )]
    Method {
        /// What.
        name: String,
        /// How.
        method: String,
    },
    /// A format that is not read.
    #[error("{0} archives are not read: hand in a .zip or a .tar.gz")]
    Format(&'static str),
    /// It is called an archive, and is none.
    #[error(
        "the file is called an archive, and is none that can be read: hand in a .zip or a .tar.gz"
    )]
    NoArchive,
    /// Nothing at all.
    #[error("the archive is an empty file: hand it in again")]
    Empty,
    /// A large archive.
    #[error(
        "the archive has {bytes} bytes, at most {limit} are taken: leave out `target/` and whatever \
         else is not asked for"
    )]
    Large {
        /// How large.
        bytes: u64,
        /// What is allowed.
        limit: u64,
    },
    /// Many entries.
    #[error(
        "the archive holds more than {limit} files and folders: leave out `target/` and whatever \
         else is not asked for"
    )]
    Entries {
        /// What is allowed.
        limit: usize,
    },
    /// Large files.
    #[error(
        "the archive unpacks to more than {limit} bytes: leave out `target/` and whatever else is \
         not asked for"
    )]
    Total {
        /// What is allowed.
        limit: u64,
    },
    /// Files that are far larger than the archive.
    #[error("the archive unpacks to more than {limit} times its size, as no honest one does")]
    Ratio {
        /// What is allowed.
        limit: u64,
    },
    /// A zip archive of the kind for very large ones.
    #[error(
        "the archive is of the kind for more than 4 GiB (zip64), which is not read: pack as an \
         ordinary .zip or .tar.gz"
    )]
    Zip64,
    /// A file with holes.
    #[error("{} in the archive is a sparse file, which is not read: pack without `--sparse`", quoted(.0))]
    Sparse(String),
    /// Something contradicts something else, or is missing.
    #[error("the archive is damaged or incomplete ({0}): pack it and hand it in again")]
    Broken(&'static str),
    /// What an entry holds is not what the archive says of it.
    #[error("{} in the archive is damaged ({why}): pack it and hand it in again", quoted(name))]
    Damaged {
        /// What.
        name: String,
        /// How.
        why: &'static str,
    },
}

/// A name as it may be shown, however long it is.
fn quoted(name: &str) -> String {
    const MOST: usize = 80;
    let shown = shown_text(name);
    match shown.char_indices().nth(MOST) {
        Some((end, _)) => format!("`{}…`", shown.split_at(end).0),
        None => format!("`{shown}`"),
    }
}
