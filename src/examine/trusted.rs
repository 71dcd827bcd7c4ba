//! Programs of the project's own code: solutions, accepted variants and mutants, many of them in one file.

use std::path::{Path, PathBuf};

use softmark_exam::Program;
use thiserror::Error;

use crate::build::{BuildError, Bundle, Pack, ProgramSpec, Source};
use crate::examine::examiner::Programs;
use crate::session::WorkerProgram;

/// Error of building trusted code.
#[derive(Debug, Error)]
pub(crate) enum TrustedError {
    /// The machine failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// One of the sources does not compile, which is an error of the project.
    #[error("{message}")]
    Member {
        /// Index of the source.
        member: usize,
        /// Output of the compiler.
        message: String,
    },
}

/// Trusted code that is built as one file.
#[derive(Debug)]
pub(crate) struct Trusted {
    /// Path of the file.
    file: PathBuf,
    /// Programs that each member has in it, with their names.
    kinds: Vec<(Program, String)>,
}

impl Trusted {
    /// Most sources that are linked into one file. With twelve, the mutants of `modern` took the same time and 8 %
    /// more processor time.
    pub(crate) const MOST: usize = 24;

    /// Builds these programs of each of `sources` in `scratch`, an empty folder.
    ///
    /// # Errors
    ///
    /// Fails if the machine does, or if one of the sources does not compile.
    pub(crate) fn build(
        pack: &Pack,
        sources: &[&Source],
        programs: Vec<(Program, ProgramSpec)>,
        scratch: &Path,
    ) -> Result<Self, TrustedError> {
        let specs: Vec<ProgramSpec> = programs.iter().map(|(_, spec)| spec.clone()).collect();
        let file = match pack.bundle(sources, &specs, scratch)? {
            Bundle::Linked { program } => program,
            Bundle::Faulty { member, fault } => {
                return Err(TrustedError::Member { member, message: fault.message.to_multiline() });
            }
        };
        let kinds = programs.into_iter().map(|(kind, spec)| (kind, spec.name));
        Ok(Self { file, kinds: kinds.collect() })
    }

    /// Returns the programs of the source with index `member`.
    pub(crate) fn programs(&self, member: usize) -> Programs {
        let entry = |name: &str| Some(Bundle::entry(member, name));
        let each = self.kinds.iter();
        each.map(|(kind, name)| {
            (*kind, WorkerProgram { file: self.file.clone(), entry: entry(name) })
        })
        .collect()
    }
}
