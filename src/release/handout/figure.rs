//! Figures of a handout, as parts of its page.
//!
//! A figure is an SVG file that shows itself in both colour schemes. In the page, its rules of style hold for itself alone.
//! Elements and attributes that could run or load something are errors.

use std::collections::BTreeSet;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::error::HandoutError;

/// Elements that a figure may have.
const ELEMENTS: [&str; 24] = [
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "g",
    "line",
    "linearGradient",
    "marker",
    "mask",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "style",
    "svg",
    "symbol",
    "text",
    "title",
    "tspan",
    "use",
];

/// Least width, in its own units, of a figure that does not shrink to a narrow screen, but is scrolled there.
const WIDE: f64 = 500.0;

/// Surroundings of a figure in a page.
#[derive(Debug)]
pub(super) struct Placement<'a> {
    /// Id of the element that the figure is in.
    pub(super) id: &'a str,
    /// Words for those who do not see it.
    pub(super) label: &'a str,
    /// Ids of the page.
    pub(super) ids: &'a mut BTreeSet<String>,
}

/// Figure that is written into a page.
struct Figure<'a> {
    /// Path in the assignment's folder.
    path: &'a Path,
    text: &'a str,
    placement: Placement<'a>,
}

/// Returns a figure as an element of a page.
///
/// # Errors
///
/// Fails if the file is no SVG, has no `viewBox`, has an id that the page has already, or a part that could run or load
/// something.
pub(super) fn inline(
    path: &Path,
    text: &str,
    placement: Placement<'_>,
) -> Result<String, HandoutError> {
    let mut figure = Figure { path, text, placement };
    let mut reader = Reader::from_str(text);
    let mut out = String::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = event.map_err(|error| figure.error(at, error.to_string()))?;
        let is_style = open.last().is_some_and(|name| name == "style");
        match event {
            Event::Start(element) => {
                out.push_str(&figure.element(&element, at, open.is_empty())?);
                out.push('>');
                open.push(element.name().as_ref().to_owned());
            }
            Event::Empty(element) => {
                out.push_str(&figure.element(&element, at, open.is_empty())?);
                out.push_str("/>");
            }
            Event::End(element) => {
                open.pop();
                out.extend(["</", element.name().as_ref(), ">"]);
            }
            Event::Text(words) if is_style => out.push_str(&figure.rules(&words, at)?),
            Event::Text(words) if open.is_empty() => out.push_str(words.trim()),
            Event::Text(words) => out.push_str(&words.into_inner()),
            Event::GeneralRef(name) if !is_style => out.extend(["&", &name.into_inner(), ";"]),
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) => {}
            Event::CData(_) | Event::PI(_) | Event::DocType(_) | Event::GeneralRef(_) => {
                return Err(figure.error(at, "a figure has elements, text and comments alone"));
            }
        }
    }
    if !out.starts_with("<svg ") || !out.ends_with('>') || !open.is_empty() {
        return Err(figure.error(0, "this is not one whole `svg` element"));
    }
    let class = if width(&out) < WIDE { "drawing" } else { "wide drawing" };
    Ok(format!("<div class=\"{class}\">{out}</div>"))
}

/// Returns the width of an SVG in its own units.
fn width(svg: &str) -> f64 {
    let (_, rest) = svg.split_once("viewBox=\"").unwrap_or_default();
    let numbers = rest.split('"').next().unwrap_or_default().split([' ', ',']);
    numbers.filter(|number| !number.is_empty()).nth(2).and_then(|it| it.parse().ok()).unwrap_or(0.0)
}

impl Figure<'_> {
    fn error(&self, at: usize, reason: impl Into<String>) -> HandoutError {
        let line = self.text.get(..at).unwrap_or(self.text).matches('\n').count() + 1;
        HandoutError::new(self.path, line, reason)
    }

    /// Returns the beginning of an element.
    fn element(
        &mut self,
        element: &BytesStart<'_>,
        at: usize,
        is_outer: bool,
    ) -> Result<String, HandoutError> {
        let name = element.name();
        let name = name.as_ref();
        if !ELEMENTS.contains(&name) || (is_outer != (name == "svg")) {
            return Err(self.error(at, format!("a figure may not have the element `{name}` here")));
        }
        let mut out = format!("<{name}");
        let mut keys = BTreeSet::new();
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| self.error(at, error.to_string()))?;
            let key = attribute.key.as_ref();
            let value = unescape(&attribute.value);
            let value = value.map_err(|error| self.error(at, error.to_string()))?;
            self.check(key, &value, at)?;
            // The page gives the figure its height.
            let is_left_out = key.starts_with("xmlns") || (is_outer && key == "height");
            if !is_left_out {
                out.extend([" ", key, "=\"", &escaped(&value), "\""]);
            }
            keys.insert(key.to_owned());
        }
        if is_outer && !keys.contains("viewBox") {
            return Err(self.error(at, "the outer element needs a `viewBox`"));
        }
        if is_outer && !keys.contains("role") {
            out.push_str(" role=\"img\"");
        }
        if is_outer && !keys.contains("aria-label") && !keys.contains("aria-labelledby") {
            out.extend([" aria-label=\"", &escaped(self.placement.label), "\""]);
        }
        Ok(out)
    }

    /// Fails if an attribute could run or load something, or if it is an id that the page has already.
    fn check(&mut self, key: &str, value: &str, at: usize) -> Result<(), HandoutError> {
        if key.starts_with("on") {
            return Err(self.error(at, format!("a figure may not have the attribute `{key}`")));
        }
        let is_foreign = key.ends_with("href") && !value.starts_with('#');
        if is_foreign || loads(value) {
            return Err(self.error(at, "a figure may refer to its own parts alone"));
        }
        if key == "id" && !self.placement.ids.insert(value.to_owned()) {
            return Err(self.error(at, format!("another part of the page has the id `{value}`")));
        }
        Ok(())
    }

    /// Returns rules of style that hold for this figure alone.
    fn rules(&self, text: &str, at: usize) -> Result<String, HandoutError> {
        if text.replace("@media", "").contains(['<', '@', '\\', '&']) {
            let reason = "rules of style may have no `@` but `@media`, and no `\\`, `&` and `<`";
            return Err(self.error(at, reason));
        }
        if loads(text) {
            return Err(self.error(at, "a figure may refer to its own parts alone"));
        }
        if !is_balanced(text) {
            return Err(self.error(at, "a brace is missing in the rules of style"));
        }
        Ok(format!("#{}{{{}}}", self.placement.id, text.replace(":root", "svg")))
    }
}

/// True if a value refers to something that is not in the page.
fn loads(value: &str) -> bool {
    let foreign = value.replace("url(#", "").to_lowercase();
    ["url(", "src(", "image(", "image-set(", "javascript:"].iter().any(|it| foreign.contains(it))
}

/// True if each closing brace has an opening one before it.
fn is_balanced(rules: &str) -> bool {
    let mut depth = 0_usize;
    for c in rules.chars() {
        if c == '}' && depth == 0 {
            return false;
        }
        depth = (depth + usize::from(c == '{')).saturating_sub(usize::from(c == '}'));
    }
    depth == 0
}

/// Escapes the value of an attribute.
fn escaped(value: &str) -> String {
    value.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inlined(text: &str) -> Result<String, HandoutError> {
        let mut ids = BTreeSet::from(["taken".to_owned()]);
        let placement = Placement { id: "figure-f", label: "what it \"shows\"", ids: &mut ids };
        inline(Path::new("figures/f.svg"), text, placement)
    }

    #[test]
    fn a_figure_keeps_its_style_to_itself() {
        let svg = "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n\
            <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" width='8' height=\"8\">\
            <style>:root { --ink: #000 } .a { stroke: var(--ink) }</style>\
            <marker id=\"tip\"/><path class='\"a' marker-end=\"url(#tip)\"/><use href=\"#tip\"/>\
            <text>a &lt; b</text></svg>\n";
        let expected = "<div class=\"drawing\"><svg viewBox=\"0 0 8 8\" width=\"8\" role=\"img\" \
            aria-label=\"what it &quot;shows&quot;\">\
            <style>#figure-f{svg { --ink: #000 } .a { stroke: var(--ink) }}</style>\
            <marker id=\"tip\"/><path class=\"&quot;a\" marker-end=\"url(#tip)\"/><use href=\"#tip\"/>\
            <text>a &lt; b</text></svg></div>";
        assert_eq!(inlined(svg).unwrap(), expected);
    }

    #[test]
    fn a_figure_may_have_words_of_its_own_and_be_wide() {
        let svg = "<svg viewBox=\"0,0 720,8\" role=\"img\" aria-labelledby=\"t\"><title id=\"t\">T</title></svg>";
        assert_eq!(inlined(svg).unwrap(), format!("<div class=\"wide drawing\">{svg}</div>"));
    }

    #[test]
    fn what_could_run_or_load_something_is_refused() {
        let svg = |inside: &str| format!("<svg viewBox=\"0 0 1 1\">\n{inside}\n</svg>");
        assert!(inlined(&svg("<g/>")).is_ok());
        for inside in [
            "<script>alert(1)</script>",
            "<foreignObject/>",
            "<image href=\"x.png\"/>",
            "<use href=\"https://example.org/x.svg#a\"/>",
            "<g onclick=\"alert(1)\"/>",
            "<rect fill=\"url(https://example.org/a)\"/>",
            "<rect fill=\"&#117;rl(https://example.org/a)\"/>",
            "<g id=\"taken\"/>",
            "<g id=\"a\"/><g id=\"a\"/>",
            "<style>a { color: red } &#64;import 'a.css';</style>",
            "<style>} body { display: none } a {</style>",
            "<rect fill=\"URL( https://example.org/a)\"/>",
            "<style>@import 'a.css';</style>",
            "<style>rect { fill: u\\72l(a) }</style>",
            "<style>} body { display: none }{{</style>",
            "<svg viewBox=\"0 0 1 1\"/>",
            "<![CDATA[x]]>",
            "<g>",
        ] {
            let error = inlined(&svg(inside)).unwrap_err();
            assert!(error.line >= 1, "{inside}: {error}");
        }
        assert!(inlined("<svg a=\"b\"></svg>").unwrap_err().reason.contains("viewBox"));
        assert!(inlined("<g/>").is_err());
        assert!(inlined("").is_err());
    }

    #[test]
    fn errors_have_a_line() {
        let error = inlined("<svg viewBox=\"0 0 1 1\">\n\n<a/></svg>").unwrap_err();
        assert_eq!((error.line, error.file.as_path()), (3, Path::new("figures/f.svg")));
    }
}
