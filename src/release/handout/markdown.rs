//! Reads the Markdown of a handout, and refuses what the site does not show.

use std::ops::Range;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use super::error::HandoutError;
use crate::release::math::{Formula, FormulaError, Layout, parse, unicode};

/// Language of the code blocks that are displayed formulas.
const MATH: &str = "math";

/// Text of a handout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'a> {
    /// Path in the assignment's folder.
    file: &'a Path,
    text: &'a str,
}

/// Part of a handout, with its place in the text in bytes.
pub(super) type Part<'a> = (Event<'a>, Range<usize>);

impl<'a> Source<'a> {
    /// Returns the parts of the handout. Displayed formulas are among them as [`Event::DisplayMath`].
    ///
    /// # Errors
    ///
    /// Fails at raw HTML, at formulas between two dollar signs, and at a dollar sign that begins no formula.
    pub(super) fn parts(
        file: &'a Path,
        text: &'a str,
    ) -> Result<(Self, Vec<Part<'a>>), HandoutError> {
        let source = Self { file, text };
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_MATH;
        let mut parts = Vec::new();
        let mut events = Parser::new_ext(text, options).into_offset_iter();
        while let Some((event, range)) = events.next() {
            source.check(&event, &range)?;
            let Event::Start(Tag::CodeBlock(kind)) = &event else {
                parts.push((event, range));
                continue;
            };
            let code = code(&mut events);
            if matches!(kind, CodeBlockKind::Fenced(name) if &**name == MATH) {
                parts.push((
                    Event::DisplayMath(
                        code.iter().map(|(event, _)| text_of(event)).collect::<String>().into(),
                    ),
                    range,
                ));
            } else {
                parts.push((event, range));
                parts.extend(code);
            }
        }
        Ok((source, parts))
    }

    /// Fails at a part that the site does not show.
    fn check(self, event: &Event<'_>, range: &Range<usize>) -> Result<(), HandoutError> {
        if matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock)) {
            let reason = "raw HTML is not rendered; write Markdown, or put it into code";
            return Err(self.error(range.start, reason));
        }
        if matches!(event, Event::DisplayMath(_)) {
            let reason = "write a displayed formula as a block of code in the language `math`";
            return Err(self.error(range.start, reason));
        }
        let Event::Text(text) = event else { return Ok(()) };
        let dollars = text.match_indices('$').map(|(at, _)| range.start + at);
        match dollars.into_iter().find(|at| !self.is_escaped(*at)) {
            Some(at) => {
                Err(self.error(at, "this `$` begins no formula; write `\\$` for the character"))
            }
            None => Ok(()),
        }
    }

    /// True if a character stands after a backslash.
    fn is_escaped(self, at: usize) -> bool {
        self.text.get(..at).is_some_and(|before| before.ends_with('\\'))
    }

    /// Returns the text at a place.
    pub(super) fn at(self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns the whole text.
    pub(super) fn text(self) -> &'a str {
        self.text
    }

    /// Returns an error at a place, in bytes.
    pub(super) fn error(self, at: usize, reason: impl Into<String>) -> HandoutError {
        let line = self.at(0..at).matches('\n').count() + 1;
        HandoutError::new(self.file, line, reason)
    }

    /// Returns the words of parts, with their formulas in Unicode.
    ///
    /// # Errors
    ///
    /// Fails if a formula cannot be read.
    pub(super) fn words<'p>(
        self,
        parts: impl Iterator<Item = &'p Part<'a>>,
    ) -> Result<String, HandoutError>
    where
        'a: 'p,
    {
        let mut words = String::new();
        for (event, range) in parts {
            if let Event::InlineMath(formula) = event {
                words.push_str(&unicode(&self.formula((formula, range), Layout::Inline)?));
            } else {
                words.push_str(text_of(event));
            }
        }
        Ok(words)
    }

    /// Reads a formula of the handout.
    ///
    /// # Errors
    ///
    /// Fails if the formula cannot be read.
    pub(super) fn formula(
        self,
        (text, range): (&str, &Range<usize>),
        layout: Layout,
    ) -> Result<Formula, HandoutError> {
        let place = |error: FormulaError| {
            // What is before the error in the formula is before it in the handout, after the dollar sign or the fence.
            let start = range.start + self.at(range.clone()).find(first_line(text)).unwrap_or(0);
            let lines = text.get(..error.at).unwrap_or_default().matches('\n').count();
            let mut place = self.error(start, format!("{error} in a formula"));
            place.line += lines;
            place
        };
        parse(text, layout).map_err(place)
    }
}

/// Returns the first line of a text.
fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Returns the rest of a block of code, its end included.
fn code<'a>(events: &mut impl Iterator<Item = Part<'a>>) -> Vec<Part<'a>> {
    let mut code = Vec::new();
    for part in events {
        let is_end = part.0 == Event::End(TagEnd::CodeBlock);
        code.push(part);
        if is_end {
            break;
        }
    }
    code
}

/// Returns the text of one part.
fn text_of<'a>(event: &'a Event<'_>) -> &'a str {
    if let Event::Text(text) | Event::Code(text) = event {
        return text;
    }
    if matches!(event, Event::SoftBreak | Event::HardBreak) { " " } else { "" }
}
