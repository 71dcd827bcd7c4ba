//! SVG files of the handouts.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Most bytes of a figure.
const MAX_BYTES: usize = 12_000;

/// The only address that a figure may name.
const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Element of a figure, with its attributes and the text directly inside.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

/// Returns the elements in their order; the first one is the root.
///
/// # Errors
///
/// Fails if the text is not well-formed XML with one root.
fn elements(text: &str) -> Result<Vec<Element>, String> {
    let mut reader = Reader::from_str(text);
    let mut found: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        let event = reader.read_event().map_err(|error| error.to_string())?;
        let is_element = matches!(event, Event::Start(_) | Event::Empty(_));
        if is_element && open.is_empty() && !found.is_empty() {
            return Err("more than one root".to_owned());
        }
        match event {
            Event::Start(start) => {
                open.push(found.len());
                found.push(element(&start)?);
            }
            Event::Empty(start) => found.push(element(&start)?),
            Event::End(_) => drop(open.pop()),
            Event::Text(piece) => {
                if let Some(element) = open.last().and_then(|at| found.get_mut(*at)) {
                    element.text.push_str(&piece);
                }
            }
            Event::GeneralRef(_) | Event::Comment(_) => {}
            Event::Eof => break,
            Event::CData(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {
                return Err("a figure has elements, text and comments alone".to_owned());
            }
        }
    }
    if open.is_empty() { Ok(found) } else { Err("an element is not closed".to_owned()) }
}

fn element(start: &BytesStart<'_>) -> Result<Element, String> {
    let mut element = Element { name: start.name().as_ref().to_owned(), ..Element::default() };
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let value = attribute.value.clone().into_owned();
        element.attributes.insert(attribute.key.as_ref().to_owned(), value);
    }
    Ok(element)
}

/// Returns what is wrong with a figure, whose ids have to begin with `prefix`.
pub(super) fn problems(name: &str, prefix: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if text.len() >= MAX_BYTES {
        found.push(format!("{} bytes, at most {MAX_BYTES}", text.len()));
    }
    match elements(text) {
        Ok(elements) => found.extend(problems_of(&elements, prefix)),
        Err(error) => found.push(format!("not well-formed: {error}")),
    }
    let others = text.replace(&format!("xmlns=\"{NAMESPACE}\""), "");
    if others.contains("http") || others.contains("//") || others.contains("@import") {
        found.push("names an address".to_owned());
    }
    found.into_iter().map(|problem| format!("{name}: {problem}")).collect()
}

fn problems_of(elements: &[Element], prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    let root = elements.first().filter(|root| root.name == "svg");
    if root.is_none_or(|root| !root.attributes.contains_key("viewBox")) {
        found.push("the root is not an `svg` with a viewBox".to_owned());
    }
    for name in ["title", "desc"] {
        let is_told = |it: &Element| it.name == name && !it.text.trim().is_empty();
        if !elements.iter().any(is_told) {
            found.push(format!("no {name}, which readers of screens need"));
        }
    }
    for element in elements {
        if ["script", "image", "foreignObject", "a"].contains(&element.name.as_str()) {
            found.push(format!("has an element `{}`", element.name));
        }
        found.extend(element.attributes.iter().filter_map(|it| problem_of_attribute(it, prefix)));
    }
    found
}

fn problem_of_attribute((name, value): (&String, &String), prefix: &str) -> Option<String> {
    let is_outside = |value: &str| !value.trim_start_matches("url(").starts_with('#');
    if name.starts_with("on") {
        return Some(format!("has an attribute `{name}`"));
    }
    if (name.ends_with("href") || value.contains("url(")) && is_outside(value) {
        return Some(format!("{name} = {value} leads out of the figure"));
    }
    let is_own = value == prefix || value.starts_with(&format!("{prefix}-"));
    (name == "id" && !is_own).then(|| format!("the id {value} does not begin with {prefix}"))
}

const SOUND: &str = "\
<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"x-one\" viewBox=\"0 0 1 1\">
<title>a title</title><desc>a description</desc>
<path id=\"x-one-line\" d=\"M0 0h1\" marker-end=\"url(#x-one-arrow)\"/>
</svg>
";

#[test]
fn accepts_a_sound_figure() {
    assert_eq!(problems("one.svg", "x-one", SOUND), [""; 0]);
}

#[test]
fn reports_what_is_wrong_with_a_figure() {
    for (from, to, problem) in [
        ("</svg>", "", "an element is not closed"),
        ("</title>", "</titel>", "not well-formed"),
        ("</svg>\n", "</svg>\n<g/>\n", "more than one root"),
        (" viewBox=\"0 0 1 1\"", "", "the root is not an `svg` with a viewBox"),
        ("<title>a title</title>", "", "no title"),
        ("a description", " ", "no desc"),
        ("<path ", "<script></script><path ", "has an element `script`"),
        ("<path ", "<path onload=\"f()\" ", "has an attribute `onload`"),
        ("url(#x-one-arrow)", "url(arrows.svg#a)", "leads out of the figure"),
        ("<path ", "<use href=\"other.svg\"/><path ", "leads out of the figure"),
        ("a title", "see http://example.org", "names an address"),
        ("x-one-line", "x-two-line", "does not begin with x-one"),
    ] {
        let changed = SOUND.replacen(from, to, 1);
        assert_ne!(changed, SOUND);
        let found = problems("one.svg", "x-one", &changed);
        assert!(found.iter().any(|it| it.contains(problem)), "{problem}: {found:?}");
    }
    let long = SOUND.replace("a title", &"a title ".repeat(2000));
    assert!(problems("one.svg", "x-one", &long)[0].contains("at most 12000"));
}
