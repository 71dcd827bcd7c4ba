//! Parts that `grade audit` and `grade audit --record` share: the bench, the choice of fixtures, and failures.

use globset::GlobMatcher;
use softmark_checks::similar_names::{alternatives, similar_names};

use crate::audit::{AuditError, Bench, Event};
use crate::cli::commands::run::scratch;
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, LEAST, Wanted};
use crate::cli::libraries;
use crate::cli::plan::AuditPlan;
use crate::cli::printer::Printer;
use crate::cli::progress::Progress;
use crate::fixtures::{Fixture, FixtureError};
use crate::pipeline::{Assigned, chain};

/// Does `work` at a bench for an assignment, with the progress of `count` fixtures.
///
/// # Errors
///
/// Fails if this machine cannot isolate or build programs, or if `work` fails.
pub(super) fn at_bench<R>(
    plan: &AuditPlan,
    Assigned { assignment, suite }: &Assigned,
    count: usize,
    (env, printer): (&Env, &Printer<'_>),
    work: impl FnOnce(Bench<'_>, &mut dyn FnMut(Event<'_>)) -> Result<R, AuditError>,
) -> Result<R, Failure> {
    let level = isolation::choose(Wanted::AtLeast(LEAST), &plan.site.program()?)?;
    let tools = plan.site.tools(level)?;
    let pack = libraries::prepare(&plan.site, &tools, env, printer.style)?;
    let mut progress = Progress::new(env, printer.style, count);
    let scratch = scratch(&std::env::temp_dir())?;
    let bench = Bench {
        sandbox: &tools.sandbox,
        pack: &pack,
        scratch: scratch.path(),
        suite,
        limits: &assignment.worker,
    };
    let done = work(bench, &mut |event| show(event, &mut progress));
    progress.end();
    done.map_err(|error| broken(&error))
}

/// Shows what happens at the bench.
fn show(event: Event<'_>, progress: &mut Progress) {
    match event {
        Event::Compiling(name) => {
            progress.start(&name.into());
            progress.work(&name.into(), "compiling");
        }
        Event::Asking(name, check) => progress.work(&name.into(), check),
        Event::Done(name) => progress.finish(&name.into()),
    }
}

pub(super) fn fitting(
    id: &str,
    all: Vec<Fixture>,
    only: &GlobMatcher,
) -> Result<Vec<Fixture>, Failure> {
    let (fitting, others): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|fixture| only.is_match(&fixture.name));
    if !fitting.is_empty() {
        return Ok(fitting);
    }
    let glob = only.glob().glob();
    let names = others.iter().map(|fixture| fixture.name.as_str());
    let hint = match similar_names(glob, names).as_slice() {
        [] => {
            format!("the patches below solutions/{id} are what there is; `*` stands for any text")
        }
        close => format!("did you mean {}?", alternatives(close)),
    };
    Err(Failure::usage(
        format!("no mutant and no accepted variant is called `{}`", glob.escape_debug()),
        hint,
    ))
}

pub(super) fn unread(error: &FixtureError) -> Failure {
    let hint = "correct it; solutions/README.md and fixtures/README.md in Softmark's repository say what is in one";
    Failure::broken(chain(error), hint)
}

/// Returns the failure of an audit that cannot go on.
pub(super) fn broken(error: &AuditError) -> Failure {
    let hint = match error {
        AuditError::Fixture { .. } => {
            "mend the fixture: it has to compile against the kit as it is"
        }
        AuditError::Build(_) | AuditError::Check { .. } => {
            "`grade doctor` tells what is there and what is not; nothing was changed"
        }
        AuditError::Io(_) => "is there room on the disk? TMPDIR names another folder",
    };
    Failure::broken(chain(error), hint)
}
