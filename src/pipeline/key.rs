//! Keys of a run: what determines results and is the same for all submissions.

use std::any::TypeId;

use softmark_sources::digest_of;

use crate::digest;

/// Digest of the sources of the examiner: of all that compiles, runs, asks, compares and scores.
const EXAMINER: &str = digest_of!(
    "src/assignment",
    "src/build",
    "src/clock.rs",
    "src/diagnose",
    "src/digest.rs",
    "src/examine",
    "src/intake",
    "src/model",
    "src/pipeline",
    "src/score",
    "src/session",
    "src/suite",
    "crates/softmark-checks/src",
    "crates/softmark-common/src",
    "crates/softmark-exam/src",
    "crates/softmark-sandbox/src",
    "crates/softmark-untrusted/src",
    "crates/softmark-wire/src"
);

/// Everything that determines results and is the same for all submissions of a run, apart from exams and assignments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunKey<'a> {
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
    /// Isolation level: a grade that was given at another level is not reused.
    pub(crate) sandbox: &'a str,
}

impl RunKey<'_> {
    /// Returns the key in hexadecimal.
    pub(crate) fn text(self) -> String {
        let Self { pack, compiler, seed, secret, device, sandbox } = self;
        let seed = seed.to_string();
        let compiled = compiled_as();
        let version = env!("CARGO_PKG_VERSION");
        let examiner = [version, EXAMINER, &compiled];
        digest::of(&[&examiner[..], &[pack, compiler, &seed, secret, device, sandbox]].concat())
    }
}

/// Returns a text that differs if the grader was compiled in another way: by another compiler, in another profile, for another
/// machine.
fn compiled_as() -> String {
    // Cargo makes the identity of a crate from all of that, and an id has the identity of the type's crate in it.
    format!("{:?}", TypeId::of::<RunKey<'static>>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn whatever_changes_results_changes_the_key() {
        let run = RunKey {
            pack: "k",
            compiler: "c",
            seed: 1,
            secret: "s",
            device: "cpu",
            sandbox: "full",
        };
        let runs = [
            run,
            RunKey { pack: "k2", ..run },
            RunKey { compiler: "c2", ..run },
            RunKey { seed: 2, ..run },
            RunKey { secret: "s2", ..run },
            RunKey { device: "cuda:0", ..run },
            RunKey { sandbox: "none", ..run },
        ];
        let keys: BTreeSet<String> = runs.iter().map(|run| run.text()).collect();
        assert_eq!(keys.len(), runs.len());
    }
}
