//! Submissions of a course, read from its folders of results.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::assignment::Assignment;
use crate::cli::failure::Failure;
use crate::cli::plan::CourseFiles;
use crate::cli::printer::Printer;
use crate::course::{Course, HandIn, HandIns};
use crate::marks::Marks;
use crate::model::Record;
use crate::overrides::Overrides;
use crate::report::text::count;
use crate::store::{Folder, LEDGER, Store};

/// Reads the submissions: the records in the folder of results and in those of assignments in it. Where an earlier version may count,
/// those are read from the database.
///
/// # Errors
///
/// Fails if the results cannot be read.
pub(crate) fn hand_ins(
    files: &CourseFiles,
    course: &Course,
    assignments: &BTreeMap<String, Assignment>,
    printer: &mut Printer<'_>,
) -> Result<Vec<HandIn>, Failure> {
    let mut all = HandIns::default();
    let mut graded = 0;
    let of_assignments = assignments.keys().map(|id| (files.results.join(id), Some(id.as_str())));
    let folders: Vec<(PathBuf, Option<&str>)> =
        std::iter::once((files.results.clone(), None)).chain(of_assignments).collect();
    for (folder, id) in folders.iter().filter(|(folder, _)| folder.is_dir()) {
        let (marks, overrides) = (Marks::read(folder)?, Overrides::read(folder)?);
        let unreadable = |error: String| {
            let message = format!("cannot use the results in {}: {error}", folder.display());
            Failure::broken(message, "may you read there? `--results` names another folder")
        };
        let decisions = Decisions { marks: &marks, overrides: &overrides, assignment: *id };
        let store = Store::open_to_read(&folder.join(LEDGER));
        let store = store.map_err(|error| unreadable(error.to_string()))?;
        let mut add_earlier = |record: Record| {
            let record = decisions.lay_on(record);
            graded += 1;
            all.add(HandIn::earlier(&record, graded));
        };
        for id in assignments.keys().filter(|id| course.may_earlier_count(id)) {
            let Some(store) = &store else { continue };
            let unread = store.for_each_attempt(id, &mut add_earlier);
            let unread = unread.map_err(|error| unreadable(error.to_string()))?;
            if unread > 0 {
                let unread = count(unread, "earlier record", "earlier records");
                printer.warning(format_args!(
                    "{unread} of `{id}` in {} cannot be read by this grader, and do not count",
                    folder.display()
                ));
            }
        }
        let mut add = |record: Record| {
            let record = decisions.lay_on(record);
            all.add(HandIn::from(&record));
        };
        let read = Folder::of(folder).for_each(&mut add);
        for file in read.map_err(|error| unreadable(error.to_string()))? {
            printer.warning(format_args!("{} is no record, and is left out", file.display()));
        }
    }
    Ok(all.into_vec())
}

/// Decisions of people about the records in a folder of results.
struct Decisions<'a> {
    marks: &'a Marks,
    overrides: &'a Overrides,
    /// Assignment whose folder it is; `None` if it is that of all.
    assignment: Option<&'a str>,
}

impl Decisions<'_> {
    /// Returns the record with the points that people gave. One of a submission that could not be read gets the assignment of its
    /// folder.
    fn lay_on(&self, record: Record) -> Record {
        let mut record = record;
        if record.assignment.is_empty() {
            record.assignment = self.assignment.unwrap_or_default().into();
        }
        self.marks.lay_on(&mut record);
        self.overrides.lay_on(&mut record);
        record
    }
}
