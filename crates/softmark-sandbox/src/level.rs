//! Isolation levels.

use std::fmt;

/// Strength of the isolation of student code. Each level blocks what the levels before it block, and
/// more. Resource limits apply at every level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// No isolation: files, the network and other processes of the user are accessible.
    None,
    /// A seccomp filter. A worker can only compute. A compiler could read every file of the user, so
    /// submissions are not compiled at this level.
    Strict,
    /// The seccomp filter and Landlock. A compiler reads the files of its job and no others.
    Landlock,
    /// The measures of [`Level::Landlock`] inside namespaces that `bwrap` creates.
    Bwrap,
    /// The measures of [`Level::Landlock`] inside namespaces that the sandbox creates: no other file,
    /// process or network exists there.
    Full,
}

impl Level {
    /// All levels, strongest first.
    pub const ALL: [Self; 5] = [Self::Full, Self::Bwrap, Self::Landlock, Self::Strict, Self::None];

    /// Returns the name of the level in records and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Strict => "strict",
            Self::Landlock => "landlock",
            Self::Bwrap => "bwrap",
            Self::Full => "full",
        }
    }

    /// Returns the level with the given name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// Describes, for a person, what a submission can still access at this level; empty if nothing.
    pub fn remaining_exposure(self) -> &'static str {
        match self {
            Self::None => {
                "a submission can read your files, write where you can, use the network, and reach \
                 your other processes"
            }
            Self::Strict => {
                "the compiler could read every file that you can, so submissions are not compiled at \
                 this level"
            }
            Self::Landlock => "a compiler can learn which files exist, though not what is in them",
            Self::Bwrap | Self::Full => "",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_and_have_names() {
        assert!(Level::ALL.is_sorted_by(|a, b| a > b));
        for level in Level::ALL {
            assert_eq!(Level::from_name(level.as_str()), Some(level));
        }
        assert_eq!(Level::from_name("limits"), None);
    }
}
