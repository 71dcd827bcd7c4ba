//! Digests of the sources that an exam was compiled from.

/// Digests of the sources of an exam: they say which results of an earlier program are still what this one would find.
///
/// [`sources!`](crate::sources!) makes them where it stands, in the crate of the exam. An exam that is made of another one with
/// other checks must not keep its digests: [`Sources::UNKNOWN`] is always right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    /// Digest of the code that each check can run, by the id of the check. Checks whose declaration is not understood are left
    /// out.
    pub checks: &'static [(&'static str, &'static str)],
    /// Digest of the code that decides which mistakes are named; `None` if it is not known.
    pub diagnosis: Option<&'static str>,
    /// Digest of the code that decides about trainings, and about models that are handed in; `None` if it is not known.
    pub training: Option<&'static str>,
    /// Digest of all sources; `None` if something else decides as well, such as a feature.
    pub whole: Option<&'static str>,
}

impl Sources {
    /// Sources of which nothing is known: the grader goes by its whole program instead.
    pub const UNKNOWN: Self = Self { checks: &[], diagnosis: None, training: None, whole: None };

    /// Returns the digest of the code that a check can run, or else that of all sources; `None` if neither is known.
    pub fn of_check(&self, id: &str) -> Option<&'static str> {
        let found = self.checks.iter().find(|(check, _)| *check == id);
        found.map(|(_, digest)| *digest).or(self.whole)
    }
}
