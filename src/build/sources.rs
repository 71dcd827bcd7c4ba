//! Folders of a pack's sources: the course, and Softmark's own crates.

use std::path::{Path, PathBuf};

use crate::build::pack::{BuildError, Tools};
use crate::build::toolchain::Toolchain;

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
            return Ok(Self { home, checkout: None });
        }
        let id = tools.run(&toolchain.cargo, &["pkgid", "--locked", "--offline", WORKER], &home)?;
        let checkout = checkout(&String::from_utf8_lossy(&id));
        Ok(Self { home, checkout })
    }

    /// Returns the folder that cargo takes sources from by their full path: the checkout.
    pub(crate) fn crates(&self) -> &Path {
        self.checkout.as_deref().unwrap_or(&self.home)
    }
}

/// Returns the folder of the checkout in which a crate with this id is; `None` if it is not in a folder.
fn checkout(id: &str) -> Option<PathBuf> {
    let path = id.lines().find_map(|line| line.strip_prefix("path+file://"))?;
    let folder = decoded(path.split('#').next()?);
    // `crates/softmark-worker`, in the checkout.
    Path::new(&folder).parent()?.parent().map(Path::to_owned)
}

/// Decodes the bytes that a URL writes as `%20`.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = code.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let (b'%', Some(byte)) = (first, byte) {
            bytes.push(byte);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
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
