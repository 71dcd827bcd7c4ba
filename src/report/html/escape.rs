//! Text in a page.

use std::fmt;

use crate::report::text::line;

/// One line of any text, so that a page shows it and nothing else comes of it.
#[derive(Debug)]
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in line(self.0).chars() {
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

/// Any text as it stands, line by line.
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
