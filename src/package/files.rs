//! Files of a package: path in the package → content and permissions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::package::error::PackageError;

/// Content of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// Text that the package is the first to have.
    Text(String),
    /// Copy of this file.
    Copy(PathBuf),
}

/// File of a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackagedFile {
    pub(crate) content: Content,
    /// True if it is a program or a script.
    pub(crate) is_executable: bool,
}

impl PackagedFile {
    /// Returns the bytes.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, PackageError> {
        match &self.content {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::Copy(from) => {
                fs::read(from).map_err(|source| PackageError::io("read", from, source))
            }
        }
    }

    /// Returns the permissions.
    pub(crate) fn mode(&self) -> u32 {
        if self.is_executable { 0o755 } else { 0o644 }
    }
}

/// Files of a package.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Files(BTreeMap<PathBuf, PackagedFile>);

impl Files {
    /// Adds a file with this text.
    pub(crate) fn text(&mut self, place: impl Into<PathBuf>, text: impl Into<String>) {
        self.insert(place.into(), Content::Text(text.into()), false);
    }

    /// Adds a script with this text.
    pub(crate) fn script(&mut self, place: impl Into<PathBuf>, text: impl Into<String>) {
        self.insert(place.into(), Content::Text(text.into()), true);
    }

    /// Adds a copy of the program at `from`.
    pub(crate) fn program(&mut self, place: impl Into<PathBuf>, from: &Path) {
        self.insert(place.into(), Content::Copy(from.to_owned()), true);
    }

    /// Adds a copy of the file at `from`, or of all files below that folder but for hidden ones.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be read.
    pub(crate) fn copy(&mut self, place: &Path, from: &Path) -> Result<(), PackageError> {
        if !from.is_dir() {
            self.insert(place.to_owned(), Content::Copy(from.to_owned()), false);
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
    pub(crate) fn add_below(&mut self, place: &Path, other: &Self) {
        self.0.extend(other.0.iter().map(|(path, file)| (place.join(path), file.clone())));
    }

    fn insert(&mut self, place: PathBuf, content: Content, is_executable: bool) {
        self.0.insert(place, PackagedFile { content, is_executable });
    }

    /// Returns the files in the order of their paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Path, &PackagedFile)> {
        self.0.iter().map(|(place, file)| (place.as_path(), file))
    }
}
