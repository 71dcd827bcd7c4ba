//! HTML that escapes all text.

use std::fmt::Write as _;

/// A piece of HTML. Text enters it only through functions that escape it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Html(String);

impl Html {
    /// Returns an escaped text.
    pub(crate) fn text(text: &str) -> Self {
        let mut html = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '&' => html.push_str("&amp;"),
                '<' => html.push_str("&lt;"),
                '>' => html.push_str("&gt;"),
                '"' => html.push_str("&quot;"),
                '\'' => html.push_str("&#39;"),
                c if c.is_control() && c != '\n' => html.push('\u{fffd}'),
                c => html.push(c),
            }
        }
        Self(html)
    }

    /// Returns an element around `inside`; `tag` is its name, with attributes if it has any.
    pub(crate) fn element(tag: &'static str, inside: &Self) -> Self {
        let name = tag.split(' ').next().unwrap_or(tag);
        Self(format!("<{tag}>{}</{name}>\n", inside.0))
    }

    /// Returns an element around a text.
    pub(crate) fn of(tag: &'static str, text: &str) -> Self {
        Self::element(tag, &Self::text(text))
    }

    /// Returns a picture, which is an SVG drawn by `softmark-plot`.
    pub(crate) fn picture(picture: &softmark_plot::Picture) -> Self {
        Self(picture.svg().to_owned())
    }

    /// Returns a page with a title, a style sheet and a body.
    pub(crate) fn page(title: &str, style: &'static str, body: &Self) -> String {
        let mut page = String::from("<!doctype html>\n<html lang=\"en\">\n<head>\n");
        page.push_str("<meta charset=\"utf-8\">\n");
        page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        write!(page, "{}<style>\n{style}</style>\n</head>\n", Self::of("title", title).0).ok();
        write!(page, "<body>\n{}</body>\n</html>\n", body.0).ok();
        page
    }

    /// Adds a piece at the end.
    pub(crate) fn push(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }
}

impl FromIterator<Self> for Html {
    fn from_iter<I: IntoIterator<Item = Self>>(pieces: I) -> Self {
        Self(pieces.into_iter().map(|it| it.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let html = Html::of("td class=\"n\"", "<b>\"it's\" & \u{1b}[2J</b>");
        let want =
            "<td class=\"n\">&lt;b&gt;&quot;it&#39;s&quot; &amp; \u{fffd}[2J&lt;/b&gt;</td>\n";
        assert_eq!(html.0, want);
    }

    #[test]
    fn pieces_are_joined_in_order() {
        let mut all: Html = ["a", "b"].into_iter().map(Html::text).collect();
        all.push(&Html::text("c"));
        assert_eq!(all.0, "abc");
    }
}
