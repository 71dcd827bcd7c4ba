//! Plan of `grade regrade`.

use crate::cli::args::{DEFAULT_SEED, RegradeArgs};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::plan::plans::{RegradePlan, RunPlan};
use crate::cli::plan::values::{device, glob_of, names, wanted};
use crate::cli::readers::Readers;
use crate::cli::site::Site;
use crate::ledger::Selection;

/// Returns the plan of `grade regrade`.
pub(super) fn regrade(args: RegradeArgs, env: &Env) -> Result<RegradePlan, Failure> {
    let selection = Selection {
        assignment: args.assignment.clone(),
        checks: args.check.as_deref().map(|check| glob_of("--check", check)).transpose()?,
        mistake: args.mistake,
    };
    let run = RunPlan {
        site: Site::of(env)?,
        submissions: args.submissions,
        names: args.names.as_deref().map(names).transpose()?.unwrap_or_default(),
        names_given: args.names,
        // Paths that are given are those of this assignment.
        assignment: args.assignment,
        out: Some(args.out),
        format: args.format,
        readers: Readers::of(&args.audience, env)?,
        jobs: args.jobs.unwrap_or(env.cores),
        seed: args.seed.unwrap_or(DEFAULT_SEED),
        device: device("auto")?,
        only: None,
        isolation: wanted(&args.isolation),
        workers_at: args.isolation.workers_at,
        fresh: false,
        fill: None,
        timings: args.timings,
        require: None,
        engine: None,
    };
    Ok(RegradePlan { run, selection, seed: args.seed })
}
