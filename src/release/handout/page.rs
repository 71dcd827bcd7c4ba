//! Handout as a page.

use pulldown_cmark::{Event, html};

use super::elements::Writer;
use super::error::HandoutError;
use super::files::Files;
use super::headings::{contents, headings};
use super::markdown::{Part, Source};
use crate::report::html::{Text, begin};

/// Style of the page, behind what all pages share.
const STYLE: &str = include_str!("site.css");

/// Returns the page of a handout. `files` are those of the release, and `specification` is the name of its package.
///
/// # Errors
///
/// Fails if a formula or a figure cannot be read, or a link leads nowhere.
pub(super) fn page(
    source: Source<'_>,
    parts: &[Part<'_>],
    (files, specification): (&Files, Option<&str>),
) -> Result<String, HandoutError> {
    let headings = headings(source, parts)?;
    let mut events = Writer::new(source, files, &headings).events(parts)?;
    let is_end_of_title =
        |event: &Event<'_>| matches!(event, Event::Html(it) if it.ends_with("</h1>\n"));
    let end_of_title = events.iter().position(is_end_of_title).map_or(0, |at| at + 1);
    let rest = events.split_off(end_of_title);

    let mut begun = Vec::new();
    let title = headings.first().map_or("", |heading| heading.text.as_str());
    begin(title, STYLE, &mut begun).map_err(|error| source.error(0, error.to_string()))?;
    let mut text = String::from_utf8_lossy(&begun).into_owned();
    text.push_str("<header>\n");
    html::push_html(&mut text, events.into_iter());
    text.push_str("</header>\n");
    text.push_str(&contents(&headings));
    text.push_str("<main>\n");
    html::push_html(&mut text, rest.into_iter());
    text.push_str("</main>\n");
    if let Some(name) = specification {
        text.push_str(&footer(name));
    }
    text.push_str("</body>\n</html>\n");
    Ok(text)
}

/// Says how to open the specification, which is the documentation of a package.
fn footer(package: &str) -> String {
    format!(
        "<footer>The specification is the documentation of <a href=\"../spec/src/lib.rs\">the traits in <code>spec</code></a>. \
         <code>cargo doc -p {} --no-deps --open</code> opens it.</footer>\n",
        Text(package)
    )
}
