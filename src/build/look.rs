//! A look at the toolchain and the cache, without building anything.

use std::path::{Path, PathBuf};

use crate::build::cargo;
use crate::build::key;
use crate::build::pack::{BuildError, Pack, Tools};
use crate::build::toolchain::Toolchain;

/// What a grader would build with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// The compiler, as it describes itself.
    pub compiler: String,
    /// Where it is.
    pub rustc: PathBuf,
    /// The package manager of the same toolchain.
    pub cargo: PathBuf,
    /// Where the pack is, or will be.
    pub pack: PathBuf,
    /// Whether it is there and whole.
    pub cached: bool,
}

impl Pack {
    /// Finds the toolchain, and the pack that [`Pack::prepare`] would take or build with it.
    ///
    /// # Errors
    ///
    /// When there is no toolchain, or the project cannot be read.
    pub fn look(tools: &Tools, home: &Path, cache: &Path) -> Result<Look, BuildError> {
        let home = home.canonicalize().map_err(|source| BuildError::io("find", home, source))?;
        let toolchain = Toolchain::find(tools, &home)?;
        let key = key::key(&home, &toolchain.version, &cargo::flags())?;
        let pack = Self::dir(cache, &key);
        Ok(Look {
            compiler: toolchain.version.lines().next().unwrap_or_default().to_owned(),
            rustc: toolchain.rustc,
            cargo: toolchain.cargo,
            cached: Self::is_whole(&pack, &key),
            pack,
        })
    }
}
