//! Compiling several trusted submissions, and linking the programs of all of them into one file.
//!
//! Linking the four programs of an encoder fixture costs 1.2 s of processor time, compiling it 0.6
//! s. Mutants and accepted variants are the project's own code, so they need no isolation from one
//! another: one file holds the programs of many, and the last argument of each process selects the
//! program.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::build::compile::{CRATE, Compilation, folder, kit_of, library_of};
use crate::build::error::BuildError;
use crate::build::fault::{self, BuildFault, Compiled};
use crate::build::pack::Pack;
use crate::build::{ProgramSpec, Source, rustc};

/// Name of the program that holds all others.
const PROGRAM: &str = "bundle";

/// Outcome of linking several submissions into one file.
#[derive(Debug, Clone)]
pub enum Bundle {
    /// All submissions compile.
    Linked {
        /// Path of the file.
        program: PathBuf,
    },
    /// A submission does not compile.
    Faulty {
        /// Index of the submission in `sources`.
        member: usize,
        /// Fault of that submission.
        fault: BuildFault,
    },
}

impl Bundle {
    /// Returns the argument that selects the program `program` of the submission with index
    /// `member`.
    pub fn entry(member: usize, program: &str) -> String {
        format!("member_{member}_{program}")
    }
}

impl Pack {
    /// Compiles each of `sources`, and links `programs` of all of them into one file below `scratch`, an empty
    /// folder.
    ///
    /// Only for trusted code: the processes of each submission contain the items of all others. The
    /// `main` of each program must return an `ExitCode`.
    ///
    /// # Errors
    ///
    /// Fails if the grader's side fails; code that does not compile is [`Bundle::Faulty`].
    pub fn bundle(
        &self,
        sources: &[&Source],
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Bundle, BuildError> {
        let scratch = scratch.canonicalize().map_err(|e| BuildError::io("find", scratch, e))?;
        let limits = rustc::first_limits();
        let mut libraries = Vec::new();
        for (member, source) in sources.iter().enumerate() {
            if let Some(fault) = self.refused(source)? {
                return Ok(Bundle::Faulty { member, fault });
            }
            let tag = format!("member_{member}");
            let dir = folder(&scratch, &tag)?;
            let how = Compilation { kit: kit_of(programs), tag: Some(&tag), limits: &limits };
            match self.compile_library(source, &dir, &how)? {
                Compiled::Built(_) => {
                    libraries.push((format!("{CRATE}_{member}"), library_of(&dir)));
                }
                Compiled::Faulty(fault) => return Ok(Bundle::Faulty { member, fault }),
            }
        }
        let spec = bundled(sources.len(), programs);
        let finished = self.link(&spec, (&libraries, &limits), &scratch)?;
        match fault::read(&finished, &limits, &self.prefixes) {
            None => Ok(Bundle::Linked { program: scratch.join(PROGRAM).join(PROGRAM) }),
            Some(fault) => {
                let message = fault.message.to_multiline();
                Err(BuildError::Program { name: PROGRAM.to_owned(), message })
            }
        }
    }
}

/// Returns the program that runs each of `programs` of each member, selected by its last argument.
fn bundled(members: usize, programs: &[ProgramSpec]) -> ProgramSpec {
    let (mut modules, mut arms) = (String::new(), String::new());
    for member in 0..members {
        for ProgramSpec { name, main, .. } in programs {
            let entry = Bundle::entry(member, name);
            // Writing to a string does not fail.
            write!(
                modules,
                "mod {entry} {{\n    use {CRATE}_{member} as {CRATE};\n    {main}\n    \
                 pub(crate) fn run() -> std::process::ExitCode {{ main() }}\n}}\n"
            )
            .ok();
            writeln!(arms, "        Some(\"{entry}\") => {entry}::run(),").ok();
        }
    }
    let mut libraries: Vec<String> =
        programs.iter().flat_map(|program| program.libraries.clone()).collect();
    libraries.sort();
    libraries.dedup();
    ProgramSpec {
        name: PROGRAM.to_owned(),
        main: format!(
            "#![allow(unused_imports)]\n{modules}\nfn main() -> std::process::ExitCode {{\n    \
             match std::env::args().last().as_deref() {{\n{arms}        \
             _ => std::process::ExitCode::from(64),\n    }}\n}}\n"
        ),
        libraries,
        kit: kit_of(programs).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_of_each_member_has_an_entry() {
        let spec = |name: &str, library: &str| ProgramSpec {
            name: name.to_owned(),
            main: format!("fn main() -> std::process::ExitCode {{ {name}() }}"),
            libraries: vec!["worker".to_owned(), library.to_owned()],
            kit: "kit".to_owned(),
        };
        let bundle = bundled(2, &[spec("own", "worker"), spec("layer", "solution")]);
        assert_eq!(bundle.libraries, ["solution", "worker"]);
        for entry in ["member_0_own", "member_0_layer", "member_1_own", "member_1_layer"] {
            assert!(bundle.main.contains(&format!("Some(\"{entry}\") => {entry}::run()")));
        }
        assert!(bundle.main.contains("use submission_1 as submission;"));
        assert_eq!(Bundle::entry(1, "layer"), "member_1_layer");
    }
}
