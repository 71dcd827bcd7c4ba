//! Place of Softmark's crates, on which a course depends.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Folder that this program was built from.
const BUILT_FROM: &str = env!("CARGO_MANIFEST_DIR");

/// Crate by which a checkout is recognised.
const KIT: &str = "crates/softmark-kit";

/// Place of Softmark's crates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Folder of a checkout.
    Checkout(PathBuf),
    /// Git repository, at a revision or at the head of its main branch.
    Repository {
        /// Address of the repository.
        url: String,
        /// Revision, if one is named.
        revision: Option<String>,
    },
}

/// A place that does not hold Softmark's crates.
#[derive(Debug, Error)]
pub enum SourceError {
    /// A folder is no checkout.
    #[error("{} is no checkout of Softmark: it has no `{KIT}`", path.display())]
    NoCheckout {
        /// Path of the folder.
        path: PathBuf,
    },
    /// No place was named, and the folder that the program was built from will not stay or is gone.
    #[error(
        "this program does not know where Softmark's crates are: it was installed without a checkout"
    )]
    Unknown,
}

impl Source {
    /// Reads the text of an option: the address of a git repository, with `#REVISION` if needed, or a folder.
    ///
    /// # Errors
    ///
    /// Fails if it is a folder that is no checkout.
    pub fn parse(text: &str) -> Result<Self, SourceError> {
        if text.contains("://") || text.starts_with("git@") {
            let (url, revision) = match text.split_once('#') {
                Some((url, revision)) => (url, Some(revision.to_owned())),
                None => (text, None),
            };
            return Ok(Self::Repository { url: url.to_owned(), revision });
        }
        Self::checkout(Path::new(text))
    }

    /// Returns the checkout that this program was built from.
    ///
    /// # Errors
    ///
    /// Fails if it is gone, or is a copy that cargo made of a repository and may delete.
    pub fn built_from() -> Result<Self, SourceError> {
        let folder = Path::new(BUILT_FROM);
        let is_copy = folder.ancestors().any(|it| it.ends_with("git/checkouts"));
        if is_copy || !folder.join(KIT).is_dir() {
            return Err(SourceError::Unknown);
        }
        Self::checkout(folder)
    }

    fn checkout(folder: &Path) -> Result<Self, SourceError> {
        match folder.canonicalize() {
            Ok(path) if path.join(KIT).is_dir() => Ok(Self::Checkout(path)),
            _ => Err(SourceError::NoCheckout { path: folder.to_owned() }),
        }
    }

    /// Returns the keys of a dependency on the crate in `folder` of the checkout, as TOML.
    pub(super) fn dependency(&self, folder: &str) -> String {
        let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
        match self {
            Self::Checkout(root) => {
                let path = if folder.is_empty() { root.clone() } else { root.join(folder) };
                format!("path = {}", quoted(&path.to_string_lossy()))
            }
            Self::Repository { url, revision: None } => format!("git = {}", quoted(url)),
            Self::Repository { url, revision: Some(revision) } => {
                format!("git = {}, rev = {}", quoted(url), quoted(revision))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_a_checkout_or_a_repository() {
        let from = |text: &str| Source::parse(text).unwrap().dependency("crates/softmark-kit");
        assert_eq!(from("https://h.org/s.git"), "git = \"https://h.org/s.git\"");
        assert_eq!(from("git@h.org:s#abc"), "git = \"git@h.org:s\", rev = \"abc\"");
        assert_eq!(from(BUILT_FROM), format!("path = \"{BUILT_FROM}/crates/softmark-kit\""));
        let error = Source::parse("/nowhere").unwrap_err().to_string();
        assert_eq!(error, "/nowhere is no checkout of Softmark: it has no `crates/softmark-kit`");
    }
}
