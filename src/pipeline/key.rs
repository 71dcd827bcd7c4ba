//! What a record depends on.

use crate::digest;

/// All that determines a record, apart from the submission's name and where it lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Key<'a> {
    /// Of the submission's files.
    pub(crate) submission: &'a str,
    /// Of what the assignment says.
    pub(crate) assignment: &'a str,
    /// Of what is the same for all submissions of a run.
    pub(crate) run: &'a str,
}

/// All that determines records and is the same for all submissions of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunKey<'a> {
    /// The hash of the grader's program: it holds the checks.
    pub(crate) program: &'a str,
    /// The pack's key: it holds the worker and the kit.
    pub(crate) pack: &'a str,
    /// The compiler, as it describes itself.
    pub(crate) compiler: &'a str,
    /// Where every random input comes from.
    pub(crate) seed: u64,
    /// What the course keeps from its students.
    pub(crate) secret: &'a str,
    /// Where candle computes.
    pub(crate) device: &'a str,
    /// Which checks are carried out; `None` for all.
    pub(crate) only: Option<&'a str>,
    /// How submissions are isolated: a grade that was given without is not taken for one with.
    pub(crate) sandbox: &'a str,
}

impl Key<'_> {
    /// The key in hexadecimal.
    pub(crate) fn text(self) -> String {
        digest::of(&[self.submission, self.assignment, self.run])
    }
}

impl RunKey<'_> {
    /// The key in hexadecimal.
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
