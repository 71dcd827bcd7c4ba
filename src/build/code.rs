//! Text of a submission's modules.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path};

use crate::build::error::BuildError;

/// Files of a submission: path below `src/` → text. `lib.rs` is the assignment's own.
pub type Source = BTreeMap<String, Vec<u8>>;

/// True if `name`, from a list or a diagnostic of the compiler, is the name of a file in `source`.
pub(crate) fn is_own(name: &str, source: &Source) -> bool {
    name.strip_prefix("src/").is_some_and(|name| source.contains_key(name))
}

/// Writes a submission's files into `dir`, which holds nothing else.
pub(crate) fn write(source: &Source, dir: &Path) -> Result<(), BuildError> {
    for (name, text) in source {
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || name.is_empty() {
            return Err(BuildError::SourcePath { path: name.clone() });
        }
        let path = dir.join(name);
        let parent = path.parent().unwrap_or(dir);
        fs::create_dir_all(parent).map_err(|e| BuildError::io("make", parent, e))?;
        fs::write(&path, text).map_err(|source| BuildError::io("write", &path, source))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_written_elsewhere() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["../lib.rs", "/lib.rs", "a/../../lib.rs", "", "."] {
            let source = Source::from([(name.to_owned(), Vec::new())]);
            let error = write(&source, dir.path()).unwrap_err();
            assert!(matches!(error, BuildError::SourcePath { .. }), "{name}: {error}");
        }
        let source = Source::from([("a/b.rs".to_owned(), b"text".to_vec())]);
        write(&source, dir.path()).unwrap();
        assert_eq!(fs::read(dir.path().join("a/b.rs")).unwrap(), b"text");
    }
}
