//! `grade explain`: prints what is known about a mistake.

use std::io::{self, Write};

use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_exam::Mistake;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::printer::Printer;
use crate::report::text::{pad, width, wrap};
use crate::suite::Catalog;

/// Prints the page of a mistake, or a list of all mistakes.
///
/// # Errors
///
/// Fails if there is no such mistake.
pub(crate) fn explain(
    mistake: Option<&str>,
    catalog: Catalog,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    match mistake {
        None => printer.data(|layout, out| list(catalog, layout.width, out))?,
        Some(id) => {
            let mistake = catalog.mistake(id).ok_or_else(|| unknown(id, catalog))?;
            let Mistake { id, task, summary, page, .. } = mistake;
            let page = page.trim_end();
            printer.data(|_, out| writeln!(out, "# {id}\n\n{task}: {summary}.\n\n{page}"))?;
        }
    }
    Ok(Exit::Success)
}

fn unknown(id: &str, catalog: Catalog) -> Failure {
    let mistakes: Vec<Mistake> =
        catalog.suites().iter().flat_map(|suite| (suite.mistakes)()).collect();
    let close = similar_names(id, mistakes.iter().map(|mistake| mistake.id));
    let hint = if close.is_empty() {
        "`grade explain` lists all that are known".to_owned()
    } else {
        format!("did you mean {}?", alternatives(&close))
    };
    Failure::usage(format!("there is no mistake `{}`", id.escape_debug()), hint)
}

fn list(catalog: Catalog, columns: usize, out: &mut dyn Write) -> io::Result<()> {
    for (place, suite) in catalog.suites().iter().enumerate() {
        let mistakes = (suite.mistakes)();
        let widest = mistakes.iter().map(|mistake| width(mistake.id)).max().unwrap_or(0);
        let room = columns.saturating_sub(widest + 6).max(30);
        if place > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}", suite.id)?;
        let mut task = "";
        for mistake in &mistakes {
            let borrowed = suite.borrows.iter().find(|borrowed| borrowed.task == mistake.task);
            if mistake.task != task {
                task = mistake.task;
                writeln!(out, "\n  {task}")?;
                if let Some(from) = borrowed.map(|borrowed| borrowed.from) {
                    writeln!(out, "    those of `{from}`, and")?;
                }
            }
            let is_told = |from: &str| {
                catalog.find(from).is_some_and(|from| {
                    (from.mistakes)().iter().any(|other| other.id == mistake.id)
                })
            };
            if borrowed.is_some_and(|borrowed| is_told(borrowed.from)) {
                continue;
            }
            let mut lead = pad(mistake.id, widest);
            for line in wrap(mistake.summary, room) {
                writeln!(out, "    {lead}  {line}")?;
                lead = pad("", widest);
            }
        }
    }
    Ok(())
}
