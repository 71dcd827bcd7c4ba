//! Names of files on the Hub.

use std::fmt;

/// Kind of a repository.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A data set.
    Dataset,
    /// A model, with its tokenizer and vocabulary.
    Model,
}

/// A file of a repository at a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFile {
    kind: Kind,
    repository: String,
    commit: String,
    path: String,
}

/// Errors in the name of a file on the Hub.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The repository's name is not valid.
    #[error("`{0}` is no repository; write `owner/name` in letters, digits, `.`, `-` and `_`")]
    Repository(String),
    /// The commit is not 40 hexadecimal digits.
    #[error(
        "`{0}` is no commit; name the 40 hexadecimal digits of one, for a branch or a tag moves"
    )]
    Commit(String),
    /// The path is not valid.
    #[error("`{0}` is no path of a file inside a repository")]
    Path(String),
}

/// The number of hexadecimal digits of a commit.
const COMMIT_DIGITS: usize = 40;

impl HubFile {
    /// Returns the file `path` of `repository`, such as `owner/name`, at `commit`.
    ///
    /// # Errors
    ///
    /// Fails if one of the names is not valid, or could lead out of the cache.
    pub fn new(kind: Kind, repository: &str, commit: &str, path: &str) -> Result<Self, NameError> {
        let parts: Vec<&str> = repository.split('/').collect();
        if parts.len() > 2 || !parts.iter().all(|part| is_name(part)) {
            return Err(NameError::Repository(repository.to_owned()));
        }
        if commit.len() != COMMIT_DIGITS || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(NameError::Commit(commit.to_owned()));
        }
        let inside = |part: &str| {
            !matches!(part, "" | "." | "..")
                && !part.contains(['\\', ':'])
                && !part.contains(char::is_control)
        };
        if !path.split('/').all(inside) {
            return Err(NameError::Path(path.to_owned()));
        }
        Ok(Self {
            kind,
            repository: repository.to_owned(),
            commit: commit.to_ascii_lowercase(),
            path: path.to_owned(),
        })
    }

    /// Returns the kind of the repository.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the repository.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// Returns the commit, in lower case.
    pub fn commit(&self) -> &str {
        &self.commit
    }

    /// Returns the path inside the repository.
    pub fn path(&self) -> &str {
        &self.path
    }
}

fn is_name(part: &str) -> bool {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    !matches!(part, "" | "." | "..") && part.bytes().all(fits)
}

impl fmt::Display for HubFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Dataset => "datasets/",
            Kind::Model => "",
        };
        write!(f, "{kind}{}/{} at {}", self.repository, self.path, self.commit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMIT: &str = "0123456789ABCDEF0123456789abcdef01234567";

    #[test]
    fn names_that_name_a_file_are_taken() {
        let file = HubFile::new(Kind::Dataset, "a-1/b.c_d", COMMIT, "data/train 1.csv").unwrap();
        let want =
            "datasets/a-1/b.c_d/data/train 1.csv at 0123456789abcdef0123456789abcdef01234567";
        assert_eq!(file.to_string(), want);
        HubFile::new(Kind::Model, "gpt2", COMMIT, "vocab.txt").unwrap();
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        let new = |repository, commit, path| HubFile::new(Kind::Model, repository, commit, path);
        for repository in ["", "/", "a/", "a/b/c", "../x", "a/..", "a b", "a/b?c", "é"] {
            let error = new(repository, COMMIT, "x").unwrap_err();
            assert!(matches!(error, NameError::Repository(_)), "{repository}");
        }
        for commit in
            ["main", "", "v1.0", "0123456789abcdef", "g123456789abcdef0123456789abcdef01234567"]
        {
            assert!(
                matches!(new("a/b", commit, "x").unwrap_err(), NameError::Commit(_)),
                "{commit}"
            );
        }
        for path in ["", "/x", "../x", "a/../b", "a//b", "a/", "a\\b", "c:x", "a\nb", "."] {
            assert!(matches!(new("a/b", COMMIT, path).unwrap_err(), NameError::Path(_)), "{path}");
        }
    }
}
