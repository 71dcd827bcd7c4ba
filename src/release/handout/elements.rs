//! Elements of a handout's page.

use std::collections::BTreeSet;
use std::path::Path;
use std::slice::Iter;

use pulldown_cmark::{Event, Tag, TagEnd, html};

use super::error::HandoutError;
use super::figure::{self, Placement};
use super::files::{self, Files};
use super::headings::Heading;
use super::markdown::{Part, Source};
use crate::release::math::{Layout, mathml};
use crate::report::html::Text;

/// Folder of the figures.
const FIGURES: &str = "figures";

/// Writer of the elements of a page.
pub(super) struct Writer<'a> {
    source: Source<'a>,
    files: &'a Files,
    /// All headings.
    headings: &'a [Heading],
    /// Headings that have not begun.
    next: Iter<'a, Heading>,
    /// Name of the heading that has begun last.
    slug: &'a str,
    /// Ids of the page.
    ids: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    /// Makes a writer. `files` are those of the release, and `headings` those of the handout.
    pub(super) fn new(source: Source<'a>, files: &'a Files, headings: &'a [Heading]) -> Self {
        let ids = headings.iter().map(|heading| heading.slug.clone()).collect();
        Self { source, files, headings, next: headings.iter(), slug: "", ids }
    }

    /// Returns the parts of a handout as what is written into the page.
    ///
    /// # Errors
    ///
    /// Fails if a formula or a figure cannot be read, or a link leads nowhere.
    pub(super) fn events<'e>(
        &mut self,
        parts: &[Part<'e>],
    ) -> Result<Vec<Event<'e>>, HandoutError> {
        let mut events = Vec::new();
        let mut rest = parts;
        while let Some(((event, range), after)) = rest.split_first() {
            rest = after;
            match event {
                Event::Start(Tag::Paragraph) if begins_image(after) => {
                    let end =
                        after.iter().position(|(event, _)| *event == Event::End(TagEnd::Paragraph));
                    let (image, after) = after.split_at(end.unwrap_or(after.len()));
                    events.push(Event::Html(self.figure(image, range.start)?.into()));
                    rest = after.get(1..).unwrap_or_default();
                }
                Event::Start(Tag::Image { .. }) => {
                    let reason = "a figure stands in a paragraph of its own";
                    return Err(self.source.error(range.start, reason));
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    self.slug = self.next.next().map_or("", |heading| heading.slug.as_str());
                    events
                        .push(Event::Html(format!("<{level} id=\"{}\">", Text(self.slug)).into()));
                }
                Event::End(TagEnd::Heading(level)) => {
                    let slug = Text(self.slug);
                    let link = format!(
                        " <a class=\"anchor\" href=\"#{slug}\" aria-label=\"Link to this section\">#</a>"
                    );
                    events.push(Event::Html(format!("{link}</{level}>\n").into()));
                }
                Event::Start(Tag::Table(_)) => {
                    events.push(Event::Html("<div class=\"table\">".into()));
                    events.push(event.clone());
                }
                Event::End(TagEnd::Table) => {
                    events.push(event.clone());
                    events.push(Event::Html("</div>\n".into()));
                }
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    events.push(Event::Start(Tag::Link {
                        link_type: *link_type,
                        dest_url: self.target(dest_url, range.start)?.into(),
                        title: title.clone(),
                        id: id.clone(),
                    }));
                }
                Event::InlineMath(formula) => {
                    let formula = self.source.formula((formula, range), Layout::Inline)?;
                    events.push(Event::InlineHtml(mathml(&formula).into()));
                }
                Event::DisplayMath(formula) => {
                    let formula = self.source.formula((formula, range), Layout::Displayed)?;
                    let formula = mathml(&formula);
                    events.push(Event::Html(
                        format!("<div class=\"formula\">{formula}</div>\n").into(),
                    ));
                }
                Event::Start(_)
                | Event::End(_)
                | Event::Text(_)
                | Event::Code(_)
                | Event::Html(_)
                | Event::InlineHtml(_)
                | Event::FootnoteReference(_)
                | Event::SoftBreak
                | Event::HardBreak
                | Event::Rule
                | Event::TaskListMarker(_) => events.push(event.clone()),
            }
        }
        Ok(events)
    }

    /// Returns where a link of the handout leads from its page.
    fn target(&self, link: &str, at: usize) -> Result<String, HandoutError> {
        if let Some(slug) = link.strip_prefix('#') {
            if self.headings.iter().any(|heading| heading.slug == slug) {
                return Ok(link.to_owned());
            }
            return Err(self.source.error(at, format!("no heading is named `#{slug}`")));
        }
        if ["https://", "http://", "mailto:"].iter().any(|it| link.starts_with(it)) {
            return Ok(link.to_owned());
        }
        let path = link.split('#').next().unwrap_or_default();
        if files::has(self.files, Path::new(path)) {
            return Ok(format!("../{link}"));
        }
        Err(self.source.error(at, format!("the release has no file `{path}`")))
    }

    /// Returns a figure with its caption. `parts` are those of its paragraph.
    fn figure(&mut self, parts: &[Part<'_>], at: usize) -> Result<String, HandoutError> {
        let [
            (Event::Start(Tag::Image { dest_url, .. }), _),
            caption @ ..,
            (Event::End(TagEnd::Image), _),
        ] = parts
        else {
            return Err(self.source.error(at, "a figure stands in a paragraph of its own"));
        };
        let path = Path::new(&**dest_url);
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let is_svg = path.extension().is_some_and(|it| it == "svg");
        if path.parent() != Some(Path::new(FIGURES)) || !is_svg || !is_name {
            let reason = format!(
                "a figure is `{FIGURES}/NAME.svg`, its name of letters, digits and hyphens"
            );
            return Err(self.source.error(at, reason));
        }
        let Some(text) = files::text(self.files, path) else {
            return Err(self.source.error(at, format!("there is no figure `{}`", path.display())));
        };
        let id = format!("figure-{name}");
        if !self.ids.insert(id.clone()) {
            return Err(self.source.error(at, "this figure is on the page already"));
        }
        let label = self.source.words(caption.iter())?;
        let placement = Placement { id: &id, label: &label, ids: &mut self.ids };
        let drawing = figure::inline(path, text, placement)?;
        let mut text = String::new();
        html::push_html(&mut text, self.events(caption)?.into_iter());
        Ok(format!("<figure id=\"{id}\">\n{drawing}\n<figcaption>{text}</figcaption>\n</figure>\n"))
    }
}

/// True if a paragraph begins with an image.
fn begins_image(inside: &[Part<'_>]) -> bool {
    matches!(inside.first(), Some((Event::Start(Tag::Image { .. }), _)))
}
