//! History of a submission.

use std::io;

use super::page::Page;
use crate::ledger::log::{Event, History, Logged};
use crate::ledger::words;
use crate::model::Delta;
use crate::report::Layout;
use crate::report::terminal::Ink;
use crate::report::text::{count, pad, pad_left};

/// Prints the history, the earliest event first.
pub(in crate::ledger) fn write(
    history: &History,
    layout: Layout,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, out };
    let about = count(history.events.len(), "event", "events");
    page.heading(&history.submission.to_string(), &about)?;
    for logged in &history.events {
        write_event(logged, &mut page)?;
    }
    Ok(())
}

fn write_event(logged: &Logged, page: &mut Page<'_>) -> io::Result<()> {
    let time = match &logged.at {
        unknown if unknown.is_empty() => "–".to_owned(),
        known => known.to_string(),
    };
    let (points, delta) = (words::points(logged), words::delta(logged));
    let what = words::event(&logged.event);
    let ink = match logged.delta().map(Delta::hundredths) {
        Some(..=-1) => Ink::Bad,
        Some(1..) => Ink::Good,
        Some(_) | None => Ink::Plain,
    };
    let lead = format!("{}  {}  {}", pad(&time, 20), pad_left(&points, 15), pad_left(&delta, 7));
    page.line(2, ink, &format!("{lead}  {what}"))?;
    if let Some(text) = words::details(&logged.event) {
        page.text(6, Ink::Faint, &text)?;
    }
    if let Event::Grading { change: Some(change), .. } = &logged.event {
        page.checks(6, &change.checks)?;
    }
    Ok(())
}
