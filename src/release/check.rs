//! Test of a released folder: the skeleton in it is not written, and the solution passes.

use std::env;
use std::fs;
use std::path::Path;

use crate::assignment;
use crate::fixtures;
use crate::pipeline::private_folder;
use crate::release::Releaser;
use crate::release::error::ReleaseError;
use crate::release::tree::{self, Tree};

/// Results of the public checks in a released folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Number of checks that pass.
    pub right: usize,
    /// Number of checks that fail.
    pub wrong: usize,
    /// Number of checks of what is not yet written.
    pub unwritten: usize,
}

impl Tally {
    /// Reads the last line of the public checks: `3 right, 0 wrong, 1 not yet written`.
    fn read(output: &str) -> Option<Self> {
        let line = output.lines().rev().find(|line| line.ends_with(" not yet written"))?;
        let mut numbers = line.split(", ").map(|part| part.split(' ').next()?.parse().ok());
        let (right, wrong, unwritten) = (numbers.next()??, numbers.next()??, numbers.next()??);
        Some(Self { right, wrong, unwritten })
    }
}

impl Releaser<'_> {
    /// Runs the public checks of the released assignment `id` in a copy of `folder`, with the skeleton and with the solution.
    /// Libraries are compiled into `target`.
    ///
    /// # Errors
    ///
    /// Fails unless it builds offline, no check of the skeleton fails and none passes but those that `passes` names, and
    /// all pass with the solution.
    pub fn check(&self, id: &str, folder: &Path, target: &Path) -> Result<Tally, ReleaseError> {
        let failed = |reason: String| ReleaseError::DoesNotWork { id: id.to_owned(), reason };
        fs::create_dir_all(target).map_err(|e| ReleaseError::io("make", target, e))?;
        let full = |path: &Path| path.canonicalize().map_err(|e| ReleaseError::io("find", path, e));
        let (folder, target) = (&full(folder)?, &full(target)?);
        // In one copy, so that the second run compiles the solution and nothing else.
        let copy = private_folder(&env::temp_dir(), ".softmark-")
            .map_err(|e| ReleaseError::io("make", folder, e))?;
        let mut tree = Tree::new();
        tree::copy(&mut tree, folder)?;
        tree::write(&tree, copy.path())?;
        let (skeleton, output) = self.run_checks(copy.path(), target)?;
        let skeleton = skeleton.ok_or_else(|| failed(output.clone()))?;
        if skeleton.wrong > 0 || skeleton.unwritten == 0 {
            let wrong = "checks of the skeleton fail, or none is of what is to be written";
            return Err(failed(format!("{wrong}:\n{output}")));
        }
        let mut solved = Tree::new();
        let assignment = assignment::load(&self.home, id)?;
        let solution = fixtures::solution(&self.home, id)?;
        for (name, text) in &solution.source {
            if assignment.collect.contains(name) {
                solved.insert(Path::new("src").join(name), text.clone());
            }
        }
        solved.extend(solution.answers.into_iter().map(|(name, text)| (name.into(), text)));
        tree::write(&solved, copy.path())?;
        let (solved, output) = self.run_checks(copy.path(), target)?;
        match solved {
            Some(Tally { right, wrong: 0, unwritten: 0 }) if right > 0 => Ok(skeleton),
            _ => Err(failed(format!("the solution does not pass:\n{output}"))),
        }
    }

    /// Runs `cargo test` in a released folder, without a network; returns the tally and the output.
    fn run_checks(
        &self,
        folder: &Path,
        target: &Path,
    ) -> Result<(Option<Tally>, String), ReleaseError> {
        let args = ["test", "--offline", "--locked", "--quiet"];
        let finished = self.cargo(&args, folder, &[("CARGO_TARGET_DIR", target.into())])?;
        let output = String::from_utf8_lossy(&finished.log).into_owned();
        Ok((Tally::read(&output), output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_the_checks_is_read() {
        let read = |text: &str| Tally::read(text).map(|it| (it.right, it.wrong, it.unwritten));
        assert_eq!(read("x\n3 right, 0 wrong, 12 not yet written\nerror: y\n"), Some((3, 0, 12)));
        assert_eq!(read("error: could not compile\n"), None);
        assert_eq!(read("a right, 0 wrong, 12 not yet written"), None);
    }
}
