//! Files of a release, to which a handout refers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files of a release: path → content.
pub(super) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Returns the text of a file; `None` if there is no such file, or it is not text.
pub(super) fn text<'a>(files: &'a Files, path: &Path) -> Option<&'a str> {
    std::str::from_utf8(files.get(path)?).ok()
}

/// True if there is such a file, or a folder with files.
pub(super) fn has(files: &Files, path: &Path) -> bool {
    files.keys().any(|file| file.starts_with(path)) && !path.as_os_str().is_empty()
}
