//! Files in folders, on the disk or in an archive, behind one interface.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::intake::archive::Node;
use crate::intake::error::IntakeError;
use crate::intake::open::{self, Content, Kind};

/// Files in folders; paths are relative to the root.
pub(crate) trait Tree {
    /// Returns the kind of the entry at `path`; a link is not followed.
    fn kind(&self, path: &Path) -> Result<Kind, IntakeError>;
    /// Returns the size of the regular file at `path`, in bytes.
    fn size(&self, path: &Path) -> Result<u64, IntakeError>;
    /// Returns the content of the file at `path`, or the reason why it was not read.
    fn content(&self, path: &Path, limit: u64) -> Result<Content, IntakeError>;
    /// Returns a folder's entries in the order of their names, or `None` if there are more than `limit`.
    fn entries(&self, dir: &Path, limit: usize) -> Result<Option<Entries>, IntakeError>;
    /// True if a link leads to a file; the only method that follows a link.
    fn leads_to_file(&self, path: &Path) -> bool;
}

/// Names of entries, with their kinds.
pub(crate) type Entries = Vec<(OsString, Kind)>;

/// A folder on the disk.
#[derive(Debug)]
pub(crate) struct Disk(pub(crate) PathBuf);

impl Tree for Disk {
    fn kind(&self, path: &Path) -> Result<Kind, IntakeError> {
        let path = self.0.join(path);
        open::kind(&path).map_err(IntakeError::read(&path))
    }

    fn size(&self, path: &Path) -> Result<u64, IntakeError> {
        let path = self.0.join(path);
        Ok(fs::symlink_metadata(&path).map_err(IntakeError::read(&path))?.len())
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Content, IntakeError> {
        let path = self.0.join(path);
        open::content(&path, limit).map_err(IntakeError::read(&path))
    }

    fn entries(&self, dir: &Path, limit: usize) -> Result<Option<Entries>, IntakeError> {
        let path = self.0.join(dir);
        open::entries(&path, limit).map_err(IntakeError::read(&path))
    }

    fn leads_to_file(&self, path: &Path) -> bool {
        fs::metadata(self.0.join(path)).is_ok_and(|metadata| !metadata.is_dir())
    }
}

/// A folder in an archive, with the files in it that were requested.
#[derive(Debug)]
pub(crate) struct Packed {
    pub(crate) root: Node,
    pub(crate) taken: BTreeMap<PathBuf, Content>,
}

impl Packed {
    /// The names alone.
    pub(crate) fn names(root: Node) -> Self {
        Self { root, taken: BTreeMap::new() }
    }
}

impl Tree for Packed {
    fn kind(&self, path: &Path) -> Result<Kind, IntakeError> {
        Ok(self.root.at(path).map_or(Kind::Nothing, |node| node.kind))
    }

    fn size(&self, path: &Path) -> Result<u64, IntakeError> {
        Ok(self.root.at(path).map_or(0, |node| node.size))
    }

    fn content(&self, path: &Path, limit: u64) -> Result<Content, IntakeError> {
        Ok(match (self.kind(path)?, self.taken.get(path)) {
            (Kind::File, Some(Content::Bytes(bytes))) if bytes.len() as u64 <= limit => {
                Content::Bytes(bytes.clone())
            }
            (Kind::File, _) => Content::TooLong,
            (kind, _) => Content::Other(kind),
        })
    }

    fn entries(&self, dir: &Path, limit: usize) -> Result<Option<Entries>, IntakeError> {
        let inside = self.root.at(dir).map(|node| &node.inside);
        Ok(inside.filter(|inside| inside.len() <= limit).map(|inside| {
            inside.iter().map(|(name, node)| (OsString::from(name), node.kind)).collect()
        }))
    }

    /// None leads out of an archive, and none that leads elsewhere in it is followed.
    fn leads_to_file(&self, _path: &Path) -> bool {
        false
    }
}
