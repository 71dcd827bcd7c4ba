//! Worker program without any of the student's code.
//!
//! If a submission's program does not start, or is ended again and again, this program is started
//! under the same limits, to find out if the machine is the cause. It is linked when it is first
//! needed, which no honest submission causes.

use std::fs;
use std::path::{Path, PathBuf};

use softmark_exam::Suite;

use crate::build::{BuildError, Pack, ProgramSpec, Source};

/// Name of the program, which is the name of a submission's.
const NAME: &str = "own";

/// Name of the folder that the program is built in.
const FOLDER: &str = "control";

/// Builds the program with the grader's own components of `suite` in `scratch` and returns its path.
///
/// # Errors
///
/// Fails if the program cannot be compiled or written; the grader wrote all of it.
pub(crate) fn control(pack: &Pack, suite: &Suite, scratch: &Path) -> Result<PathBuf, BuildError> {
    let folder = scratch.join(FOLDER);
    fs::create_dir(&folder).map_err(|source| BuildError::io("make", &folder, source))?;
    let broken = |message: String| BuildError::Program { name: FOLDER.to_owned(), message };
    let spec = ProgramSpec { name: NAME.to_owned(), ..(suite.control)() };
    // The student's crate is empty.
    let source = Source::from([("lib.rs".to_owned(), Vec::new())]);
    let built = pack.compile(&source, &[spec], &folder)?.into_result();
    let mut programs = built.map_err(|fault| broken(fault.message.to_multiline()))?.programs;
    programs.remove(NAME).ok_or_else(|| broken("it was not linked".to_owned()))
}
