//! `grade release`: writes the folders of assignments that students get.

use softmark_sandbox::Level;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::ReleasePlan;
use crate::cli::printer::Printer;
use crate::course::{Course, Deadline, Moment};
use crate::release::{ReleaseError, Released, Releaser};
use crate::suite::Catalog;

/// Folder below that of the prebuilt libraries, into which released folders are compiled when they are tested, if the course was not
/// built by cargo.
const TARGET: &str = "release";

/// Releases the assignments, one after another, and prints what was written and what comes next.
///
/// # Errors
///
/// Fails at the first assignment that cannot be released.
pub(crate) fn release(
    plan: &ReleasePlan,
    catalog: Catalog,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let course = plan.site.check()?;
    // Cargo reads nothing that a student wrote, and runs without isolation at every level.
    let tools = plan.site.tools(Level::None)?;
    let now = Moment::now();
    let releaser = Releaser::new(&plan.site.home, &tools, catalog, now)?;
    for id in &plan.assignments {
        let released = releaser.release(id, &plan.out)?;
        for (other, lines) in &released.solves {
            printer.warning(format!(
                "the release of `{id}` has {lines} lines of the solution of `{other}`: students should not get it \
                 before `{other}` is over; with its due date in softmark.toml, it is refused until then"
            ));
        }
        if let Some(date) = later_release(&course, id, now) {
            printer.warning(format!(
                "`{id}` is for students from {date} on, as softmark.toml says: keep the folder until then"
            ));
        }
        let mut lines = told(id, &released);
        if plan.check {
            printer.plain(format!("testing {}\n", released.folder.display()));
            let target = plan.site.build_folder();
            let target = target.unwrap_or_else(|| plan.site.cache().join(TARGET));
            let tally = releaser.check(id, &released.folder, &target)?;
            lines.push(format!(
                "tested     builds offline; {} checks say that the code is not written yet, and all {} pass with the solution",
                tally.unwritten,
                tally.unwritten + tally.right
            ));
        }
        if plan.zip {
            lines.push(format!("archive    {}", Releaser::archive(&released.folder)?.display()));
        }
        printer.data(|_, out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    }
    Ok(Exit::Success)
}

/// Returns the release date of an assignment, if its day is after that of the moment `now`.
fn later_release<'a>(course: &'a Course, id: &str, now: Moment) -> Option<&'a Deadline> {
    let release = course.assignments.get(id)?.release.as_ref()?.get_ref();
    (course.day(release.moment()) > course.day(now)).then_some(release)
}

/// Returns what is printed about a released folder.
fn told(id: &str, released: &Released) -> Vec<String> {
    let (folder, files) = (released.folder.display(), released.files);
    let kibibytes = released.bytes.div_ceil(1024);
    vec![
        format!("released   {id}: {files} files, {kibibytes} KiB, in {folder}"),
        format!("handout    {}", released.page.display()),
    ]
}

impl From<ReleaseError> for Failure {
    fn from(error: ReleaseError) -> Self {
        let message = error.to_string();
        match &error {
            ReleaseError::Assignment(_) | ReleaseError::UnknownAssignment(_) => {
                Self::usage(message, "assignments are the folders in `assignments/`")
            }
            ReleaseError::NotEmpty(_) => {
                Self::usage(message, "choose another folder for --out, or remove it")
            }
            ReleaseError::Handout { .. } => Self::broken(
                message,
                "nothing was written; docs/authors.md lists what a handout may contain",
            ),
            ReleaseError::Leaks { .. } => Self::broken(
                message,
                "nothing was written; remove these lines from the assignment's folder, or from the crates that it needs",
            ),
            ReleaseError::SolvesAnother { .. } => {
                Self::broken(message, "nothing was written; release it after that day")
            }
            ReleaseError::Secret { .. } => Self::broken(
                message,
                "take it out of the package's Cargo.toml; students get the sources of all packages",
            ),
            ReleaseError::NoPackage(_) => Self::broken(
                message,
                "list it in the members of the workspace in the course's Cargo.toml",
            ),
            ReleaseError::Io { .. } => Self::broken(
                message,
                "is there room, and may you write there? `--out` names another folder",
            ),
            ReleaseError::DoesNotWork { .. } => {
                Self::broken(message, "run `cargo test` in the released folder to see the same")
            }
            ReleaseError::Fixture(_)
            | ReleaseError::Tool(_)
            | ReleaseError::Metadata(_)
            | ReleaseError::Course(_)
            | ReleaseError::Manifest { .. } => {
                Self::broken(message, "does `cargo test` work in the course?")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assignment_is_early_before_its_release_date() {
        let text = "title = 'T'\n[assignments.lab]\nrelease = 2026-11-01\n[assignments.other]\ndue = 2026-11-02";
        let course = Course::parse(text).unwrap();
        // The first second of 2026-11-01 in UTC.
        let day = 1_793_491_200;
        let early = |id, seconds| {
            let date = later_release(&course, id, Moment::from_seconds(seconds));
            date.map(ToString::to_string)
        };
        assert_eq!(early("lab", day - 1).as_deref(), Some("2026-11-01"));
        assert_eq!(early("lab", day), None);
        assert_eq!((early("other", day - 1), early("none", day - 1)), (None, None));
    }
}
