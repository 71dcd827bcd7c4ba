//! Cache keys of records.

use crate::digest;

/// Everything that determines a record, apart from the submission's name and location.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'a> {
    /// Digest of the submission's files.
    pub(crate) submission: &'a str,
    /// Digest of the assignment.
    pub(crate) assignment: &'a str,
    /// Key of the run, see [`RunKey`].
    pub(crate) run: &'a str,
}

/// Everything that determines records and is the same for all submissions of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunKey<'a> {
    /// Digest of the grader's program, which holds the checks.
    pub(crate) program: &'a str,
    /// Key of the pack, which holds the worker and the kit.
    pub(crate) pack: &'a str,
    /// First line of `rustc -vV`.
    pub(crate) compiler: &'a str,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
    /// Secret of the course.
    pub(crate) secret: &'a str,
    /// Device that candle computes on.
    pub(crate) device: &'a str,
    /// Glob of the selected checks; `None` for all.
    pub(crate) only: Option<&'a str>,
    /// Isolation level: a grade that was given at another level is not reused.
    pub(crate) sandbox: &'a str,
}

impl Key<'_> {
    /// Returns the key in hexadecimal.
    pub(crate) fn text(self) -> String {
        digest::of(&[self.submission, self.assignment, self.run])
    }
}

impl RunKey<'_> {
    /// Returns the key in hexadecimal.
    pub(crate) fn text(self) -> String {
        let only = self.only.map(|glob| format!("only {glob}")).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let seed = self.seed.to_string();
        let Self { program, pack, compiler, secret, device, sandbox, .. } = self;
        digest::of(&[version, program, pack, compiler, &seed, secret, device, &only, sandbox])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn whatever_changes_a_record_changes_its_key() {
        let run = RunKey {
            program: "p",
            pack: "k",
            compiler: "c",
            seed: 1,
            secret: "s",
            device: "cpu",
            only: None,
            sandbox: "full",
        };
        let runs = [
            run,
            RunKey { program: "p2", ..run },
            RunKey { pack: "k2", ..run },
            RunKey { compiler: "c2", ..run },
            RunKey { seed: 2, ..run },
            RunKey { secret: "s2", ..run },
            RunKey { device: "cuda:0", ..run },
            RunKey { only: Some("*"), ..run },
            RunKey { only: Some(""), ..run },
            RunKey { sandbox: "none", ..run },
        ];
        let mut keys = BTreeSet::new();
        for run in &runs {
            let run = run.text();
            for (submission, assignment) in [("s", "a"), ("s2", "a"), ("s", "a2"), ("sa", "")] {
                keys.insert(Key { submission, assignment, run: &run }.text());
            }
        }
        assert_eq!(keys.len(), runs.len() * 4);
    }
}
