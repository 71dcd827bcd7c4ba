//! A reader of the tags of a page, which trusts nothing: whatever begins with `<` is a tag.

use std::collections::BTreeSet;

/// Elements that pages have.
const ELEMENTS: [&str; 66] = [
    "a",
    "article",
    "b",
    "body",
    "br",
    "button",
    "caption",
    "circle",
    "code",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "head",
    "header",
    "html",
    "i",
    "iframe",
    "input",
    "kbd",
    "label",
    "legend",
    "li",
    "line",
    "link",
    "main",
    "meta",
    "nav",
    "ol",
    "option",
    "p",
    "polyline",
    "pre",
    "progress",
    "rect",
    "script",
    "section",
    "select",
    "small",
    "span",
    "strong",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "textarea",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];

/// Attributes that pages have.
const ATTRIBUTES: [&str; 56] = [
    "action",
    "aria-current",
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "autocomplete",
    "autofocus",
    "charset",
    "checked",
    "class",
    "cols",
    "content",
    "data-answer",
    "data-key",
    "data-live",
    "data-state",
    "defer",
    "disabled",
    "for",
    "height",
    "hidden",
    "href",
    "http-equiv",
    "id",
    "inputmode",
    "lang",
    "max",
    "maxlength",
    "method",
    "min",
    "name",
    "open",
    "placeholder",
    "preserveAspectRatio",
    "rel",
    "required",
    "role",
    "rows",
    "sandbox",
    "scope",
    "selected",
    "size",
    "src",
    "start",
    "step",
    "tabindex",
    "text-anchor",
    "title",
    "type",
    "value",
    "viewBox",
    "width",
    "x",
    "y",
    "colspan",
];

/// Attributes of shapes.
const SHAPES: [&str; 10] =
    ["cx", "cy", "points", "r", "x1", "x2", "y1", "y2", "transform", "style"];

/// Attributes whose values are addresses.
const ADDRESSES: [&str; 3] = ["href", "src", "action"];

/// Tag of a page.
struct Tag<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
}

/// Returns the tags of a page, but for those that end elements.
fn tags(page: &str) -> Vec<Tag<'_>> {
    let inside = page.split('<').skip(1).filter(|rest| !rest.starts_with(['/', '!']));
    inside.map(tag).collect()
}

fn tag(text: &str) -> Tag<'_> {
    let end = text.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(text.len());
    let (name, mut rest) = text.split_at(end);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with('>') || rest.starts_with("/>") {
            return Tag { name: name.trim_end_matches('/'), attributes };
        }
        let end =
            rest.find(|c: char| c.is_whitespace() || c == '>' || c == '=').unwrap_or(rest.len());
        let (key, after) = rest.split_at(end);
        rest = after;
        let mut value = "";
        if let Some(after) = rest.strip_prefix("=\"") {
            (value, rest) = after.split_once('"').unwrap_or((after, ""));
        } else if let Some(after) = rest.strip_prefix('=') {
            // A value without quotes, which no page of ours has.
            rest = after;
        }
        attributes.push((key, value));
    }
}

/// Returns what a page has that no page of ours has: elements, attributes, addresses elsewhere, and hidden characters.
pub(super) fn strangers(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for tag in tags(page) {
        if !ELEMENTS.contains(&tag.name) {
            found.insert(format!("element {}", tag.name));
        }
        for (key, value) in tag.attributes {
            let is_known = ATTRIBUTES.contains(&key) || SHAPES.contains(&key);
            if !is_known && !key.starts_with("data-") {
                found.insert(format!("attribute {key} of {}", tag.name));
            }
            let is_here = value.starts_with(['/', '#']) && !value.starts_with("//")
                || value.starts_with('?')
                || value.is_empty()
                || value == "data:,";
            if ADDRESSES.contains(&key) && !is_here {
                found.insert(format!("address {value}"));
            }
        }
    }
    let is_hidden = |c: &char| *c != '\n' && softmark_untrusted::is_unprintable(*c);
    found.extend(page.chars().find(is_hidden).map(|c| format!("character {:x}", u32::from(c))));
    found
}

#[test]
fn strangers_are_found() {
    assert_eq!(
        strangers("<p class=\"a\">x &lt;b onclick=1&gt;</p><a href=\"/x\">y</a>"),
        BTreeSet::new()
    );
    for (page, expected) in [
        ("<img src=x>", "element img"),
        ("<p onclick=\"x\">", "attribute onclick of p"),
        ("<a href=\"javascript:x\">", "address javascript:x"),
        ("<a href=\"//evil.example\">", "address //evil.example"),
        ("a\u{202e}b", "character 202e"),
        ("<svg/onload=alert(1)>", "element svg/onload=alert(1)"),
    ] {
        let found = strangers(page);
        assert!(found.contains(expected), "{page}: {found:?}");
    }
}
