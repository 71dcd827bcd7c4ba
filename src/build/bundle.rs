//! Compiling several trusted submissions, and linking the programs of all of them into one file.
//!
//! Mutants and accepted variants are the project's own code, so they need no isolation from one
//! another. They are compiled as the modules of one crate, which instantiates the generic functions of
//! candle once for all of them, and one file holds the programs of all; the last argument of each
//! process selects the program. Compiling and checking all mutants of `modern` took 36 s on two cores,
//! and 58 s where each was compiled alone.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::build::code::Source;
use crate::build::compile::{CRATE, Compilation, crates_of, folder, library_of};
use crate::build::error::BuildError;
use crate::build::fault::{self, BuildFault, Compiled};
use crate::build::pack::Pack;
use crate::build::{ProgramSpec, rustc};

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
    /// Returns a place in the code of a member, such as `src/member_3/attention.rs:7`, under the name that it has if the
    /// member is compiled alone: `src/attention.rs:7`.
    pub(crate) fn place_alone(place: &str) -> String {
        let in_member = place.strip_prefix("src/").and_then(|rest| rest.split_once('/'));
        match in_member {
            Some((folder, file)) if is_module(folder) => format!("src/{file}"),
            _ => place.to_owned(),
        }
    }

    /// Returns the argument that selects the program `program` of the submission with index
    /// `member`.
    pub fn entry(member: usize, program: &str) -> String {
        format!("{}_{program}", module(member))
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
        for (member, source) in sources.iter().enumerate() {
            if let Some(fault) = self.refused(source)? {
                return Ok(Bundle::Faulty { member, fault });
            }
        }
        let members = match self.compile_together(sources, programs, &scratch)? {
            Some(members) => members,
            None => match self.compile_each(sources, programs, &scratch)? {
                Each::Compiled(members) => members,
                Each::Faulty { member, fault } => return Ok(Bundle::Faulty { member, fault }),
            },
        };
        let limits = rustc::limits_for(sources.len());
        let spec = bundled(&members.paths, programs);
        let finished = self.link(&spec, (&members.libraries, &limits), &scratch)?;
        match fault::read(&finished, &limits, &self.prefixes) {
            None => Ok(Bundle::Linked { program: scratch.join(PROGRAM).join(PROGRAM) }),
            Some(fault) => {
                let message = fault.message.to_multiline();
                Err(BuildError::Program { name: PROGRAM.to_owned(), message })
            }
        }
    }

    /// Compiles all sources as modules of one crate; `None` if that crate does not compile, or if there is only one
    /// source, which need not be rewritten.
    fn compile_together(
        &self,
        sources: &[&Source],
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Option<Members>, BuildError> {
        if sources.len() < 2 {
            return Ok(None);
        }
        let limits = rustc::limits_for(sources.len());
        let dir = folder(scratch, "together")?;
        let how = Compilation { crates: &crates_of(programs), flags: &[], limits: &limits };
        let compiled = self.compile_library(&as_modules(sources), &dir, &how)?;
        Ok(matches!(compiled, Compiled::Built(_)).then(|| Members {
            paths: (0..sources.len())
                .map(|member| format!("{CRATE}::{}", module(member)))
                .collect(),
            libraries: vec![(CRATE.to_owned(), library_of(&dir))],
        }))
    }

    /// Compiles each source as a crate of its own.
    fn compile_each(
        &self,
        sources: &[&Source],
        programs: &[ProgramSpec],
        scratch: &Path,
    ) -> Result<Each, BuildError> {
        let limits = rustc::first_limits();
        let mut members = Members { paths: Vec::new(), libraries: Vec::new() };
        for (member, source) in sources.iter().enumerate() {
            let dir = folder(scratch, &module(member))?;
            let flags = [format!("-Cmetadata={}", module(member))];
            let how = Compilation { crates: &crates_of(programs), flags: &flags, limits: &limits };
            if let Compiled::Faulty(fault) = self.compile_library(source, &dir, &how)? {
                return Ok(Each::Faulty { member, fault });
            }
            let name = format!("{CRATE}_{member}");
            members.paths.push(name.clone());
            members.libraries.push((name, library_of(&dir)));
        }
        Ok(Each::Compiled(members))
    }
}

/// Compiled sources.
struct Members {
    /// Path by which the program names the items of each source.
    paths: Vec<String>,
    /// Libraries that hold them, with the names of their crates in the program.
    libraries: Vec<(String, PathBuf)>,
}

/// Outcome of compiling each source alone.
enum Each {
    /// All of them compile.
    Compiled(Members),
    /// The source with index `member` does not.
    Faulty { member: usize, fault: BuildFault },
}

/// Beginning of the names of modules and entries, before the index of the source.
const MEMBER: &str = "member_";

/// Returns the name of the module that a source is compiled as.
fn module(member: usize) -> String {
    format!("{MEMBER}{member}")
}

/// True if a name is that of [a source's module](module).
fn is_module(name: &str) -> bool {
    name.strip_prefix(MEMBER).is_some_and(|index| index.parse::<usize>().is_ok())
}

/// Returns a crate that has each source as a module, in which `crate` is that module.
fn as_modules(sources: &[&Source]) -> Source {
    let mut all = Source::new();
    let mut root = String::new();
    for (member, source) in sources.iter().enumerate() {
        let module = module(member);
        // Writing to a string does not fail.
        writeln!(root, "#[path = \"{module}/lib.rs\"]\npub mod {module};").ok();
        for (name, text) in *source {
            let text = match str::from_utf8(text) {
                Ok(text) => text.replace("crate::", &format!("crate::{module}::")).into_bytes(),
                Err(_) => text.clone(),
            };
            all.insert(format!("{module}/{name}"), text);
        }
    }
    all.insert("lib.rs".to_owned(), root.into_bytes());
    all
}

/// Returns the program that runs each of `programs` of each member, selected by its last argument.
fn bundled(paths: &[String], programs: &[ProgramSpec]) -> ProgramSpec {
    let (mut modules, mut arms) = (String::new(), String::new());
    for (member, path) in paths.iter().enumerate() {
        for ProgramSpec { name, main, .. } in programs {
            let entry = Bundle::entry(member, name);
            // Writing to a string does not fail.
            write!(
                modules,
                "mod {entry} {{\n    use {path} as {CRATE};\n    {main}\n    \
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
        crates: crates_of(programs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::StudentCrates;

    #[test]
    fn each_program_of_each_member_has_an_entry() {
        let spec = |name: &str, library: &str| ProgramSpec {
            name: name.to_owned(),
            main: format!("fn main() -> std::process::ExitCode {{ {name}() }}"),
            libraries: vec!["worker".to_owned(), library.to_owned()],
            crates: StudentCrates::default(),
        };
        let paths = ["submission::member_0", "submission::member_1"].map(str::to_owned);
        let bundle = bundled(&paths, &[spec("own", "worker"), spec("layer", "solution")]);
        assert_eq!(bundle.libraries, ["solution", "worker"]);
        for entry in ["member_0_own", "member_0_layer", "member_1_own", "member_1_layer"] {
            assert!(bundle.main.contains(&format!("Some(\"{entry}\") => {entry}::run()")));
        }
        assert!(bundle.main.contains("use submission::member_1 as submission;"));
        assert_eq!(Bundle::entry(1, "layer"), "member_1_layer");
    }

    #[test]
    fn a_place_is_called_as_if_its_member_were_compiled_alone() {
        for (place, alone) in [
            ("src/member_11/attention.rs:7", "src/attention.rs:7"),
            ("src/member_0/member_1/attention.rs:7", "src/member_1/attention.rs:7"),
            ("src/attention.rs:7", "src/attention.rs:7"),
            ("src/member_of/attention.rs:7", "src/member_of/attention.rs:7"),
            ("core/src/slice/mod.rs:7", "core/src/slice/mod.rs:7"),
        ] {
            assert_eq!(Bundle::place_alone(place), alone);
        }
    }

    #[test]
    fn a_module_calls_its_items_as_a_crate_does() {
        let source = Source::from([
            ("lib.rs".to_owned(), b"mod a;\nuse crate::a::A;\n".to_vec()),
            ("a.rs".to_owned(), b"\xff crate::b".to_vec()),
        ]);
        let all = as_modules(&[&source, &source]);
        assert_eq!(all["member_1/lib.rs"], b"mod a;\nuse crate::member_1::a::A;\n");
        assert_eq!(
            all["member_0/a.rs"], b"\xff crate::b",
            "is no text, and does not compile anyway"
        );
        let root = "#[path = \"member_0/lib.rs\"]\npub mod member_0;\n";
        assert!(all["lib.rs"].starts_with(root.as_bytes()));
    }
}
