//! `grade package`: writes what a platform needs to grade an assignment by itself.

use softmark_sandbox::Level;

use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::libraries;
use crate::cli::output_file;
use crate::cli::plan::GradescopePlan;
use crate::cli::printer::Printer;
use crate::cli::secret::secret;
use crate::package::{Contents, Gradescope, PackageError};
use crate::pipeline;

/// Writes the archive for Gradescope, and prints what comes next.
///
/// # Errors
///
/// Fails if the assignment is not valid, or the archive cannot be written.
pub(crate) fn gradescope(
    plan: &GradescopePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let site = &plan.site;
    let course = site.check()?;
    let assigned = pipeline::assigned(site.project(), &plan.assignment)?;
    output_file::check(Some(&plan.out), "a package")?;
    let program = site.program()?;
    // Cargo reads nothing that a student wrote, and runs without isolation at every level.
    let tools = site.tools(Level::None)?;
    let pack = libraries::prepare(site, &tools, env, printer.style)?;
    let secret = secret(env, &site.home)?;
    let contents = Contents {
        program: &program,
        home: &site.home,
        title: &course.title,
        secret: &secret,
        assignment: &plan.assignment,
        pack: &pack,
    };
    let archive = Gradescope { contents, toolchain: plan.toolchain };
    let packaged = archive.write(&plan.out)?;
    let (out, points) = (plan.out.display(), assigned.assignment.points);
    let lines = [
        format!("packaged   {}: {out}, {} MiB", plan.assignment, packaged.bytes.div_ceil(1 << 20)),
        format!("compiler   {}", packaged.compiler),
        format!(
            "secret     the archive holds the course's secret and the hidden checks: {out} is for staff alone"
        ),
        format!(
            "next       on Gradescope: an assignment of {points} points; Configure Autograder, Zip file upload"
        ),
    ];
    printer.data(|_, out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Exit::Success)
}

impl From<PackageError> for Failure {
    fn from(error: PackageError) -> Self {
        let message = error.to_string();
        match &error {
            PackageError::Io { .. } => {
                Self::broken(message, "is there room on the disk, and may you write there?")
            }
            PackageError::Glibc { .. } => Self::broken(
                message,
                "nothing was written; build `grade` on Ubuntu 22.04 or an older system, or take the static program of a release",
            ),
            PackageError::NotReleased { .. } => Self::broken(
                message,
                "nothing was written; use a stable toolchain, or put this one into the archive with `--bundle-toolchain`",
            ),
            PackageError::Machine { .. } => {
                Self::broken(message, "nothing was written; package on a machine of that kind")
            }
        }
    }
}
