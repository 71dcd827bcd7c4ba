//! Text that a student, a student's program or a record supplied.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::escape::escape_line;

/// Text that may contain anything, such as a message of a student's program.
///
/// It prints as one line with escapes: nothing in it moves a cursor, and nothing in it is hidden. A document
/// stores the text itself.
///
/// ```
/// use softmark_untrusted::Untrusted;
///
/// let shown = |text: &str| Untrusted::from(text).to_string();
/// assert_eq!(shown("a\u{1b}[2Jb\n"), "a␛[2Jb␊");
/// assert_eq!(shown("gnp.\u{202e}exe"), "gnp.\\u{202e}exe");
/// assert_eq!(shown("naïve 語"), "naïve 語");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Untrusted(String);

impl Untrusted {
    /// The empty text.
    pub const EMPTY: Self = Self(String::new());

    /// Returns the text without escapes: for a writer that escapes in its own way, or for comparison with
    /// known names. Never print it.
    pub fn as_raw(&self) -> &str {
        &self.0
    }

    /// Returns true if the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if the text contains `pattern`.
    pub fn contains(&self, pattern: &str) -> bool {
        self.0.contains(pattern)
    }

    /// Returns the lines, each escaped and without spaces at its end; empty lines at the end are dropped.
    pub fn lines(&self) -> Vec<String> {
        self.0.trim_end().lines().map(|line| escape_line(line.trim_end())).collect()
    }

    /// Returns the same lines, separated by newlines.
    pub fn to_multiline(&self) -> String {
        self.lines().join("\n")
    }

    /// Returns the first line; empty if there is none.
    #[must_use]
    pub fn first_line(&self) -> Self {
        self.0.lines().next().unwrap_or_default().into()
    }

    /// Returns the number of words.
    pub fn count_words(&self) -> usize {
        self.0.split_whitespace().count()
    }
}

impl From<String> for Untrusted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Untrusted {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl PartialEq<str> for Untrusted {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Untrusted {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl PartialEq<String> for Untrusted {
    fn eq(&self, other: &String) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&escape_line(&self.0))
    }
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::is_unprintable;

    proptest! {
        #[test]
        fn prints_only_printable_characters(text in any::<String>()) {
            let text = Untrusted::from(text);
            for shown in [text.to_string(), format!("{text:?}"), text.lines().concat()] {
                prop_assert!(!shown.chars().any(is_unprintable), "{}", shown);
            }
        }

        #[test]
        fn escaped_text_is_not_escaped_again(text in any::<String>()) {
            let once = Untrusted::from(text).to_string();
            prop_assert_eq!(Untrusted::from(once.clone()).to_string(), once);
        }

        #[test]
        fn is_stored_as_it_is(text in any::<String>()) {
            let stored = serde_json::to_string(&Untrusted::from(text.as_str())).unwrap();
            prop_assert_eq!(&stored, &serde_json::to_string(&text).unwrap());
            prop_assert_eq!(serde_json::from_str::<Untrusted>(&stored).unwrap(), text);
        }
    }

    #[test]
    fn has_lines_without_the_empty_ones_at_the_end() {
        let text = Untrusted::from("error \u{7}\n\n  at\there  \r\n\n");
        assert_eq!(text.lines(), ["error ␇", "", "  at    here"]);
        assert_eq!(text.first_line(), "error \u{7}");
        assert_eq!(text.count_words(), 4);
        assert_eq!(Untrusted::EMPTY.lines(), [""; 0]);
    }
}
