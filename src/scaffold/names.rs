//! Names of a new assignment, which take the place of the template's.

use std::fs;
use std::path::Path;

use serde::Deserialize;

use crate::assignment::is_id;
use crate::scaffold::error::ScaffoldError;

/// Id of the template's assignment, and the same as part of an identifier.
const SAMPLE: &str = "sample-id";
const SAMPLE_IDENTIFIER: &str = "sample_id";

/// Words that cannot name a crate: Rust's keywords, its own crates, and the names that cargo keeps.
const RESERVED: &str = "\
    abstract alloc as async await become box break const continue core crate do dyn else \
    enum extern false final fn for gen if impl in let loop macro match mod move mut override \
    priv proc-macro pub ref return self static std struct super test trait true try type \
    typeof union unsafe unsized use virtual where while yield";

/// Id of a new assignment, which is the name of a crate too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AssignmentId(String);

impl AssignmentId {
    /// Reads an id, for a course with these packages in its lock file.
    pub(super) fn parse(id: &str, packages: &[String]) -> Result<Self, ScaffoldError> {
        let reason = if !is_id(id) {
            Some(
                "an id is a small letter, and then small letters, digits and single hyphens"
                    .to_owned(),
            )
        } else if RESERVED.split(' ').any(|word| word == id) {
            Some("Rust or cargo uses the name".to_owned())
        } else {
            let taken = packages.iter().find(|it| *it == id || **it == format!("{id}-spec"));
            taken.map(|package| format!("there is a package `{package}` already"))
        };
        match reason {
            None => Ok(Self(id.to_owned())),
            Some(reason) => Err(ScaffoldError::Id { id: id.to_owned(), reason }),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the id as part of an identifier.
    pub(super) fn identifier(&self) -> String {
        self.0.replace('-', "_")
    }

    /// Puts the id in place of the template's.
    pub(super) fn put_into(&self, text: &str) -> String {
        text.replace(SAMPLE, &self.0).replace(SAMPLE_IDENTIFIER, &self.identifier())
    }
}

/// Fields of a lock file that are read here.
#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Returns the names of the packages in the text of a lock file; none if it is not valid, which cargo reports.
pub(super) fn packages(lock: &str) -> Vec<String> {
    let lock: Lock = toml::from_str(lock).unwrap_or(Lock { package: Vec::new() });
    lock.package.into_iter().map(|package| package.name).collect()
}

/// Returns the names of the packages in the lock file of the course at `home`; none if there is no such file.
pub(super) fn packages_of(home: &Path) -> Vec<String> {
    fs::read_to_string(home.join("Cargo.lock")).map(|lock| packages(&lock)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_names_crates_and_files() {
        let id = AssignmentId::parse("lab-2", &[]).unwrap();
        assert_eq!(id.put_into("sample-id-spec sample_id_spec"), "lab-2-spec lab_2_spec");
    }

    #[test]
    fn what_cannot_name_a_crate_is_refused() {
        let packages =
            packages("[[package]]\nname = \"serde\"\n[[package]]\nname = \"lab-spec\"\n");
        let told = |id: &str| AssignmentId::parse(id, &packages).unwrap_err().to_string();
        for id in ["Lab", "../x", "2-labs", "lab_2"] {
            assert!(told(id).ends_with("small letters, digits and single hyphens"), "{}", told(id));
        }
        assert!(told("match").ends_with("Rust or cargo uses the name"));
        assert!(told("serde").ends_with("there is a package `serde` already"));
        assert!(told("lab").ends_with("there is a package `lab-spec` already"));
    }
}
