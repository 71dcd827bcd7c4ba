//! Checks of the files and variables that the compiler reports to have read.
//!
//! rustc lists every file that it read for a crate and every environment variable that the code
//! asked for (`--emit=dep-info`). A submission is compiled from its own files alone, so any other
//! entry of that list is rejected, whatever language feature caused it.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::build::code::{Source, is_own};
use crate::build::error::BuildError;
use crate::build::fault::{BuildFault, BuildFaultKind};

const READS_FILE: &str = "the code reads a file that is not its own while it is compiled. A submission \
                          is compiled from its own files alone: write what it needs into the code.";

/// Returns the fault of a submission if the compiler's list at `path` names more than `source`.
/// Returns `None` if there is no list because the compiler failed early.
///
/// # Errors
///
/// Fails if the list cannot be read.
pub(crate) fn foreign(path: &Path, source: &Source) -> Result<Option<BuildFault>, BuildError> {
    match fs::read_to_string(path) {
        Ok(list) => Ok(in_list(&list, source)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(BuildError::io("read", path, error)),
    }
}

/// Returns the fault of code that made the compiler read a file that is not the submission's.
pub(crate) fn reads_file() -> BuildFault {
    fault(READS_FILE.to_owned())
}

fn in_list(list: &str, source: &Source) -> Option<BuildFault> {
    for line in list.lines() {
        if let Some(variable) = line.strip_prefix("# env-dep:") {
            let name = variable.split('=').next().unwrap_or_default();
            return Some(fault(format!(
                "the code reads `{name}` from the environment of the machine that compiles it, and a \
                 submission is compiled without one: write what it needs into the code."
            )));
        }
        // The list names each file once more on a line of its own, without dependencies.
        let file = line.strip_suffix(':').map(|name| name.replace("\\ ", " "));
        if file.is_some_and(|name| !is_own(&name, source)) {
            return Some(reads_file());
        }
    }
    None
}

fn fault(message: String) -> BuildFault {
    BuildFault::new(BuildFaultKind::Forbidden, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(files: &[&str], end: &str) -> Option<String> {
        let source = ["lib.rs", "a.rs", "b c.rs"];
        let source = source.map(|name| (name.to_owned(), Vec::new())).into();
        let lines: String = files.iter().flat_map(|file| [*file, ":\n"]).collect();
        let list = format!("/tmp/x y/s.d: {}\n\n{lines}\n{end}", files.join(" "));
        in_list(&list, &source).map(|fault| fault.message.to_string())
    }

    #[test]
    fn only_a_submissions_own_files_may_be_read() {
        assert_eq!(message(&["src/lib.rs", "src/a.rs", "src/b\\ c.rs"], ""), None);
        for other in ["/etc/passwd", "src/../a.rs", "src/d.rs", "a.rs", "src/b\\ c.rs.txt", "src/"]
        {
            assert_eq!(message(&["src/lib.rs", other], "").as_deref(), Some(READS_FILE), "{other}");
        }
    }

    #[test]
    fn no_variable_may_be_asked_for() {
        for end in ["# env-dep:SECRET=x", "# env-dep:SECRET"] {
            let message = message(&["src/lib.rs"], end).unwrap();
            assert!(message.starts_with("the code reads `SECRET` from"), "{message}");
        }
    }
}
