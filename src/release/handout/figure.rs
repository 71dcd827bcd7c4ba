//! Figures of a handout, as parts of its page.
//!
//! A figure is an SVG file that shows itself in both colour schemes. In the page, its rules hold for itself alone, and its
//! names get the figure's before them. What could run or load something is an error.

use std::path::Path;

use quick_xml::Reader;
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

/// Attributes of the outer element that the page sets, or does not need.
const LEFT_OUT: [&str; 4] = ["aria-label", "aria-labelledby", "height", "role"];

/// Figure that is written into a page.
struct Figure<'a> {
    /// Path in the assignment's folder.
    path: &'a Path,
    text: &'a str,
    /// Id of the figure in the page, which stands before all of its names.
    id: &'a str,
}

/// Returns a figure's elements for the page in which it has the given id. `label` says in words what it shows.
///
/// # Errors
///
/// Fails if the file is no SVG, has no `viewBox`, or has a part that could run or load something.
pub(super) fn inline(
    path: &Path,
    text: &str,
    (id, label): (&str, &str),
) -> Result<String, HandoutError> {
    let figure = Figure { path, text, id };
    let mut reader = Reader::from_str(text);
    let mut out = String::new();
    let mut open: Vec<String> = Vec::new();
    loop {
        let event = reader.read_event();
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = event.map_err(|error| figure.error(at, error.to_string()))?;
        match event {
            Event::Start(element) => {
                out.push_str(&figure.element(&element, at, open.is_empty().then_some(label))?);
                out.push('>');
                open.push(element.name().as_ref().to_owned());
            }
            Event::Empty(element) => {
                out.push_str(&figure.element(&element, at, open.is_empty().then_some(label))?);
                out.push_str("/>");
            }
            Event::End(element) => {
                open.pop();
                out.extend(["</", element.name().as_ref(), ">"]);
            }
            Event::Text(words) if open.last().is_some_and(|name| name == "style") => {
                out.push_str(&figure.rules(&words.into_inner(), at)?);
            }
            Event::Text(words) => out.push_str(words.into_inner().trim_matches('\n')),
            Event::GeneralRef(name) => out.extend(["&", &name.into_inner(), ";"]),
            Event::Eof => break,
            Event::Comment(_) | Event::Decl(_) => {}
            Event::CData(_) | Event::PI(_) | Event::DocType(_) => {
                return Err(figure.error(at, "a figure has elements, text and comments alone"));
            }
        }
    }
    if !out.starts_with("<svg") || !open.is_empty() {
        return Err(figure.error(0, "this is not one whole `svg` element"));
    }
    Ok(out)
}

impl Figure<'_> {
    fn error(&self, at: usize, reason: impl Into<String>) -> HandoutError {
        let line = self.text.get(..at).unwrap_or(self.text).matches('\n').count() + 1;
        HandoutError::new(self.path, line, reason)
    }

    /// Returns the beginning of an element; `label` is that of the outer one.
    fn element(
        &self,
        element: &BytesStart<'_>,
        at: usize,
        label: Option<&str>,
    ) -> Result<String, HandoutError> {
        let name = element.name();
        let name = name.as_ref();
        if !ELEMENTS.contains(&name) || (label.is_some() != (name == "svg")) {
            return Err(self.error(at, format!("a figure may not have the element `{name}` here")));
        }
        let mut out = format!("<{name}");
        let mut has_box = false;
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| self.error(at, error.to_string()))?;
            let (key, value) = (attribute.key.as_ref(), attribute.value.replace('"', "&quot;"));
            if key.starts_with("xmlns") || (label.is_some() && LEFT_OUT.contains(&key)) {
                continue;
            }
            has_box |= key == "viewBox";
            let value = match key {
                "id" => format!("{}-{value}", self.id),
                "href" | "xlink:href" => match value.strip_prefix('#') {
                    Some(name) => format!("#{}-{name}", self.id),
                    None => return Err(self.error(at, "a figure may refer to its own parts alone")),
                },
                _ if key.starts_with("on") => {
                    return Err(
                        self.error(at, format!("a figure may not have the attribute `{key}`"))
                    );
                }
                _ => self.own(&value, at)?,
            };
            out.extend([" ", key, "=\"", &value, "\""]);
        }
        if let Some(label) = label {
            if !has_box {
                return Err(self.error(at, "the outer element needs a `viewBox`"));
            }
            let label = label.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
            out.extend([" role=\"img\" aria-label=\"", &label, "\""]);
        }
        Ok(out)
    }

    /// Returns rules of style that hold for this figure alone.
    fn rules(&self, text: &str, at: usize) -> Result<String, HandoutError> {
        if text.contains(['<', '@', '\\', '&'])
            && text.replace("@media", "").contains(['<', '@', '\\', '&'])
        {
            return Err(self.error(
                at,
                "rules of style may have no `@` but `@media`, and no `\\`, `&` and `<`",
            ));
        }
        if text.matches('{').count() != text.matches('}').count() {
            return Err(self.error(at, "a brace is missing in the rules of style"));
        }
        let text = self.own(text, at)?.replace(":root", "svg");
        Ok(format!("#{}{{{text}}}", self.id))
    }

    /// Returns a value whose references lead to parts of this figure.
    fn own(&self, value: &str, at: usize) -> Result<String, HandoutError> {
        let plain = value.replace("url(#", "").to_lowercase();
        if ["url(", "src(", "image(", "expression(", "javascript:"]
            .iter()
            .any(|it| plain.contains(it))
        {
            return Err(self.error(at, "a figure may refer to its own parts alone"));
        }
        Ok(value.replace("url(#", &format!("url(#{}-", self.id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inlined(text: &str) -> Result<String, HandoutError> {
        inline(Path::new("figures/f.svg"), text, ("figure-f", "what it \"shows\""))
    }

    #[test]
    fn a_figure_keeps_its_style_and_names_to_itself() {
        let svg = "<?xml version=\"1.0\"?>\n<!-- made by hand -->\n\
            <svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 8\" width='8' height=\"8\" role=\"img\">\
            <style>:root { --ink: #000 } .a { stroke: var(--ink) }</style>\
            <marker id=\"tip\"/><path class=\"a\" d=\"M0 0\" marker-end=\"url(#tip)\"/><use href=\"#tip\"/>\
            <text>a &lt; b</text></svg>\n";
        let expected = "<svg viewBox=\"0 0 8 8\" width=\"8\" role=\"img\" aria-label=\"what it &quot;shows&quot;\">\
            <style>#figure-f{svg { --ink: #000 } .a { stroke: var(--ink) }}</style>\
            <marker id=\"figure-f-tip\"/><path class=\"a\" d=\"M0 0\" marker-end=\"url(#figure-f-tip)\"/>\
            <use href=\"#figure-f-tip\"/><text>a &lt; b</text></svg>";
        assert_eq!(inlined(svg).unwrap(), expected);
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
        assert!(inlined("<svg></svg>").unwrap_err().reason.contains("viewBox"));
        assert!(inlined("<g/>").is_err());
        assert!(inlined("").is_err());
    }

    #[test]
    fn errors_have_a_line() {
        let error = inlined("<svg viewBox=\"0 0 1 1\">\n\n<a/></svg>").unwrap_err();
        assert_eq!((error.line, error.file.as_path()), (3, Path::new("figures/f.svg")));
    }
}
