//! Files of a package: path in the package → content and permissions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::package::error::PackageError;

/// Content of a file.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Text that is written for the package.
    Text(String),
    /// Copy of this file.
    Copy(PathBuf),
}

/// File of a package.
#[derive(Debug, Clone)]
pub(super) struct PackagedFile {
    content: Content,
    /// Permissions.
    pub(super) mode: u32,
}

/// Permissions of a file that is read, of a program or script, and of a file that the user alone may read.
const READ: u32 = 0o644;
const RUN: u32 = 0o755;
const SECRET: u32 = 0o600;

impl PackagedFile {
    /// Returns the bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, PackageError> {
        match &self.content {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::Copy(from) => {
                fs::read(from).map_err(|source| PackageError::io("read", from, source))
            }
        }
    }
}

/// Files of a package.
#[derive(Debug, Clone, Default)]
pub(super) struct Files(BTreeMap<PathBuf, PackagedFile>);

impl Files {
    /// Adds a file with this text.
    pub(super) fn text(&mut self, place: impl Into<PathBuf>, text: impl Into<String>) {
        self.insert(place.into(), Content::Text(text.into()), READ);
    }

    /// Adds a file with this text, which the user alone may read.
    pub(super) fn secret(&mut self, place: impl Into<PathBuf>, text: impl Into<String>) {
        self.insert(place.into(), Content::Text(text.into()), SECRET);
    }

    /// Adds a script with this text.
    pub(super) fn script(&mut self, place: impl Into<PathBuf>, text: impl Into<String>) {
        self.insert(place.into(), Content::Text(text.into()), RUN);
    }

    /// Adds a copy of the program at `from`.
    pub(super) fn program(&mut self, place: impl Into<PathBuf>, from: &Path) {
        self.insert(place.into(), Content::Copy(from.to_owned()), RUN);
    }

    /// Adds a copy of the file at `from`, or of all files below that folder but for hidden ones.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be read.
    pub(super) fn copy(&mut self, place: &Path, from: &Path) -> Result<(), PackageError> {
        if !from.is_dir() {
            self.insert(place.to_owned(), Content::Copy(from.to_owned()), READ);
            return Ok(());
        }
        let failed = |source| PackageError::io("read", from, source);
        for entry in fs::read_dir(from).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            if !name.as_encoded_bytes().starts_with(b".") {
                self.copy(&place.join(&name), &from.join(&name))?;
            }
        }
        Ok(())
    }

    /// Adds all files of `other` below `place`.
    pub(super) fn add_below(&mut self, place: &Path, other: &Self) {
        self.0.extend(other.0.iter().map(|(path, file)| (place.join(path), file.clone())));
    }

    fn insert(&mut self, place: PathBuf, content: Content, mode: u32) {
        self.0.insert(place, PackagedFile { content, mode });
    }

    /// Returns the files in the order of their paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Path, &PackagedFile)> {
        self.0.iter().map(|(place, file)| (place.as_path(), file))
    }
}
