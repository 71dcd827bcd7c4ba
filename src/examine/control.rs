//! Worker program without any of the student's code.
//!
//! If a submission's program does not start, or is ended again and again, this program is started
//! under the same limits, to find out if the machine is the cause. It is linked when it is first
//! needed, which no honest submission causes.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use softmark_exam::Suite;

use crate::build::{BuildError, Pack, ProgramSpec, Source};
use crate::session::NeedsControl;

/// Name of the program, which is the name of a submission's.
const NAME: &str = "own";

/// Name of the folder that the program is built in.
const FOLDER: &str = "control";

/// Worker program without any of the student's code, linked when it is first needed.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    pack: &'a Pack,
    suite: &'a Suite,
    /// Folder below which it is linked.
    scratch: PathBuf,
    program: Option<PathBuf>,
}

impl<'a> Control<'a> {
    /// Creates the control of `suite`, to be linked below the folder `scratch`.
    pub(crate) fn new(pack: &'a Pack, suite: &'a Suite, scratch: &Path) -> Self {
        Self { pack, suite, scratch: scratch.to_owned(), program: None }
    }

    /// Does `work`, which gets the control if there is one already; if it fails because there is none, does it once more
    /// with the control.
    ///
    /// # Errors
    ///
    /// Fails if `work` does, or the control cannot be linked.
    pub(crate) fn beside<R, E: Error + From<BuildError> + 'static>(
        &mut self,
        mut work: impl FnMut(Option<&Path>) -> Result<R, E>,
    ) -> Result<R, E> {
        match work(self.program.as_deref()) {
            Err(error) if NeedsControl::is_below(&error) => {
                self.program = Some(self.build()?);
                work(self.program.as_deref())
            }
            done => done,
        }
    }

    /// Links the program with the grader's own components and returns its path. The grader wrote all of it, so that a
    /// fault is an error.
    fn build(&self) -> Result<PathBuf, BuildError> {
        let folder = self.scratch.join(FOLDER);
        fs::create_dir(&folder).map_err(|source| BuildError::io("make", &folder, source))?;
        let broken = |message: String| BuildError::Program { name: FOLDER.to_owned(), message };
        let spec = ProgramSpec { name: NAME.to_owned(), ..(self.suite.control)() };
        // The student's crate is empty.
        let source = Source::from([("lib.rs".to_owned(), Vec::new())]);
        let built = self.pack.compile(&source, &[spec], &folder)?.into_result();
        let mut programs = built.map_err(|fault| broken(fault.message.to_multiline()))?.programs;
        programs.remove(NAME).ok_or_else(|| broken("it was not linked".to_owned()))
    }
}
