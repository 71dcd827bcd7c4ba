//! Worker program with the grader's own components alone, without any code of a student.
//!
//! It answers with the parameters that a submission learned, and with a model that was handed in. It is also the
//! control: if a submission's program does not start, or is ended again and again, this one is started under the same
//! limits, to find out if the machine is the cause.
//!
//! It is linked when it is first needed: once for all submissions of a run, or for each of them if they are not isolated.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use softmark_exam::Suite;
use tempfile::TempDir;

use crate::build::{BuildError, Pack, ProgramSpec, Source};
use crate::session::NeedsControl;

/// Name of the program: that of a submission's, so that whoever ends processes by their name ends both.
const NAME: &str = "own";

/// Worker program of an exam with the grader's own components.
#[derive(Debug)]
pub(crate) struct Reference<'a> {
    pack: &'a Pack,
    suite: &'a Suite,
    /// Folder in which it gets a folder of its own.
    scratch: &'a Path,
    linked: Mutex<Option<Linked>>,
}

/// Linked program, which is removed on drop.
#[derive(Debug)]
struct Linked {
    program: PathBuf,
    _folder: TempDir,
}

impl<'a> Reference<'a> {
    /// Creates the reference of an exam, to be linked below the folder `scratch`.
    pub(crate) fn new(pack: &'a Pack, suite: &'a Suite, scratch: &'a Path) -> Self {
        Self { pack, suite, scratch, linked: Mutex::default() }
    }

    /// Returns the path of the program; links it if necessary.
    ///
    /// # Errors
    ///
    /// Fails if the machine does.
    pub(crate) fn program(&self) -> Result<PathBuf, BuildError> {
        // A panic leaves nothing half changed here.
        let mut linked = self.linked.lock().unwrap_or_else(PoisonError::into_inner);
        let made = match linked.take() {
            Some(made) => made,
            None => self.link()?,
        };
        Ok(linked.insert(made).program.clone())
    }

    /// Does `work` without a control; if it fails because there is none, does it once more with the control.
    ///
    /// # Errors
    ///
    /// Fails if `work` does, or the program cannot be linked.
    pub(crate) fn as_control<R, E: Error + From<BuildError> + 'static>(
        &self,
        mut work: impl FnMut(Option<&Path>) -> Result<R, E>,
    ) -> Result<R, E> {
        match work(None) {
            Err(error) if NeedsControl::is_below(&error) => work(Some(&self.program()?)),
            done => done,
        }
    }

    /// Links the program. The grader wrote all of it, so that a fault is an error.
    fn link(&self) -> Result<Linked, BuildError> {
        let broken =
            |message: String| BuildError::Program { name: "reference".to_owned(), message };
        let folder = TempDir::new_in(self.scratch)
            .map_err(|source| BuildError::io("make a folder in", self.scratch, source))?;
        // The student's crate is empty.
        let source = Source::from([("lib.rs".to_owned(), Vec::new())]);
        let spec = ProgramSpec { name: NAME.to_owned(), ..(self.suite.reference)() };
        let built = self.pack.compile(&source, &[spec], folder.path())?.into_result();
        let mut programs = built.map_err(|fault| broken(fault.message.to_multiline()))?.programs;
        let program = programs.remove(NAME).ok_or_else(|| broken("it was not linked".to_owned()));
        Ok(Linked { program: program?, _folder: folder })
    }
}
