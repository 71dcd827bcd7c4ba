//! Pages of mistakes, from Markdown to HTML.
//!
//! Invariant: what comes out has no tag but those in this file. Links and images become their texts, because a page
//! loads nothing, and HTML in the Markdown is shown as text.

use std::fmt;

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use super::escape::Text;

/// Prints Markdown as HTML, below headings of the third level.
#[derive(Debug)]
pub(super) struct Page<'a>(pub(super) &'a str);

impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Parser::new(self.0).try_for_each(|event| write(&event, f))
    }
}

fn write(event: &Event<'_>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match event {
        Event::Start(tag) => f.write_str(&opening(tag)),
        Event::End(tag) => f.write_str(closing(*tag)),
        Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => lines(text, f),
        Event::Code(text) => write!(f, "<code>{}</code>", Text(text)),
        Event::SoftBreak => f.write_str("\n"),
        Event::HardBreak => f.write_str("<br>\n"),
        Event::Rule => f.write_str("<hr>\n"),
        Event::InlineMath(_)
        | Event::DisplayMath(_)
        | Event::FootnoteReference(_)
        | Event::TaskListMarker(_) => Ok(()),
    }
}

/// Writes text that may have several lines, as a block of code does.
fn lines(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (place, line) in text.split('\n').enumerate() {
        if place > 0 {
            f.write_str("\n")?;
        }
        write!(f, "{}", Text(line))?;
    }
    Ok(())
}

/// Returns the tag that opens an element; empty for one that is left out.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is, its text is shown")]
fn opening(tag: &Tag<'_>) -> String {
    let tag = match tag {
        Tag::Paragraph => "<p>",
        Tag::Heading { .. } => "<h4>",
        Tag::BlockQuote(_) => "<blockquote>\n",
        Tag::CodeBlock(CodeBlockKind::Indented | CodeBlockKind::Fenced(_)) => "<pre>",
        Tag::List(None) => "<ul>\n",
        Tag::List(Some(first)) => return format!("<ol start=\"{first}\">\n"),
        Tag::Item => "<li>",
        Tag::Emphasis => "<em>",
        Tag::Strong => "<strong>",
        _ => "",
    };
    tag.to_owned()
}

/// Returns the tag that closes an element that [`opening`] opens.
#[expect(clippy::wildcard_enum_match_arm, reason = "as in `opening`")]
fn closing(tag: TagEnd) -> &'static str {
    match tag {
        TagEnd::Paragraph => "</p>\n",
        TagEnd::Heading(_) => "</h4>\n",
        TagEnd::BlockQuote(_) => "</blockquote>\n",
        TagEnd::CodeBlock => "</pre>\n",
        TagEnd::List(false) => "</ul>\n",
        TagEnd::List(true) => "</ol>\n",
        TagEnd::Item => "</li>\n",
        TagEnd::Emphasis => "</em>",
        TagEnd::Strong => "</strong>",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markdown_becomes_html() {
        let page = "## What we *saw*\n\nRows of `a < b`\nare **off**.\n\n- one\n- two\n\n3. three\n\n```rust\nlet a = &b;\n```\n";
        assert_eq!(
            Page(page).to_string(),
            "<h4>What we <em>saw</em></h4>\n<p>Rows of <code>a &lt; b</code>\nare <strong>off</strong>.</p>\n\
             <ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<ol start=\"3\">\n<li>three</li>\n</ol>\n\
             <pre>let a = &amp;b;\n</pre>\n"
        );
    }

    #[test]
    fn nothing_is_loaded_or_run() {
        let page = "[text](https://example.org) ![picture](x.png) <script>alert(1)</script>\n\n<img src=x>\n";
        let shown = Page(page).to_string();
        assert_eq!(
            shown,
            "<p>text picture &lt;script&gt;alert(1)&lt;/script&gt;</p>\n&lt;img src=x&gt;\n"
        );
    }

    proptest! {
        #[test]
        fn any_text_has_no_other_tags(text in any::<String>()) {
            let mut shown = Page(&text).to_string();
            for tag in ["p", "h4", "blockquote", "pre", "ul", "ol", "li", "em", "strong", "code", "br", "hr"] {
                shown = shown.replace(&format!("<{tag}>"), "").replace(&format!("</{tag}>"), "");
            }
            let starts = shown.matches("<ol start=\"").count();
            prop_assert_eq!(shown.matches('<').count(), starts, "{}", shown);
        }
    }
}
