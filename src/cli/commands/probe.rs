//! Probes: what a machine of a job engine says of itself.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use softmark_sandbox::{Level, best_level};

use crate::build::{Pack, PackStatus};
use crate::cli::env::Env;
use crate::cli::failure::Failure;
use crate::cli::room::free_mebibytes;
use crate::cli::secret::secret;
use crate::cli::site::Site;
use crate::clock::Clock;
use crate::digest;
use crate::jobs::{ChunkFile, RunFile, UnitResult, node};

/// Description of a machine, as far as grading depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Probe {
    /// Name of the machine.
    pub(crate) node: String,
    /// SHA-256 of the grader's program.
    pub(crate) program: String,
    /// SHA-256 of the course's secret, or the reason why it cannot be read.
    pub(crate) secret: Result<String, String>,
    /// Toolchain and libraries, or the reason why they cannot be found.
    pub(crate) toolchain: Result<ProbedToolchain, String>,
    /// Name of the best level of isolation.
    pub(crate) level: String,
    /// Better levels by name, and why the machine does not have them.
    pub(crate) wanting: Vec<(String, String)>,
    /// Number of processors that a job may use.
    pub(crate) processors: usize,
    /// Free space for submissions, in MiB; `None` if it cannot be found out.
    pub(crate) free_mebibytes: Option<u64>,
    /// Time that the probe itself took.
    pub(crate) took: Duration,
}

/// Toolchain and libraries of a machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProbedToolchain {
    /// First line of `rustc -vV`.
    pub(crate) compiler: String,
    /// Key of the libraries that the machine would use.
    pub(crate) pack: String,
    /// True if they are built.
    pub(crate) is_built: bool,
}

/// Describes this machine, for each unit of `chunk`.
///
/// # Errors
///
/// Fails if the machine lacks the course, or cannot read its own program.
pub(crate) fn probe(
    run: &RunFile,
    chunk: &ChunkFile,
    env: &Env,
) -> Result<Vec<UnitResult<Probe>>, Failure> {
    let clock = Clock::start();
    let site = Site::at(&run.home, &run.cache, env);
    site.check()?;
    let (level, wanting) = best_level(&site.program()?);
    let said = |failure: Failure| failure.message;
    let name = |(level, reason): (Level, String)| (level.as_str().to_owned(), reason);
    let found = Probe {
        node: node(),
        program: site.program_digest()?,
        secret: secret(env, &site.home).map(|secret| digest::of(&[&secret])).map_err(said),
        toolchain: toolchain(&site).map_err(said),
        level: level.as_str().to_owned(),
        wanting: wanting.into_iter().map(name).collect(),
        processors: std::thread::available_parallelism().map_or(1, usize::from),
        free_mebibytes: free_mebibytes(&std::env::temp_dir()).ok(),
        took: clock.elapsed(),
    };
    Ok(chunk.results(vec![found; chunk.units.len()]))
}

/// Returns the toolchain and the libraries of this machine.
///
/// # Errors
///
/// Fails if there is no toolchain, or the course cannot be read.
pub(super) fn toolchain(site: &Site) -> Result<ProbedToolchain, Failure> {
    let tools = site.tools(Level::None)?;
    let PackStatus { compiler, key, cached, .. } = Pack::status(&tools, &site.home, &site.cache())?;
    Ok(ProbedToolchain { compiler, pack: key, is_built: cached })
}
