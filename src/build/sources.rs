//! Folders of a pack's sources: the course, and Softmark's own crates.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

use crate::build::error::BuildError;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;

/// Crate by which Softmark's crates are found.
const WORKER: &str = "softmark-worker";

/// Folders of a pack's sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sources {
    /// Folder of the course.
    pub(crate) home: PathBuf,
    /// Folder of the checkout whose crates the course uses, if that is another one. Crates from a repository are in
    /// none; the lock file says which they are.
    pub(crate) checkout: Option<PathBuf>,
    /// Configuration files of cargo that apply in the course, such as `.cargo/config.toml`; the first ones take precedence.
    pub(crate) configs: Vec<PathBuf>,
}

impl Sources {
    /// Finds the sources of the course at `home`, an absolute path.
    ///
    /// # Errors
    ///
    /// Fails if cargo does not know the crates, for example because there is no lock file.
    pub(crate) fn find(
        tools: &Tools,
        toolchain: &Toolchain,
        home: &Path,
    ) -> Result<Self, BuildError> {
        let home = home.to_owned();
        if home.join("crates").join(WORKER).is_dir() {
            let configs = configs(tools, &home);
            return Ok(Self { home, checkout: None, configs });
        }
        let id = tools.run(&toolchain.cargo, &["pkgid", "--locked", "--offline", WORKER], &home)?;
        let checkout = checkout(&String::from_utf8_lossy(&id));
        let configs = configs(tools, &home);
        Ok(Self { home, checkout, configs })
    }

    /// Returns the folder that cargo takes sources from by their full path: the checkout.
    pub(crate) fn crates(&self) -> &Path {
        self.checkout.as_deref().unwrap_or(&self.home)
    }
}

/// Returns the configuration files that cargo reads in the folder `home`: those of the folders that it is in, and the
/// user's.
fn configs(tools: &Tools, home: &Path) -> Vec<PathBuf> {
    let folders = home.ancestors().map(|folder| folder.join(".cargo")).chain(tools.cargo_home());
    let files = folders.flat_map(|folder| ["config", "config.toml"].map(|name| folder.join(name)));
    let mut found: Vec<PathBuf> = Vec::new();
    for file in files {
        if file.is_file() && !found.contains(&file) {
            found.push(file);
        }
    }
    found
}

/// Returns the folder of the checkout in which a crate with this id is; `None` if it is not in a folder.
fn checkout(id: &str) -> Option<PathBuf> {
    let path = id.lines().find_map(|line| line.strip_prefix("path+file://"))?;
    let bytes: Vec<u8> = percent_decode_str(path.split('#').next()?).collect();
    let folder = Path::new(OsStr::from_bytes(&bytes));
    // `crates/softmark-worker`, in the checkout.
    folder.parent()?.parent().map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_read_from_the_id_of_a_crate() {
        let path = |id: &str| checkout(id).map(|path| path.display().to_string());
        assert_eq!(
            path("path+file:///a/b%20c/crates/softmark-worker#0.1.0\n").as_deref(),
            Some("/a/b c")
        );
        assert_eq!(path("git+https://h.org/s#softmark-worker@0.1.0\n"), None);
    }
}
