//! Reading of the submissions that are compared.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use softmark_untrusted::Untrusted;

use crate::assignment::Assignment;
use crate::course::roster::StudentIndex;
use crate::intake::{self, Candidate, Names, Opened};
use crate::pipeline::{self, Survey, SurveyError, Treatment};
use crate::suite::Project;

/// Source text of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Material {
    /// Name of the submission.
    pub name: Untrusted,
    /// Students whose submission it is; empty if they are not known.
    pub students: BTreeSet<StudentIndex>,
    /// Files that the assignment asks for, by their paths below `src/`.
    pub files: BTreeMap<String, String>,
}

/// Submissions of one assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Class {
    /// Assignment id.
    pub assignment: String,
    /// Files that students get, the provided ones among them.
    pub skeleton: BTreeMap<String, String>,
    /// This year's submissions.
    pub this_year: Vec<Material>,
    /// Submissions of earlier years, by the path that was given for a year.
    pub earlier: BTreeMap<PathBuf, Vec<Material>>,
}

/// Submission that was not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Name of the submission.
    pub name: Untrusted,
    /// Reason, for a person.
    pub reason: Untrusted,
}

/// Paths of submissions, and rules for reading them.
#[derive(Debug, Clone, Copy)]
pub struct ClassSource<'a> {
    /// This year's submissions.
    pub class: &'a [PathBuf],
    /// Submissions of earlier years; each path is a year.
    pub earlier: &'a [PathBuf],
    /// Rules for names.
    pub names: &'a Names,
    /// Assignment id; `None` for the one that each submission names.
    pub assignment: Option<&'a str>,
}

/// Submissions that were read, by assignment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Classes {
    /// Classes in the order of the assignments' ids. An assignment that nobody handed in this year has none.
    pub classes: Vec<Class>,
    /// Submissions that were not read, those of earlier years after this year's.
    pub left_out: Vec<LeftOut>,
}

/// Reads the submissions of a class and of earlier years: the files that their assignment asks for, and no others.
///
/// Leaves out submissions that could not be graded because of their files, and those of no assignment of this course.
///
/// # Errors
///
/// Fails if a path holds no submission, or an assignment is invalid.
pub fn read(project: Project<'_>, source: &ClassSource<'_>) -> Result<Classes, SurveyError> {
    let survey = |paths: &[PathBuf]| {
        pipeline::survey(project, (paths, source.names), source.assignment, None)
    };
    let mut reader = Reader::default();
    reader.add(&survey(source.class)?, None);
    let mut years = BTreeSet::new();
    for year in source.earlier {
        // A year that is named twice is one year, or what its class wrote would count as common twice.
        if years.insert(year.canonicalize().unwrap_or_else(|_| year.clone())) {
            reader.add(&survey(std::slice::from_ref(year))?, Some(year));
        }
    }
    let classes = reader.classes.into_values().filter(|class| !class.this_year.is_empty());
    Ok(Classes { classes: classes.collect(), left_out: reader.left_out })
}

/// Reader of submissions.
#[derive(Debug, Default)]
struct Reader {
    /// Classes by assignment id.
    classes: BTreeMap<String, Class>,
    left_out: Vec<LeftOut>,
}

impl Reader {
    /// Reads the submissions of a survey: of this year, or of the earlier one whose path is given.
    fn add(&mut self, survey: &Survey, year: Option<&Path>) {
        for entry in &survey.entries {
            let name = name(&entry.candidate, year);
            let read = match &entry.treatment {
                Treatment::Assigned(assigned) => files(&entry.candidate, &assigned.assignment)
                    .map(|files| (&assigned.assignment, files)),
                Treatment::Rejected(reason) | Treatment::NoGrade(reason) => Err(reason.clone()),
            };
            match read {
                Ok((assignment, files)) => {
                    self.class(assignment, year).push(Material {
                        name,
                        students: BTreeSet::new(),
                        files,
                    });
                }
                Err(reason) => self.left_out.push(LeftOut { name, reason }),
            }
        }
    }

    /// Returns the submissions of an assignment in a year.
    fn class(&mut self, assignment: &Assignment, year: Option<&Path>) -> &mut Vec<Material> {
        let new = || Class {
            assignment: assignment.id.clone(),
            skeleton: skeleton(assignment),
            this_year: Vec::new(),
            earlier: BTreeMap::new(),
        };
        let class = self.classes.entry(assignment.id.clone()).or_insert_with(new);
        match year {
            None => &mut class.this_year,
            Some(year) => class.earlier.entry(year.to_owned()).or_default(),
        }
    }
}

/// Returns the name of a submission; one of an earlier year has its path in front.
fn name(candidate: &Candidate, year: Option<&Path>) -> Untrusted {
    match year {
        None => candidate.name.clone(),
        Some(year) => format!("{}/{}", year.display(), candidate.name).into(),
    }
}

/// Returns the files of a submission that the assignment asks for, or the reason why there are none.
fn files(
    candidate: &Candidate,
    assignment: &Assignment,
) -> Result<BTreeMap<String, String>, Untrusted> {
    match intake::read(candidate, assignment) {
        Ok(Opened::Accepted(mut submission)) => {
            submission.files.retain(|path, _| assignment.collect.contains(path));
            Ok(texts(&submission.files))
        }
        Ok(Opened::Rejected(rejection)) => Err(rejection.reason),
        Err(error) => Err(error.to_string().into()),
    }
}

/// Returns the files that students get.
fn skeleton(assignment: &Assignment) -> BTreeMap<String, String> {
    let mut given = texts(&assignment.skeleton);
    given.extend(texts(&assignment.provided));
    given
}

fn texts(files: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, String> {
    let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
    files.iter().map(|(path, bytes)| (path.clone(), text(bytes))).collect()
}
