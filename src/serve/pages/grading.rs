//! Grading: start, watch, stop, and go on.

use maud::{Markup, html};

use crate::serve::answer::Answer;
use crate::serve::grading::{GradingJob, Progress};
use crate::serve::layout::{Section, page};
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::{Input, RunId, Store};

/// Run whose submissions can be graded again.
struct Earlier {
    run: RunId,
    started_at: softmark_untrusted::Untrusted,
    inputs: Vec<Input>,
}

/// Most runs that are offered, of different paths: the assignments of a term.
const MOST: usize = 10;

/// Shows the state of grading, and what can be started.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let progress = visit.shared.grading.progress();
    let (graded, earlier) = visit
        .shared
        .stores
        .with(|store| Ok((store.records_after_run(progress.after_run)?, earlier(store)?)))?;
    let is_running = !progress.started_at.is_empty() && progress.ended.is_none();
    let body = html! {
        h1 { "Grading" }
        div #live data-live { (state(visit, &progress, graded)) }
        // A part of its own: what a person has ticked there stays while the output grows.
        div #start data-live { @if !is_running { (start_forms(visit, &earlier)) } }
    };
    Ok(Answer::Page(page(visit, Section::Grading, "Grading", &body)))
}

fn state(visit: &Visit<'_>, progress: &Progress, graded: i64) -> Markup {
    html! {
        @if progress.started_at.is_empty() {
            p { "Nothing was started from this page." }
        } @else {
            p role="status" {
                @match &progress.ended {
                    None => { strong { "Grading is running." } },
                    Some(how) => { strong { "Grading has ended: " (how) "." } },
                }
                " Started by " (progress.by) " on " (progress.started_at) "; " (graded) " graded so far."
            }
            @if progress.ended.is_none() {
                form method="post" action="/grading/stop" {
                    (visit.token_field())
                    button { "Stop" }
                }
            }
            @if !progress.lines.is_empty() {
                pre tabindex="0" aria-label="Output of the grader" {
                    @for line in &progress.lines { (line) "\n" }
                }
            }
        }
    }
}

fn start_forms(visit: &Visit<'_>, earlier: &[Earlier]) -> Markup {
    html! {
        section {
            h2 { "Start" }
            p.soft {
                "Results that cannot have changed are reused, so a run that was stopped goes on where it was. \
                 Submissions are isolated as " code { "grade run" } " isolates them."
            }
            form method="post" action="/grading/start" {
                (visit.token_field())
                button name="run" value="all" { "Regrade submissions whose results may have changed" }
            }
            @for it in earlier { (start_form(visit, it)) }
        }
    }
}

fn start_form(visit: &Visit<'_>, earlier: &Earlier) -> Markup {
    html! {
        form.card method="post" action="/grading/start" {
            (visit.token_field())
            h3 { "Submissions of run " (earlier.run) small { " of " (earlier.started_at) } }
            ul {
                @for input in &earlier.inputs {
                    li { code { (softmark_untrusted::UntrustedName::from(input.path.as_path())) } }
                }
            }
            label { input type="checkbox" name="fresh" value="yes"; " use no earlier result" }
            " "
            button name="run" value=(earlier.run) { "Grade again" }
        }
    }
}

/// Returns the last runs that were given different paths in one command.
fn earlier(store: &Store) -> Result<Vec<Earlier>, Problem> {
    let mut all: Vec<Earlier> = Vec::new();
    for run in store.runs()?.into_iter().rev() {
        let inputs = store.inputs(run.id)?;
        if Input::groups(&inputs).count() == 1 && all.iter().all(|it| it.inputs != inputs) {
            all.push(Earlier { run: run.id, started_at: run.started_at, inputs });
        }
        if all.len() == MOST {
            break;
        }
    }
    Ok(all)
}

/// Starts grading.
pub(in crate::serve) fn start(visit: &Visit<'_>) -> Answered {
    let (form, user) = (visit.form, &visit.user().name);
    let wanted = form.required("run")?;
    let (last, earlier) = visit.shared.stores.with(|store| {
        let last = store.runs()?.last().map_or(0, |run| run.id.number());
        Ok((last, earlier(store)?))
    })?;
    let chosen = earlier.iter().find(|it| it.run.to_string() == wanted);
    let job = match (wanted, chosen) {
        ("all", _) => GradingJob::Regrade,
        (_, Some(chosen)) => {
            GradingJob::Run { inputs: &chosen.inputs, is_fresh: form.text("fresh") == "yes" }
        }
        (_, None) => return Err(Problem::Invalid("there is no such run".to_owned())),
    };
    visit.shared.grading.start(&visit.shared.config, job, user, last)?;
    Ok(Answer::SeeOther("/grading".to_owned()))
}

/// Stops grading.
pub(in crate::serve) fn stop(visit: &Visit<'_>) -> Answered {
    visit.shared.grading.stop()?;
    Ok(Answer::SeeOther("/grading".to_owned()))
}
