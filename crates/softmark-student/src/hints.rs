//! Hints of an assignment's public checks.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::error::StudentError;

/// Name of the file with the hints.
pub(crate) const FILE: &str = "hints.toml";

/// Hints on one check, from the vaguest to the clearest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hints {
    /// First hint: the place to look at.
    look: String,
    /// Second hint: a case to compute on paper.
    paper: String,
    /// Third hint: the usual mistake.
    usual: String,
}

/// Number of hints on each check.
pub(crate) const EACH: usize = 3;

impl Hints {
    /// Returns the hints with their titles, in their order.
    pub(crate) fn all(&self) -> [(&'static str, &str); EACH] {
        [
            ("Where to look", &self.look),
            ("What to try on paper", &self.paper),
            ("The usual mistake", &self.usual),
        ]
    }
}

/// Reads the hints in the folder `dir`, by the id of their check; there are none if there is no file.
///
/// # Errors
///
/// Fails if the file cannot be understood.
pub(crate) fn read(dir: &Path) -> Result<BTreeMap<String, Hints>, StudentError> {
    let Ok(text) = std::fs::read_to_string(dir.join(FILE)) else { return Ok(BTreeMap::new()) };
    toml::from_str(&text).map_err(|error| StudentError::Assignment(format!("{FILE}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_are_read_in_their_order() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read(dir.path()).unwrap().is_empty());
        let text = "[\"a/b\"]\nlook = \"L.\"\npaper = \"P.\"\nusual = \"U?\"\n";
        std::fs::write(dir.path().join(FILE), text).unwrap();
        let hints = read(dir.path()).unwrap();
        assert_eq!(hints["a/b"].all().map(|(_, text)| text), ["L.", "P.", "U?"]);
        std::fs::write(dir.path().join(FILE), "[\"a/b\"]\nlook = \"L.\"\n").unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("hints.toml: "));
    }
}
