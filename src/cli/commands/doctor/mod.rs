//! `grade doctor`: checks whether this machine and those of a job engine can grade, and reports what is missing.

mod engine;
mod finding;

use std::path::{Path, PathBuf};

use softmark_sandbox::{Level, best_level};

use crate::assignment;
use crate::build::{BuildError, Pack, PackStatus};
use crate::cli::commands::doctor::finding::{Finding, Mark};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::advice;
use crate::cli::plan::DoctorPlan;
use crate::cli::printer::Printer;
use crate::cli::room::{ROOM_TO_GRADE, free_mebibytes, gibibytes};
use crate::cli::site::Site;
use crate::pipeline::chain;

/// Free space in MiB that is needed to build libraries.
const ROOM_TO_BUILD: u64 = 2048;

/// Checks everything that grading needs, and prints the findings.
///
/// # Errors
///
/// Fails if stdout cannot be written to.
pub(crate) fn doctor(
    plan: &DoctorPlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let site = &plan.site;
    let findings = [project(site), toolchain(site), isolation(site), room(site)].concat();
    print(&findings, printer)?;
    let hint = "mend what is marked `✗` above, and look again";
    if is_bad(&findings) {
        return Err(Failure::broken("this machine cannot grade yet", hint));
    }
    if let Some(engine) = &plan.engine {
        let findings = engine::findings(plan, engine, env, printer)?;
        print(&findings, printer)?;
        if is_bad(&findings) {
            return Err(Failure::broken("the jobs cannot grade yet", hint));
        }
    }
    Ok(Exit::Success)
}

fn print(findings: &[Finding], printer: &mut Printer<'_>) -> Result<(), Failure> {
    printer.data(|layout, out| {
        findings.iter().try_for_each(|finding| finding.write(layout.width, out))
    })?;
    Ok(())
}

fn is_bad(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.mark == Mark::Bad)
}

fn project(site: &Site) -> Vec<Finding> {
    let bad = |text: String| vec![Finding::new(Mark::Bad, "course", text)];
    let course = match site.check() {
        Ok(course) => course,
        Err(failure) => {
            return bad(format!("{}; {}", failure.message, failure.hint.unwrap_or_default()));
        }
    };
    let text = format!("{}, in {}", course.title, site.home.display());
    let mut findings = vec![Finding::new(Mark::Good, "course", text)];
    let ids = match assignment::list(&site.home) {
        Ok(ids) => ids,
        Err(error) => return bad(chain(&error)),
    };
    if ids.is_empty() {
        findings.push(Finding::new(Mark::Bad, "assignments", "there are none"));
    }
    for id in ids {
        findings.push(match assignment::load(&site.home, &id) {
            Ok(found) => {
                let checks: usize = found.tasks.iter().map(|task| task.checks.len()).sum();
                let text = format!("{id}: {} points for {checks} checks", found.points);
                Finding::new(Mark::Good, "assignment", text)
            }
            Err(error) => Finding::new(Mark::Bad, "assignment", chain(&error)),
        });
    }
    findings
}

fn toolchain(site: &Site) -> Vec<Finding> {
    // The folder decides which toolchain is used, and only that of a course is trusted to.
    if site.check().is_err() {
        return Vec::new();
    }
    let look = match status(site) {
        Ok(look) => look,
        Err(finding) => return vec![finding],
    };
    let compiler = format!("{}, at {}", look.compiler, look.rustc.display());
    let pack = if look.cached {
        Finding::new(Mark::Good, "libraries", format!("built, in {}", look.pack.display()))
    } else {
        let text = "not built yet: the next run builds them once, which takes minutes";
        Finding::new(Mark::Weak, "libraries", text)
    };
    vec![Finding::new(Mark::Good, "toolchain", compiler), pack, cache(site, look.cache_bytes)]
}

/// Returns the toolchain and the pack, or a finding about what keeps them from being found.
fn status(site: &Site) -> Result<PackStatus, Finding> {
    let bad = |failure: Failure| Finding::new(Mark::Bad, "toolchain", failure.message);
    let tools = site.tools(Level::None).map_err(bad)?;
    Pack::status(&tools, &site.home, &site.cache()).map_err(of_pack)
}

/// Returns what keeps the pack from being found as a finding about the toolchain or the cache.
fn of_pack(error: BuildError) -> Finding {
    let is_about_cache =
        matches!(error, BuildError::ForeignCache { .. } | BuildError::OpenCache { .. });
    if !is_about_cache {
        return Finding::new(Mark::Bad, "toolchain", chain(&error));
    }
    let Failure { message, hint, .. } = Failure::from(error);
    Finding::new(Mark::Bad, "cache", format!("{message}; {}", hint.unwrap_or_default()))
}

/// Reports the size of the cache; free space is reported by [`room`].
fn cache(site: &Site, bytes: u64) -> Finding {
    let size = gibibytes(bytes >> 20);
    let text = format!("{size} of libraries for all your courses, in {}", site.cache().display());
    Finding::new(Mark::Good, "cache", text)
}

/// Tries every level, and says of the best one what it leaves, and of each better one why not.
fn isolation(site: &Site) -> Vec<Finding> {
    let grade = match site.program() {
        Ok(grade) => grade,
        Err(failure) => return vec![Finding::new(Mark::Bad, "isolation", failure.message)],
    };
    let (best, wanting) = best_level(&grade);
    let (mark, leaves) = match best {
        Level::None | Level::Strict => (Mark::Bad, "; `--run-unsandboxed` grades all the same"),
        Level::Full => (Mark::Good, ""),
        Level::Bwrap | Level::Landlock => (Mark::Weak, ""),
    };
    let text = match best.remaining_exposure() {
        "" => format!("level `{best}`: a submission reaches nothing but its answers"),
        left => format!("level `{best}`: {left}{leaves}"),
    };
    let mut findings = vec![Finding::new(mark, "isolation", text)];
    for (level, reason) in wanting {
        let text = format!("not `{level}`: {reason}. To get it: {}", advice(level));
        findings.push(Finding::new(Mark::Weak, "", text));
    }
    findings
}

fn room(site: &Site) -> Vec<Finding> {
    let mut findings = Vec::new();
    // Without a course, it is unknown where its libraries go.
    if site.check().is_ok() {
        findings.push(room_at(&existing(&site.cache()), ROOM_TO_BUILD, "for libraries"));
    }
    findings.push(room_at(&existing(&std::env::temp_dir()), ROOM_TO_GRADE, "for submissions"));
    findings
}

fn room_at(path: &Path, needed: u64, purpose: &str) -> Finding {
    let at = format!("{purpose}, at {}", path.display());
    let (mark, text) = match free_mebibytes(path) {
        Ok(free) if free < ROOM_TO_GRADE => (Mark::Bad, format!("{free} MiB {at}: too little")),
        Ok(free) if free < needed => (Mark::Weak, format!("{free} MiB {at}: may be too little")),
        Ok(free) => (Mark::Good, format!("{} {at}", gibibytes(free))),
        Err(error) => (Mark::Bad, format!("cannot tell {at}: {error}")),
    };
    Finding::new(mark, "room", text)
}

/// Returns the path, or its nearest ancestor that exists.
fn existing(path: &Path) -> PathBuf {
    // A relative path has no ancestors that exist.
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.ancestors().find(|path| path.exists()).unwrap_or(&path).to_owned()
}
