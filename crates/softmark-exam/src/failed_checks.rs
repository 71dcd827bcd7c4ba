//! Checks that a mistake fails by itself, as its mutants show.

/// Ids of the checks that a mistake fails by itself, with spaces between them: those of all of its mutants.
///
/// ```
/// use softmark_exam::FailedChecks;
///
/// let fails = FailedChecks::new("sum/matches-reference sum/gradients");
/// assert!(fails.may_have("sum/gradients") && !fails.may_have("sum/shapes"));
/// assert!(FailedChecks::UNKNOWN.may_have("sum/shapes"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedChecks(&'static str);

impl FailedChecks {
    /// List of a mistake whose failed checks are not known.
    pub const UNKNOWN: Self = Self("");

    /// Creates the list from ids with spaces between them.
    pub const fn new(ids: &'static str) -> Self {
        Self(ids)
    }

    /// Returns true if a mutant with the mistake alone fails the check, or if nothing is known.
    pub fn may_have(self, check: &str) -> bool {
        self.0.is_empty() || self.0.split(' ').any(|it| it == check)
    }
}
