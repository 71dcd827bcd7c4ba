//! Grading by a job engine.

use std::path::PathBuf;

use crate::cli::failure::Failure;
use crate::cli::job_progress::JobProgress;
use crate::cli::plan::RunPlan;
use crate::cli::remote::{Cut, Load, Remote, of_workers};
use crate::digest;
use crate::jobs::{Costs, Grading, GradingTask, Task};
use crate::model::Record;
use crate::pipeline::{Event, GradingRun, Options, Survey};

/// Has the submissions of `survey` graded by an engine; `listen` gets the events of those that are done. `costs` are their costs
/// in earlier runs.
///
/// # Errors
///
/// Fails if the run cannot be completed.
pub(crate) fn grade(
    remote: &Remote<'_>,
    (plan, options, costs): (&RunPlan, &Options, &Costs),
    (run, survey): (&GradingRun<'_>, &Survey),
    progress: &mut JobProgress,
    listen: &mut dyn FnMut(Event),
) -> Result<Vec<Record>, Failure> {
    let mut grading = Grading::new(run, survey, listen);
    // What is in chunks is taken from them, and not from an earlier run.
    grading.settle(&remote.kept()?)?;
    let all = survey.graded();
    let names: Vec<_> = all.iter().map(|it| it.entry.candidate.name.clone()).collect();
    let assigned = all.iter().filter_map(|it| it.entry.assigned());
    let assignments = assigned.map(|assigned| &assigned.assignment);
    let load = Load {
        names: &names,
        done: grading.done(),
        costs,
        cut: Cut::ByCost,
        mebibytes: assignments.map(of_workers).max().unwrap_or_default(),
    };
    remote.carry_out(task(plan, options, remote.out.to_owned()), &load, &mut grading, progress)?;
    Ok(grading.into_records()?)
}

fn task(plan: &RunPlan, options: &Options, out: PathBuf) -> Task {
    Task::Grading(GradingTask {
        secret: digest::of(&[&options.secret]),
        submissions: plan.submissions.clone(),
        names: plan.names_given.clone(),
        assignment: plan.assignment.clone(),
        only: options.only.clone(),
        seed: options.seed,
        device: options.device.clone(),
        out,
    })
}
