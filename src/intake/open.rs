//! Files and folders of unknown kind: checked before they are opened, without following links.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use nix::fcntl::OFlag;

/// Kind of the entry at a path; links are not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// There is no entry.
    Nothing,
    /// A folder.
    Folder,
    /// A regular file.
    File,
    /// A link to anything.
    Link,
    /// A device, a pipe or a socket.
    Special,
}

impl Kind {
    fn of(found: fs::FileType) -> Self {
        if found.is_dir() {
            Self::Folder
        } else if found.is_file() {
            Self::File
        } else if found.is_symlink() {
            Self::Link
        } else {
            Self::Special
        }
    }

    /// Returns the kind in words.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "missing",
            Self::Folder => "a folder",
            Self::File => "a file",
            Self::Link => "a link",
            Self::Special => "a device, a pipe or a socket",
        }
    }
}

/// Returns the kind of the entry at `path`.
pub(crate) fn kind(path: &Path) -> io::Result<Kind> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Kind::of(metadata.file_type())),
        // Below a file there is nothing.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            Ok(Kind::Nothing)
        }
        Err(error) => Err(error),
    }
}

/// Content of a regular file, or the reason why it was not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// The whole content.
    Bytes(Vec<u8>),
    /// The file is longer than allowed.
    TooLong,
    /// The entry is not a regular file.
    Other(Kind),
}

/// Opens a regular file; anything else is not even waited for, and `None`.
pub(crate) fn regular(path: &Path) -> io::Result<Option<fs::File>> {
    if kind(path)? != Kind::File {
        return Ok(None);
    }
    // Should it be replaced right now, then it is neither followed nor waited for.
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits()).open(path)?;
    Ok(Some(file).filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file())))
}

/// Reads a regular file of at most `limit` bytes; anything else is not even waited for.
pub(crate) fn content(path: &Path, limit: u64) -> io::Result<Content> {
    let Some(file) = regular(path)? else {
        return Ok(Content::Other(match kind(path)? {
            // It has been replaced right now.
            Kind::File => Kind::Special,
            kind @ (Kind::Nothing | Kind::Folder | Kind::Link | Kind::Special) => kind,
        }));
    };
    if file.metadata()?.len() > limit {
        return Ok(Content::TooLong);
    }
    let mut bytes = Vec::new();
    // It may grow while it is read.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > limit { Content::TooLong } else { Content::Bytes(bytes) })
}

/// Returns a folder's entries in the order of their names, or `None` if there are more than `limit`.
pub(crate) fn entries(dir: &Path, limit: usize) -> io::Result<Option<Vec<(OsString, Kind)>>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if found.len() == limit {
            return Ok(None);
        }
        found.push((entry.file_name(), Kind::of(entry.file_type()?)));
    }
    found.sort();
    Ok(Some(found))
}

/// True if a name is hidden.
pub(crate) fn is_hidden(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use nix::sys::stat::Mode;

    use super::*;

    #[test]
    fn only_regular_files_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "12345").unwrap();
        symlink(at("file"), at("link")).unwrap();
        symlink("nowhere", at("broken")).unwrap();
        symlink("self", at("self")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        nix::unistd::mkfifo(&at("pipe"), Mode::S_IRWXU).unwrap();
        let socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        let content = |name: &str, limit| content(&at(name), limit).unwrap();
        assert_eq!(content("file", 5), Content::Bytes(b"12345".to_vec()));
        assert_eq!(content("file", 4), Content::TooLong);
        for (name, kind) in [
            ("link", Kind::Link),
            ("broken", Kind::Link),
            ("self", Kind::Link),
            ("folder", Kind::Folder),
            ("pipe", Kind::Special),
            ("socket", Kind::Special),
            ("nothing", Kind::Nothing),
            ("file/below", Kind::Nothing),
        ] {
            assert_eq!(content(name, 5), Content::Other(kind), "{name}");
        }
        assert_eq!(
            super::content(Path::new("/dev/zero"), 5).unwrap(),
            Content::Other(Kind::Special)
        );
        drop(socket);
    }

    #[test]
    fn a_huge_file_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("huge");
        // A terabyte, of which nothing is there.
        fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(content(&path, 1 << 18).unwrap(), Content::TooLong);
    }

    #[test]
    fn entries_come_in_order_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b", "a", "c"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        let names = entries(dir.path(), 3).unwrap().unwrap();
        assert_eq!(names, ["a", "b", "c"].map(|name| (OsString::from(name), Kind::File)));
        assert_eq!(entries(dir.path(), 2).unwrap(), None);
    }
}
