//! Text of submissions in pages.
//!
//! [`Untrusted`] prints itself with every control character and mark of direction visible, and `maud` escapes what is printed.
//! So `(text)` in a page is safe, and there is no other way: `as_raw` is listed, and so is `PreEscaped`.

use maud::{Markup, Render, html};
use softmark_untrusted::Untrusted;

/// Text with its lines as they are, for elements that keep lines, such as `pre`.
#[derive(Debug)]
pub(super) struct Lines<'a>(pub(super) &'a Untrusted);

impl Render for Lines<'_> {
    fn render(&self) -> Markup {
        html! { (self.0.to_multiline()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_submissions_is_escaped_and_visible() {
        let text = Untrusted::from("<b title=\"'\">\u{1b}[2J\u{202e}</b>\nnext");
        let line = html! { p title=(text) { (text) } }.into_string();
        let shown = "&lt;b title=&quot;'&quot;&gt;␛[2J\\u{202e}&lt;/b&gt;";
        assert_eq!(line, format!("<p title=\"{shown}␊next\">{shown}␊next</p>"));
        assert_eq!(
            html! { pre { (Lines(&text)) } }.into_string(),
            format!("<pre>{shown}\nnext</pre>")
        );
    }
}
