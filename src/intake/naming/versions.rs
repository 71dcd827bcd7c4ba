//! Versions that one student handed in: the latest, and the earlier ones in their order.

use std::collections::BTreeMap;

use softmark_untrusted::{Untrusted, UntrustedName};

use crate::intake::found::Found;
use crate::intake::location::{Location, is_same_place};
use crate::intake::manifest::assignment_of;
use crate::intake::name::{listed, of_written};
use crate::intake::naming::time::Time;
use crate::intake::submission::{Candidate, Opened};

/// A submission, and the parts of its name.
#[derive(Debug, Clone)]
pub(crate) struct Handed {
    pub(crate) found: Found,
    /// Id of the student, as [`written`](crate::intake::name::written) returns it.
    pub(crate) who: String,
    /// Submission time.
    pub(crate) time: Option<Time>,
    /// File name that the student chose.
    pub(crate) file: Option<String>,
    /// Number of the attempt.
    pub(crate) attempt: Option<u64>,
    /// True if it is never a version of another one: names are taken as they are.
    pub(crate) is_alone: bool,
    pub(crate) notes: Vec<Untrusted>,
}

/// Most names in a note.
const MAX_NAMES: usize = 10;

impl Handed {
    /// Converts the submission to a candidate.
    pub(crate) fn alone(self) -> Candidate {
        let name = of_written(&self.who);
        Candidate {
            entry: entry_of(&self.found, &name),
            name,
            path: self.found.path,
            submitted: self.time.map(|time| time.text()),
            notes: self.notes,
            earlier: Vec::new(),
            place: self.found.place,
        }
    }

    /// Returns the name of its file or folder.
    fn called(&self) -> UntrustedName {
        self.found.path.file_name().unwrap_or(&self.found.called).into()
    }
}

/// Returns the name of the entry in which a submission was found; empty if it is the submission's name.
fn entry_of(found: &Found, name: &Untrusted) -> Untrusted {
    let entry = found.name().to_string();
    if *name == entry { Untrusted::EMPTY } else { entry.into() }
}

/// Returns the candidates of groups of submissions, each group from one place: for each student the latest version, with the earlier
/// ones, if times or numbers of attempts tell their order.
///
/// Versions in several places are of one student if they have one name and their `Cargo.toml` name one assignment.
pub(crate) fn candidates(groups: Vec<Vec<Handed>>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut versions: BTreeMap<String, Vec<Vec<Handed>>> = BTreeMap::new();
    for group in groups {
        let mut of_group: BTreeMap<String, Vec<Handed>> = BTreeMap::new();
        for one in group {
            if one.is_alone {
                candidates.push(one.alone());
            } else {
                of_group.entry(one.who.clone()).or_default().push(one);
            }
        }
        for (who, all) in of_group {
            versions.entry(who).or_default().push(all);
        }
    }
    for groups in versions.into_values() {
        let all: Vec<Handed> = in_order_of_paths(groups.concat());
        match versioned(&all) {
            Some(latest) if groups.len() == 1 || is_one_assignment(&all) => candidates.push(latest),
            None if groups.len() == 1 => candidates.push(undecided(&all)),
            Some(_) | None => candidates.extend(groups.into_iter().map(of_one_place)),
        }
    }
    candidates
}

/// Returns the candidate of a student's submissions that are in one place.
fn of_one_place(all: Vec<Handed>) -> Candidate {
    let all = in_order_of_paths(all);
    versioned(&all).unwrap_or_else(|| undecided(&all))
}

/// Returns the submissions in the order of their paths, each once: a folder and a submission in it may both be named.
fn in_order_of_paths(mut all: Vec<Handed>) -> Vec<Handed> {
    all.sort_by(|a, b| a.found.path.cmp(&b.found.path));
    all.dedup_by(|a, b| is_same_place(&a.found.path, &b.found.path));
    all
}

/// True if the submissions name the same assignment, or none of them names one.
fn is_one_assignment(all: &[Handed]) -> bool {
    let assignment = |one: &Handed| match assignment_of(&one.clone().alone()) {
        Ok(Opened::Accepted(id)) => id,
        Ok(Opened::Rejected(_)) | Err(_) => None,
    };
    let mut assignments = all.iter().map(assignment);
    let first = assignments.next();
    assignments.all(|it| Some(it) == first)
}

/// Returns the latest version with the earlier ones: by the times of all, or else by the numbers of attempts; `None` if neither
/// tells which is the latest. Entries that do not look like submissions are ignored if others do.
fn versioned(all: &[Handed]) -> Option<Candidate> {
    let some_hold = all.iter().any(|one| one.found.holds);
    let real: Vec<&Handed> = all.iter().filter(|one| one.found.holds || !some_hold).collect();
    let order = match real.as_slice() {
        [] => return None,
        [_] => real.clone(),
        several => by_time(several).or_else(|| by_attempt(several))?,
    };
    let (latest, earlier) = order.split_last()?;
    let others: Vec<UntrustedName> = all
        .iter()
        .filter(|other| other.found.path != latest.found.path)
        .map(Handed::called)
        .collect();
    let mut candidate = (*latest).clone().alone();
    candidate.earlier = earlier.iter().map(|one| (*one).clone().alone()).collect();
    if !others.is_empty() {
        let why = if real.len() > 1 { "the latest" } else { "the only submission" };
        let (latest, others) = (latest.called(), listed(others, MAX_NAMES));
        let note = format!("graded is {why}, `{latest}`; also handed in: {others}");
        candidate.notes.push(note.into());
    }
    Some(candidate)
}

/// Returns them in the order of their times, if all times are of one zone and one is after all others.
fn by_time<'a>(all: &[&'a Handed]) -> Option<Vec<&'a Handed>> {
    let mut times = Vec::new();
    for one in all {
        times.push((one.time.as_ref()?, *one));
    }
    let (first, _) = times.first()?;
    if times.iter().any(|(time, _)| time.zone() != first.zone()) {
        return None;
    }
    times.sort_by(|(a, _), (b, _)| a.order().cmp(&b.order()));
    match times.as_slice() {
        [.., (before, _), (last, _)] if before.order() < last.order() => {
            Some(times.into_iter().map(|(_, one)| one).collect())
        }
        _ => None,
    }
}

/// Returns them in the order of their attempts, if the names differ in nothing else and one is after all others.
fn by_attempt<'a>(all: &[&'a Handed]) -> Option<Vec<&'a Handed>> {
    let (first, rest) = all.split_first()?;
    if rest.iter().any(|one| one.file != first.file) {
        return None;
    }
    let mut all = all.to_vec();
    // The first time gets no number.
    let number = |one: &Handed| one.attempt.unwrap_or(0);
    all.sort_by_key(|one| number(one));
    match all.as_slice() {
        [.., before, last] if number(before) < number(last) => Some(all),
        _ => None,
    }
}

fn undecided(all: &[Handed]) -> Candidate {
    let names = all.iter().map(|one| UntrustedName::from(one.found.path.as_path()));
    let reason = format!(
        "{} were handed in by one student, and nothing in their names tells which is the latest: \
         remove the others, or name them so that `--names` can tell",
        listed(names, MAX_NAMES)
    );
    let place = Location::Undecided(reason);
    match all.first() {
        Some(first) => {
            let name = of_written(&first.who);
            let entry = entry_of(&first.found, &name);
            Candidate { entry, place, ..Candidate::folder(name, first.found.path.clone()) }
        }
        None => Candidate { place, ..Candidate::folder(Untrusted::EMPTY, "") },
    }
}
