//! Headings of a handout, and the table of contents.

use pulldown_cmark::{Event, HeadingLevel, Tag, TagEnd};

use super::error::HandoutError;
use super::markdown::{Part, Source};
use super::slug::Slugs;
use crate::report::html::Text;

/// Heading of a handout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Heading {
    /// Level, from 1.
    pub(super) level: HeadingLevel,
    /// Text, with its formulas in Unicode.
    pub(super) text: String,
    /// Name of the heading in links.
    pub(super) slug: String,
}

/// Returns the headings of a handout, in their order.
///
/// # Errors
///
/// Fails if the handout does not begin with a heading of level 1, has another one, or a formula cannot be read.
pub(super) fn headings(
    source: Source<'_>,
    parts: &[Part<'_>],
) -> Result<Vec<Heading>, HandoutError> {
    let mut headings: Vec<Heading> = Vec::new();
    let mut slugs = Slugs::default();
    for (at, (event, range)) in parts.iter().enumerate() {
        let Event::Start(Tag::Heading { level, .. }) = event else { continue };
        if (at == 0) != (*level == HeadingLevel::H1) {
            return Err(
                source.error(range.start, "a handout has one heading of level 1, at its beginning")
            );
        }
        let inside = parts.iter().skip(at + 1);
        let inside =
            inside.take_while(|(event, _)| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text = source.words(inside)?;
        let slug = slugs.next(&text);
        headings.push(Heading { level: *level, text, slug });
    }
    if headings.first().is_none_or(|heading| heading.level != HeadingLevel::H1) {
        return Err(source.error(0, "a handout begins with a heading of level 1"));
    }
    Ok(headings)
}

/// Returns a list of links to the headings of levels 2 and 3.
pub(super) fn contents(headings: &[Heading]) -> String {
    let link = |heading: &Heading| {
        let class = if heading.level == HeadingLevel::H3 { " class=\"below\"" } else { "" };
        let (slug, text) = (Text(&heading.slug), Text(&heading.text));
        format!("<li{class}><a href=\"#{slug}\">{text}</a></li>\n")
    };
    let listed = [HeadingLevel::H2, HeadingLevel::H3];
    let links = headings.iter().filter(|heading| listed.contains(&heading.level)).map(link);
    format!("<nav aria-label=\"Contents\">\n<ul>\n{}</ul>\n</nav>\n", links.collect::<String>())
}
