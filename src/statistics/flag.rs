//! Flags of checks that tell little, or the opposite of what they should.

/// Reason to look at a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// Everybody passes.
    EverybodyPasses,
    /// Nobody passes.
    NobodyPasses,
    /// Students with more points elsewhere fail it more often.
    BetterStudentsFail,
}

impl Flag {
    /// Returns the name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EverybodyPasses => "everybody_passes",
            Self::NobodyPasses => "nobody_passes",
            Self::BetterStudentsFail => "better_students_fail",
        }
    }
}
