//! Origin of a pack: the toolchain, the sources and the key that follows from both.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::build::cargo;
use crate::build::error::BuildError;
use crate::build::key;
use crate::build::sources::Sources;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;

/// Name of the file with the key of the pack in the folder of a packaged course, which has no sources.
pub(crate) const PACKAGED: &str = "softmark.pack";

/// Toolchain and sources of a pack.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) toolchain: Toolchain,
    pub(crate) sources: Sources,
    /// Key of the pack.
    pub(crate) key: String,
    /// True if the pack came with the course, and cannot be built here.
    pub(crate) is_packaged: bool,
}

impl Origin {
    /// Finds the origin of the pack for the course at `home`.
    ///
    /// # Errors
    ///
    /// Fails if there is no toolchain, or the sources cannot be read.
    pub(crate) fn find(tools: &Tools, home: &Path) -> Result<Self, BuildError> {
        let home = home.canonicalize().map_err(|source| BuildError::io("find", home, source))?;
        let toolchain = Toolchain::find(tools, &home)?;
        if let Some(key) = packaged_key(&home)? {
            let sources = Sources { home, checkout: None, configs: Vec::new() };
            return Ok(Self { toolchain, sources, key, is_packaged: true });
        }
        let sources = Sources::find(tools, &toolchain, &home)?;
        let key = key::key(&sources, &toolchain.version, &cargo::flags())?;
        Ok(Self { toolchain, sources, key, is_packaged: false })
    }

    /// Returns this machine's paths and their replacements in messages; `built_in` is the course that the pack was built
    /// in.
    pub(crate) fn prefixes(&self, tools: &Tools, built_in: &Path) -> Vec<(PathBuf, &'static str)> {
        cargo::prefixes(tools, &self.toolchain, &self.sources, built_in)
    }
}

/// Returns the key in the file of a packaged course; `None` if the course has its sources.
fn packaged_key(home: &Path) -> Result<Option<String>, BuildError> {
    let path = home.join(PACKAGED);
    match fs::read_to_string(&path) {
        Ok(text) => Ok(Some(text.trim().to_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BuildError::io("read", &path, error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packaged_course_says_which_pack_is_its_own() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(packaged_key(home.path()).unwrap(), None);
        fs::write(home.path().join(PACKAGED), "68e84f42\n").unwrap();
        assert_eq!(packaged_key(home.path()).unwrap().as_deref(), Some("68e84f42"));
    }
}
