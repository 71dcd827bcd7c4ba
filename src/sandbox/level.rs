//! How far submissions are isolated.

use std::fmt;

/// How far what a student wrote is kept from everything else. Each level stops what those before it
/// stop, and more; limits hold at all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not at all: files, the network and other processes of the user are in reach.
    None,
    /// By a filter of system calls. A worker can compute and nothing else. A compiler could read what
    /// the user can, so submissions are not compiled at this level.
    Strict,
    /// By that filter and Landlock. A compiler reads what it needs and nothing else.
    Landlock,
    /// By those and the name spaces that `bwrap` makes.
    Bwrap,
    /// By those and name spaces of our own: no other file, process or network is there at all.
    Full,
}

impl Level {
    /// All levels, the best one first.
    pub const ALL: [Self; 5] = [Self::Full, Self::Bwrap, Self::Landlock, Self::Strict, Self::None];

    /// Its name, as it stands in records and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Strict => "strict",
            Self::Landlock => "landlock",
            Self::Bwrap => "bwrap",
            Self::Full => "full",
        }
    }

    /// The level of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }

    /// What it leaves in reach of a submission, for a person; empty where that is nothing.
    pub fn leaves(self) -> &'static str {
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
    fn levels_are_in_order_and_named() {
        assert!(Level::ALL.is_sorted_by(|a, b| a > b));
        for level in Level::ALL {
            assert_eq!(Level::named(level.as_str()), Some(level));
        }
        assert_eq!(Level::named("limits"), None);
    }
}
