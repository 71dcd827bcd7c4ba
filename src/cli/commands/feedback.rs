//! `grade feedback`: writes a page for each student.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use softmark_checks::similar_names::alternatives;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::FeedbackPlan;
use crate::cli::printer::Printer;
use crate::intake::Platform;
use crate::marks::Marks;
use crate::model::{Grader, Record, RecordOutcome, Run};
use crate::overrides::Overrides;
use crate::pipeline::chain;
use crate::report::text::count;
use crate::report::{self, Audience, PageName};
use crate::store::Folder;
use crate::suite::Catalog;

/// Name of the folder for submissions whose assignment is not known.
const UNKNOWN: &str = "unknown";

/// Record, and the grader that made it.
struct Graded {
    grader: Grader,
    record: Record,
}

/// Page that is to be written.
struct Page {
    path: PathBuf,
    html: Vec<u8>,
}

/// Writes the pages of all students, and prints how many there are for which platform.
///
/// # Errors
///
/// Fails if there is no record, or a folder of pages is not empty; then nothing is written.
pub(crate) fn feedback(
    plan: &FeedbackPlan,
    catalog: Catalog,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let audience = plan.readers.audience()?;
    let all = records(&plan.results, printer)?;
    let by_assignment = by_assignment(all, plan)?;
    let (mut pages, mut told) = (Vec::new(), Vec::new());
    for (assignment, graded) in &by_assignment {
        let folder = plan.out.join(report::safe_name(assignment));
        if fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(Failure::usage(
                format!("{} is not empty", folder.display()),
                "nothing was written; choose another folder for --out, or remove it",
            ));
        }
        let names = report::page_names(&graded.iter().map(|it| &it.record).collect::<Vec<_>>());
        told.extend(summary(&folder, &names));
        for (one, name) in graded.iter().zip(names) {
            let html = page(one, &audience, catalog)?;
            pages.push(Page { path: folder.join(name.file), html });
        }
    }
    pages.iter().try_for_each(write)?;
    printer.data(|_, out| told.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    warn_of_missing_grades(&by_assignment, printer);
    Ok(Exit::Success)
}

/// Reads the records of a folder of results, with the marks that people have given.
fn records(results: &Path, printer: &mut Printer<'_>) -> Result<Vec<Graded>, Failure> {
    let unusable = |what: String| {
        let message = format!("cannot use the results in {}: {what}", results.display());
        Failure::broken(message, "nothing was written; may you read there?")
    };
    let folder = Folder::of(results);
    let (records, unread) = folder.read_all().map_err(|error| unusable(error.to_string()))?;
    for file in unread {
        printer.warning(format_args!("{} is no record, and gets no page", file.display()));
    }
    let (marks, overrides) = (Marks::read(results)?, Overrides::read(results)?);
    let mut all = Vec::new();
    for record in records {
        let read = folder.read(record.submission.as_raw());
        if let Some((grader, mut record)) = read.map_err(|error| unusable(chain(&error)))? {
            marks.lay_on(&mut record);
            overrides.lay_on(&mut record);
            all.push(Graded { grader, record });
        }
    }
    if all.is_empty() {
        return Err(Failure::usage(
            format!("there is no record in {}", results.display()),
            "grade submissions first; `--results` names another folder of results",
        ));
    }
    Ok(all)
}

/// Groups records by assignment, and keeps those of the assignment that the plan names. A submission whose assignment is
/// not known belongs to the only one that there is.
fn by_assignment(
    all: Vec<Graded>,
    plan: &FeedbackPlan,
) -> Result<BTreeMap<String, Vec<Graded>>, Failure> {
    let known: BTreeSet<String> = all
        .iter()
        .map(|it| it.record.assignment.to_string())
        .filter(|assignment| !assignment.is_empty())
        .collect();
    let of_unknown = match known.first() {
        Some(only) if known.len() == 1 => only.clone(),
        Some(_) | None => UNKNOWN.to_owned(),
    };
    let mut groups: BTreeMap<String, Vec<Graded>> = BTreeMap::new();
    for one in all {
        let assignment = match one.record.assignment.to_string() {
            unknown if unknown.is_empty() => of_unknown.clone(),
            known => known,
        };
        groups.entry(assignment).or_default().push(one);
    }
    let Some(wanted) = &plan.assignment else { return Ok(groups) };
    let group = groups.remove_entry(wanted).ok_or_else(|| no_records(wanted, &groups, plan))?;
    Ok(BTreeMap::from([group]))
}

fn no_records(
    wanted: &str,
    groups: &BTreeMap<String, Vec<Graded>>,
    plan: &FeedbackPlan,
) -> Failure {
    let ids: Vec<&str> = groups.keys().map(String::as_str).collect();
    let (wanted, results) = (wanted.escape_debug(), plan.results.display());
    Failure::usage(
        format!("there is no record of the assignment `{wanted}` in {results}"),
        format!("there is {}", alternatives(&ids)),
    )
}

fn page(graded: &Graded, audience: &Audience, catalog: Catalog) -> Result<Vec<u8>, Failure> {
    let run = Run { grader: graded.grader.clone(), records: vec![graded.record.clone()] };
    let mut html = Vec::new();
    report::html::feedback::write(&audience.view(&run), catalog, &mut html)
        .map_err(|error| Failure::broken(error.to_string(), "nothing was written"))?;
    Ok(html)
}

fn write(page: &Page) -> Result<(), Failure> {
    let folder = page.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| Failure::unwritten(folder, &error))?;
    let file = File::options().create_new(true).write(true).open(&page.path);
    file.and_then(|mut file| file.write_all(&page.html))
        .map_err(|error| Failure::unwritten(&page.path, &error))
}

/// Returns lines that say how many pages a folder has, and how they get to students.
fn summary(folder: &Path, names: &[PageName]) -> Vec<String> {
    let pages = count(names.len(), "page", "pages");
    let mut lines = vec![format!("feedback   {}: {pages}", folder.display())];
    let platforms =
        [Some(Platform::Canvas), Some(Platform::Moodle), Some(Platform::Gradescope), None];
    for platform in platforms {
        let number = names.iter().filter(|name| name.platform == platform).count();
        if number > 0 {
            let name = platform.map_or("by hand", Platform::as_str);
            lines.push(format!("{name:<10} {}: {}", count(number, "page", "pages"), way(platform)));
        }
    }
    lines
}

/// Returns the way in which pages get to the students of a platform.
fn way(platform: Option<Platform>) -> &'static str {
    match platform {
        Some(Platform::Canvas) => {
            "zip them, and choose Upload Submissions in the assignment's menu of the gradebook; Canvas shows each page \
             under the name of the file that was handed in"
        }
        Some(Platform::Moodle) => {
            "zip them, and choose Upload multiple feedback files in a zip among the grading actions of the assignment, \
             which needs feedback files turned on"
        }
        Some(Platform::Gradescope) => {
            "Gradescope takes no files back; `grade show ID --format gradescope` is what its autograder shows"
        }
        None => "they come from no platform that is known here; hand them out yourself",
    }
}

fn warn_of_missing_grades(groups: &BTreeMap<String, Vec<Graded>>, printer: &mut Printer<'_>) {
    let missing = |it: &&Graded| it.record.outcome == RecordOutcome::NoGrade;
    let number = groups.values().flatten().filter(missing).count();
    if number > 0 {
        let pages = count(number, "page says", "pages say");
        printer.warning(format_args!("{pages} that there is no grade yet; grade again first"));
    }
}
