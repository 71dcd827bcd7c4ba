//! `grade appeal`: keeps questions about grades, and the answers.

use std::io;

use crate::cli::commands::log;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{AppealPlan, Target};
use crate::cli::printer::Printer;
use crate::ledger::appeals::{Thread, subject, threads};
use crate::report::text::count;
use crate::results::{NewStep, add_step};
use crate::store::{Appeal, Step};

/// Adds the plan's step to the ledger, or lists appeals.
///
/// # Errors
///
/// Fails if there is no such submission or check, an appeal is to be opened that is open, or answered or closed that is not
/// open, the appeals of a submission are to be listed that was never graded, or the results cannot be used.
pub(crate) fn appeal(plan: &AppealPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    match plan {
        AppealPlan::Step { target, step, text, out } => {
            let Target { submission, check, by } = target;
            let step = add_step(
                out,
                &NewStep { submission, assignment: None, check, step: *step, text, by },
            )?;
            let (name, about) = (&step.submission, subject(&step.check));
            let done = words(step.step);
            printer.data(|_, out| writeln!(out, "{name}: appeal {done}: {about}"))?;
        }
        AppealPlan::List { submission, all, out } => {
            let store = log::open(out)?;
            let known = store.submissions()?;
            if let Some(name) = submission
                && !known.iter().any(|it| *it == **name)
            {
                return Err(log::unknown(name, out, &store)?);
            }
            let mut threads = threads(store.appeals()?);
            let is_asked =
                |it: &Appeal| submission.as_ref().is_none_or(|name| it.submission == *name);
            threads.retain(|it| it.first().is_some_and(is_asked) && (*all || it.is_open()));
            printer.data(|_, out| list(&threads, out))?;
        }
    }
    Ok(Exit::Success)
}

fn words(step: Step) -> &'static str {
    match step {
        Step::Open => "opened",
        Step::Answer => "answered",
        Step::Close => "closed",
    }
}

fn list(threads: &[Thread], out: &mut dyn io::Write) -> io::Result<()> {
    let open = threads.iter().filter(|thread| thread.is_open()).count();
    writeln!(out, "{}, {open} open", count(threads.len(), "appeal", "appeals"))?;
    for thread in threads {
        for (place, step) in thread.steps.iter().enumerate() {
            if place == 0 {
                writeln!(out, "  {}  {}", step.submission, subject(&step.check))?;
            }
            let (at, done, by, text) = (&step.given_at, words(step.step), &step.by, &step.text);
            let colon = if text.is_empty() { "" } else { ": " };
            writeln!(out, "    {at}  {done} by {by}{colon}{text}")?;
        }
    }
    Ok(())
}
