//! Text of submissions in pages.
//!
//! [`Untrusted`] prints itself with every control character and mark of direction visible, and `maud` escapes what is printed.
//! So `(text)` in a page is safe. A field of a form has the text itself ([`FieldText`]): what a page shows with other characters
//! would be sent back with them. Uses of `as_raw` are listed, and so are those of `PreEscaped`.

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

/// Text in a field of a form, with every character as it is, so that the form sends the same text back.
#[derive(Debug)]
pub(super) struct FieldText<'a>(pub(super) &'a Untrusted);

impl Render for FieldText<'_> {
    fn render(&self) -> Markup {
        html! { (self.0.as_raw()) }
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
        let field = html! { input value=(FieldText(&"\"\u{200f}\n".into())); }.into_string();
        assert_eq!(field, "<input value=\"&quot;\u{200f}\n\">");
    }
}
