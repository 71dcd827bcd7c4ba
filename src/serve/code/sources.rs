//! Files of graded submissions: looked for where their run found them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use softmark_untrusted::Untrusted;

use crate::intake::{self, Names, Opened};
use crate::pipeline::{self, Entry, Treatment};
use crate::store::{Input, RunId, Store};
use crate::suite::Project;

/// Most runs whose submissions are remembered: two attempts of each of four people who read at the same time. Each needs some
/// hundred bytes for each submission.
const MOST_RUNS: usize = 8;

/// Submission whose files are wanted.
#[derive(Debug, Clone, Copy)]
pub(in crate::serve) struct Wanted<'a> {
    /// Run that graded it.
    pub(in crate::serve) run: RunId,
    /// Submission id.
    pub(in crate::serve) submission: &'a Untrusted,
    /// Assignment id.
    pub(in crate::serve) assignment: &'a Untrusted,
    /// SHA-256 of the files that were graded.
    pub(in crate::serve) sha256: &'a Untrusted,
}

/// File of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) struct CodeFile {
    /// Path below `src/`.
    pub(in crate::serve) path: Untrusted,
    /// Text; what is no UTF-8 in it is replaced.
    pub(in crate::serve) text: String,
}

/// Files of a submission, or why they are not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::serve) enum Code {
    /// Files that the assignment asks for, and whether they are those that were graded.
    Files {
        /// Files in the order of their paths.
        files: Vec<CodeFile>,
        /// True if they are the files that were graded.
        are_graded: bool,
    },
    /// There are none, for this reason.
    Missing(String),
}

/// Submissions that a run found, by their names.
type Found = BTreeMap<Untrusted, Vec<Entry>>;

/// Places of the submissions of runs.
#[derive(Debug, Default)]
pub(in crate::serve) struct Sources(Mutex<BTreeMap<i64, Arc<Found>>>);

/// Reader of the files of submissions.
#[derive(Debug, Clone, Copy)]
pub(in crate::serve) struct CodeReader<'a> {
    /// Places that are known.
    pub(in crate::serve) sources: &'a Sources,
    /// Ledger, which knows the paths that runs were given.
    pub(in crate::serve) store: &'a Store,
    /// Folder of the course.
    pub(in crate::serve) project: Project<'a>,
}

impl CodeReader<'_> {
    /// Reads the files of a submission.
    pub(in crate::serve) fn read(&self, wanted: &Wanted<'_>) -> Code {
        let found = match self.found(wanted.run) {
            Ok(found) => found,
            Err(reason) => return Code::Missing(reason),
        };
        let entries = found.get(wanted.submission).map(Vec::as_slice).unwrap_or_default();
        let mut first = None;
        for code in entries.iter().filter_map(|entry| files(entry, wanted)) {
            if matches!(code, Code::Files { are_graded: true, .. }) {
                return code;
            }
            first.get_or_insert(code);
        }
        let gone = "its files are no longer where they were graded";
        first.unwrap_or_else(|| Code::Missing(gone.to_owned()))
    }

    /// Returns the submissions that a run found. They are looked for once.
    fn found(&self, run: RunId) -> Result<Arc<Found>, String> {
        let known = || self.sources.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(&run.number()) {
            return Ok(Arc::clone(found));
        }
        let inputs = self.store.inputs(run).map_err(|error| error.to_string())?;
        if inputs.is_empty() {
            return Err("the ledger does not say where its files were".to_owned());
        }
        let mut found = Found::new();
        for group in Input::groups(&inputs) {
            for entry in self.survey(group) {
                found.entry(entry.candidate.name.clone()).or_default().push(entry);
            }
        }
        let found = Arc::new(found);
        let mut known = known();
        while known.len() >= MOST_RUNS {
            known.pop_first();
        }
        known.insert(run.number(), Arc::clone(&found));
        Ok(found)
    }

    /// Finds the submissions at paths that were given in one command; none if they are gone.
    fn survey(&self, inputs: &[Input]) -> Vec<Entry> {
        let paths: Vec<PathBuf> =
            inputs.iter().map(|input| input.path.clone()).filter(|path| path.exists()).collect();
        let Some(first) = inputs.first().filter(|_| !paths.is_empty()) else { return Vec::new() };
        let names = first.names.as_deref().map_or_else(|| Ok(Names::default()), str::parse);
        let Ok(names) = names else { return Vec::new() };
        let assignment = first.assignment.as_deref();
        let survey = pipeline::survey(self.project, (&paths, &names), assignment, None);
        survey.map(|survey| survey.entries).unwrap_or_default()
    }
}

/// Reads the files of a submission that was found; `None` if it is of another assignment, or is no submission any more.
fn files(entry: &Entry, wanted: &Wanted<'_>) -> Option<Code> {
    let assignment = match &entry.treatment {
        Treatment::Assigned(assigned) => &assigned.assignment,
        Treatment::Rejected(_) | Treatment::NoGrade(_) => return None,
    };
    if *wanted.assignment != assignment.id.as_str() {
        return None;
    }
    let Ok(Opened::Accepted(mut submission)) = intake::read(&entry.candidate, assignment) else {
        return None;
    };
    submission.files.retain(|path, _| !assignment.provided.contains_key(path));
    let file = |(path, bytes): (&String, &Vec<u8>)| CodeFile {
        path: path.as_str().into(),
        text: String::from_utf8_lossy(bytes).into_owned(),
    };
    let files = submission.files.iter().map(file).collect();
    Some(Code::Files { files, are_graded: *wanted.sha256 == submission.sha256 })
}
