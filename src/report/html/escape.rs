//! Escapes text for an HTML page.

use std::fmt;

use softmark_untrusted::escape_line;

/// Prints anything as one line of text in a page: nothing in it is markup.
#[derive(Debug)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in escape_line(&self.0.to_string()).chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                _ => write!(f, "{character}")?,
            }
        }
        Ok(())
    }
}

/// Prints lines of text in a page.
#[derive(Debug)]
pub(super) struct Lines<'a>(pub(super) &'a [String]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n")?;
            }
            Text(text).fmt(f)?;
        }
        Ok(())
    }
}
