//! Description of the toolchain and of the cache, without building anything.

use std::path::{Path, PathBuf};

use crate::build::cache;
use crate::build::error::BuildError;
use crate::build::origin::Origin;
use crate::build::pack::Pack;
use crate::build::tools::Tools;

/// Toolchain and pack that a grader would use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackStatus {
    /// First line of `rustc -vV`.
    pub compiler: String,
    /// Path of the compiler.
    pub rustc: PathBuf,
    /// Path of the cargo of the same toolchain.
    pub cargo: PathBuf,
    /// Key of the pack.
    pub key: String,
    /// Path of the pack, whether or not it exists yet.
    pub pack: PathBuf,
    /// True if the pack exists and is complete.
    pub cached: bool,
    /// Size of the cache, in bytes.
    pub cache_bytes: u64,
}

impl Pack {
    /// Finds the toolchain, and the pack that [`Pack::prepare`] would use or build.
    ///
    /// # Errors
    ///
    /// Fails if there is no toolchain, the project cannot be read, or others could write into the cache.
    pub fn status(tools: &Tools, home: &Path, cache: &Path) -> Result<PackStatus, BuildError> {
        cache::check(cache)?;
        let Origin { toolchain, key, .. } = Origin::find(tools, home)?;
        let pack = Self::dir(cache, &key);
        Ok(PackStatus {
            compiler: toolchain.release().to_owned(),
            rustc: toolchain.rustc,
            cargo: toolchain.cargo,
            cached: Self::is_whole(&pack, &key),
            key,
            pack,
            cache_bytes: cache::size(cache),
        })
    }
}
