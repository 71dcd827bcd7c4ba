//! `grade appeal`: keeps questions about grades, and the answers.

use std::io;
use std::path::Path;

use crate::cli::commands::{log, override_points, show};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{AppealPlan, Target};
use crate::cli::printer::Printer;
use crate::clock;
use crate::ledger::appeals::{Thread, threads};
use crate::report::text::count;
use crate::store::{Appeal, Folder, LEDGER, Step, Store};

/// Adds the plan's step to the ledger, or lists appeals.
///
/// # Errors
///
/// Fails if there is no such submission or check, an appeal is to be opened that is open, or answered or closed that is not
/// open, or the results cannot be used.
pub(crate) fn appeal(plan: &AppealPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    match plan {
        AppealPlan::Step { target, step, text, out } => {
            let step = make(target, *step, text, out)?;
            save(&step, out)?;
            let (name, about) = (&step.submission, about(&step));
            let done = words(step.step);
            printer.data(|_, out| writeln!(out, "{name}: appeal {done}: {about}"))?;
        }
        AppealPlan::List { submission, all, out } => {
            let mut threads = threads(log::open(out)?.appeals()?);
            let is_asked =
                |it: &Appeal| submission.as_ref().is_none_or(|name| it.submission == *name);
            threads.retain(|it| it.first().is_some_and(is_asked) && (*all || it.is_open()));
            printer.data(|_, out| list(&threads, out))?;
        }
    }
    Ok(Exit::Success)
}

/// Returns a step about a submission, and perhaps a check. One of an open appeal needs no record: that may have lost the check.
fn make(target: &Target, step: Step, text: &str, out: &Path) -> Result<Appeal, Failure> {
    let Target { submission, check, by } = target;
    let open = if step == Step::Open { None } else { open_appeal(target, out)? };
    let (submission, assignment) = if let Some(first) = open {
        (first.submission, first.assignment)
    } else {
        let (_, record) = show::found(submission, out, &Folder::of(out))?;
        if !check.is_empty() {
            override_points::check(&record, check)?;
        }
        (record.submission, record.assignment)
    };
    Ok(Appeal {
        submission,
        assignment,
        check: check.as_str().into(),
        step,
        text: text.into(),
        by: by.as_str().into(),
        given_at: clock::now().into(),
    })
}

/// Returns the first step of the open appeal about a submission and check; `None` if there is none.
fn open_appeal(target: &Target, out: &Path) -> Result<Option<Appeal>, Failure> {
    let Some(store) = Store::open_existing(&out.join(LEDGER))? else { return Ok(None) };
    let is_of = |it: &Appeal| it.submission == *target.submission && it.check == *target.check;
    let open = threads(store.appeals()?).into_iter().filter(Thread::is_open);
    let mut firsts = open.filter_map(|thread| thread.steps.into_iter().next());
    Ok(firsts.rfind(is_of))
}

/// Adds a step to the ledger, if the appeal is in a state that allows it. Holds the results meanwhile, so that two people
/// do not close the same appeal.
fn save(step: &Appeal, out: &Path) -> Result<(), Failure> {
    let folder = Folder::of(out);
    let _held = folder.hold().map_err(|error| Failure::unwritten(out, &error))?;
    let mut store = Store::open(&out.join(LEDGER))?;
    let threads = threads(store.appeals()?);
    let is_open = threads.iter().any(|it| it.is_open() && it.is_subject_of(step));
    let (name, about) = (&step.submission, about(step));
    match (step.step, is_open) {
        (Step::Open, true) => Err(Failure::usage(
            format!("`{name}` has an open appeal about {about}"),
            "answer it, or close it first",
        )),
        (Step::Answer | Step::Close, false) => Err(Failure::usage(
            format!("`{name}` has no open appeal about {about}"),
            "`grade appeal list` lists the open ones",
        )),
        (Step::Open, false) | (Step::Answer | Step::Close, true) => Ok(store.add_appeal(step)?),
    }
}

fn about(step: &Appeal) -> String {
    match &step.check {
        whole if whole.is_empty() => "the whole grade".to_owned(),
        check => check.to_string(),
    }
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
                writeln!(out, "  {}  {}", step.submission, about(step))?;
            }
            let (at, done, by, text) = (&step.given_at, words(step.step), &step.by, &step.text);
            writeln!(out, "    {at}  {done} by {by}: {text}")?;
        }
    }
    Ok(())
}
