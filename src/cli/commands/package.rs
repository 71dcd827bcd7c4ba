//! `grade package`: writes what a platform needs to grade an assignment by itself.

use softmark_sandbox::Level;

use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::libraries;
use crate::cli::output_file;
use crate::cli::plan::{PackagePlan, Platform};
use crate::cli::printer::Printer;
use crate::cli::secret::secret;
use crate::model::Points;
use crate::package::{Contents, Github, Gradescope, PackageError};
use crate::pipeline;

/// Writes the package, and prints what comes next.
///
/// # Errors
///
/// Fails if the assignment is not valid, or the package cannot be written.
pub(crate) fn package(
    plan: &PackagePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let site = &plan.site;
    let course = site.check()?;
    let assigned = pipeline::assigned(site.project(), &plan.assignment)?;
    if plan.platform != Platform::Github {
        output_file::check(Some(&plan.out), "a package")?;
    }
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
    let (id, out) = (&plan.assignment, plan.out.display());
    let mut lines = match plan.platform {
        Platform::Gradescope(toolchain) => {
            let bytes = Gradescope { contents, toolchain }.write(&plan.out)?;
            let (points, written) =
                (assigned.assignment.points, assigned.assignment.written_points());
            let by_hand = if written > Points::ZERO {
                format!(", and {written} that people give for written answers")
            } else {
                String::new()
            };
            vec![
                format!("packaged   {id}: {out}, {} MiB", bytes.div_ceil(1 << 20)),
                format!(
                    "next       on Gradescope: an assignment of {points} points by the autograder{by_hand}; Configure Autograder, Zip file upload"
                ),
            ]
        }
        Platform::Github => {
            Github { contents }.write(&plan.out)?;
            vec![format!("packaged   {id}: {out}"), format!("next       see {out}/README.md")]
        }
    };
    lines.push(format!("compiler   {}", pack.compiler()));
    lines.push(format!(
        "secret     {out} holds the course's secret and the hidden checks: it is for staff alone"
    ));
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
                "nothing was written; build the program and the libraries on a system with an older C library, such as Ubuntu 22.04",
            ),
            PackageError::NotReleased { .. } => Self::broken(
                message,
                "nothing was written; use a stable toolchain; for Gradescope, `--bundle-toolchain` puts this one into the archive",
            ),
            PackageError::NotEmpty(_) => Self::usage(
                message,
                "nothing was written; choose another folder for --out, or remove it",
            ),
            PackageError::Machine { .. } => {
                Self::broken(message, "nothing was written; package on a machine of that kind")
            }
        }
    }
}
