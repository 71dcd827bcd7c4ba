//! Machine of a job engine, set up for a run.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use softmark_sandbox::Sandbox;

use crate::build::Pack;
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, Wanted};
use crate::cli::site::Site;
use crate::jobs::{JobsError, RunFile, node};

/// Machine of a job engine that has the same program, libraries and levels of isolation as the process that set the run up.
pub(super) struct Node {
    pub(super) site: Site,
    pub(super) env: Env,
    pub(super) program: PathBuf,
    /// Starts workers.
    pub(super) sandbox: Sandbox,
    pub(super) pack: Pack,
    /// Number of units at the same time.
    pub(super) threads: NonZeroUsize,
}

impl Node {
    /// Sets this machine up for a run.
    ///
    /// # Errors
    ///
    /// Fails if it lacks something that the run was set up with, or has another one.
    pub(super) fn of(run: &RunFile, env: &Env) -> Result<Self, Failure> {
        // Paths of submissions are part of records, so they have to be as they were given.
        std::env::set_current_dir(&run.folder).map_err(|error| {
            differs(
                "the folder in which the run was started",
                format!("{}: {error}", run.folder.display()),
            )
        })?;
        let site = Site::at(&run.home, &run.cache, env);
        site.check()?;
        let program = site.program()?;
        same("the program", &site.program_digest()?, &run.program)?;
        let level = isolation::choose(Wanted::Exactly(isolation::level(&run.level)?), &program)?;
        let workers_at =
            isolation::choose(Wanted::Workers(isolation::level(&run.workers_at)?), &program)?;
        let tools = site.tools(level)?;
        let sandbox = site.tools(workers_at)?.sandbox;
        let pack = Pack::open(&tools, &site.home, &site.cache(), &run.pack)?;
        let threads = usize::try_from(run.resources.cpus).ok().and_then(NonZeroUsize::new);
        let threads = threads.unwrap_or(NonZeroUsize::MIN);
        Ok(Self { site, env: env.clone(), program, sandbox, pack, threads })
    }
}

/// Checks that something is here as it was where the run was set up.
///
/// # Errors
///
/// Fails if it is not.
pub(super) fn same(what: &'static str, here: &str, of_run: &str) -> Result<(), Failure> {
    if here == of_run {
        return Ok(());
    }
    Err(differs(what, "its digest is another one".to_owned()))
}

fn differs(what: &'static str, reason: String) -> Failure {
    JobsError::Differs { what, node: node(), reason }.into()
}
