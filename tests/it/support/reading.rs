//! Reports as somebody reads them who does not trust them; nothing here is shared with `src/`.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use pulldown_cmark::{Event as MarkdownEvent, Options, Parser, Tag, TagEnd};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::Event;

/// What Unicode 16 calls a format character or one that is shown as nothing, but for those that can
/// be seen, the two that join letters and the selectors of a letter's look: ordinary text needs them.
const UNSEEN: &[RangeInclusive<u32>] = &[
    0xad..=0xad,
    0x34f..=0x34f,
    0x61c..=0x61c,
    0x70f..=0x70f,
    0x115f..=0x1160,
    0x17b4..=0x17b5,
    0x180e..=0x180e,
    0x200b..=0x200b,
    0x200e..=0x200f,
    0x2028..=0x202e,
    0x2060..=0x206f,
    0x3164..=0x3164,
    0xfeff..=0xfeff,
    0xffa0..=0xffa0,
    0xfff0..=0xfffb,
    0x13430..=0x1343f,
    0x1bca0..=0x1bca3,
    0x1d173..=0x1d17a,
    0xe0000..=0xe00ff,
    0xe01f0..=0xe0fff,
];

/// The first character of `text` that moves a cursor, turns the direction of writing, or takes up
/// no space; newlines are none.
pub(crate) fn letters_that_hide(text: &str) -> Option<char> {
    text.chars().find(|&character| {
        let number = u32::from(character);
        // Most text is ASCII, and some reports have megabytes of it.
        if matches!(character, ' '..='~') {
            return false;
        }
        (character.is_control() && character != '\n')
            || UNSEEN.iter().any(|range| range.contains(&number))
            || number & 0xfffe == 0xfffe
    })
}

/// Whether `text` is what its format says, read by a reader that is not the grader's.
pub(crate) fn well_formed(format: &str, text: &str) -> Result<(), String> {
    match format {
        "json" => {
            let read = serde_json::from_str::<serde_json::Value>(text);
            read.map(drop).map_err(|error| error.to_string())
        }
        "junit" => xml_texts(text).map(drop).map_err(|error| error.to_string()),
        "csv" => {
            for row in csv::Reader::from_reader(text.as_bytes()).records() {
                for cell in &row.map_err(|error| error.to_string())? {
                    if cell.trim_start().starts_with(['=', '+', '-', '@', '\t', '\r']) {
                        return Err(format!("a formula: {cell}"));
                    }
                }
            }
            Ok(())
        }
        "html" => page_texts(text).map(drop),
        _ => Ok(()),
    }
}

/// Every text and attribute of an XML document, decoded.
pub(crate) fn xml_texts(document: &str) -> Result<Vec<String>, quick_xml::Error> {
    let mut reader = Reader::from_str(document);
    let mut depth = 0_i32;
    let mut texts = Vec::new();
    // A text with references in it comes in pieces.
    let mut text = String::new();
    loop {
        let event = reader.read_event()?;
        if !matches!(event, Event::Text(_) | Event::GeneralRef(_)) && !text.is_empty() {
            texts.push(std::mem::take(&mut text));
        }
        match event {
            Event::Start(element) => {
                depth += 1;
                for attribute in element.attributes() {
                    texts.push(unescape(&attribute?.value).unwrap().into_owned());
                }
            }
            Event::End(_) => depth -= 1,
            Event::Text(piece) => text.push_str(&piece),
            Event::Empty(element) => {
                for attribute in element.attributes() {
                    texts.push(unescape(&attribute?.value).unwrap().into_owned());
                }
            }
            Event::GeneralRef(name) => {
                text.push_str(&unescape(&format!("&{};", &*name)).unwrap());
            }
            Event::Decl(_) => {}
            Event::CData(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {
                panic!("the report has none of these")
            }
            Event::Eof => break,
        }
    }
    assert_eq!(depth, 0);
    Ok(texts)
}

/// What a page may be made of.
const TAGS: [&str; 49] = [
    "html",
    "head",
    "meta",
    "title",
    "style",
    "body",
    "header",
    "main",
    "footer",
    "article",
    "section",
    "div",
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "span",
    "small",
    "strong",
    "code",
    "pre",
    "ul",
    "ol",
    "blockquote",
    "br",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "a",
    "i",
    "b",
    "em",
    "details",
    "summary",
    "nav",
    "bdi",
    "svg",
    "rect",
    "circle",
    "line",
    "text",
];

/// The attributes that its elements may have: none that does anything.
const ATTRIBUTES: [&str; 26] = [
    "lang",
    "charset",
    "http-equiv",
    "content",
    "name",
    "class",
    "id",
    "title",
    "href",
    "style",
    "colspan",
    "role",
    "aria-label",
    "width",
    "height",
    "viewBox",
    "x",
    "y",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "text-anchor",
];

/// The texts between the tags of a page, decoded; an error where an element or an attribute is none
/// of those that the page is made of, or a tag is left open.
pub(crate) fn page_texts(page: &str) -> Result<Vec<String>, String> {
    let body = page.strip_prefix("<!DOCTYPE html>").ok_or("it does not open as a page")?;
    let mut texts = Vec::new();
    let mut open: Vec<&str> = Vec::new();
    let mut rest = body;
    while let Some((text, after)) = rest.split_once('<') {
        if text.contains('>') && open.last() != Some(&"style") {
            return Err(format!("a `>` in the text {text:?}"));
        }
        texts.push(decoded(text)?);
        let (tag, after) = after.split_once('>').ok_or("a tag that is left open")?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("`</{name}>` closes another element"));
            }
            continue;
        }
        let name = tag.split_whitespace().next().unwrap_or_default();
        if !TAGS.contains(&name) {
            return Err(format!("an element <{tag}>"));
        }
        // Values stand in double quotes: every other piece is a name and an equals sign.
        for attribute in tag.split('"').step_by(2).filter_map(|piece| piece.strip_suffix('=')) {
            let attribute = attribute.rsplit(' ').next().unwrap_or_default();
            if !ATTRIBUTES.contains(&attribute) {
                return Err(format!("an attribute `{attribute}` in <{tag}>"));
            }
        }
        if let Some((_, link)) = tag.split_once("href=\"")
            && !link.starts_with('#')
        {
            return Err(format!("a link that leads elsewhere: {link}"));
        }
        if name != "meta" && !tag.ends_with('/') {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(texts) } else { Err(format!("{open:?} are left open")) }
}

/// The texts of a Markdown document, one a block; an error where there is a link, a picture, HTML or a formula, which a
/// report has not.
pub(crate) fn markdown_texts(document: &str) -> Result<Vec<String>, String> {
    let mut texts = vec![String::new()];
    for event in Parser::new_ext(document, Options::ENABLE_TABLES | Options::ENABLE_MATH) {
        let last = texts.last_mut().unwrap();
        if let MarkdownEvent::Text(text) | MarkdownEvent::Code(text) = &event {
            last.push_str(text);
        } else if event == MarkdownEvent::SoftBreak {
            last.push('\n');
        } else if matches!(event, MarkdownEvent::End(end) if end != TagEnd::Strong) {
            texts.push(String::new());
        } else if !is_of_a_report(&event) {
            return Err(format!("{event:?}"));
        }
    }
    Ok(texts)
}

/// True if a report has such a block, or text in bold.
fn is_of_a_report(event: &MarkdownEvent<'_>) -> bool {
    let MarkdownEvent::Start(tag) = event else {
        return *event == MarkdownEvent::End(TagEnd::Strong);
    };
    matches!(
        tag,
        Tag::Heading { .. }
            | Tag::Paragraph
            | Tag::CodeBlock(_)
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::TableCell
            | Tag::List(None)
            | Tag::Item
            | Tag::Strong
    )
}

/// A text of a page as a browser shows it.
fn decoded(text: &str) -> Result<String, String> {
    unescape(text).map(Cow::into_owned).map_err(|error| format!("{text:?}: {error}"))
}
