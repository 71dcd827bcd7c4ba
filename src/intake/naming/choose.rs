//! Chooses the latest submission of a student who handed in more than one.

use std::ffi::OsString;

use softmark_untrusted::{Untrusted, UntrustedName};

use crate::intake::found::Found;
use crate::intake::location::Location;
use crate::intake::name::{listed, of_submission};
use crate::intake::naming::time::Time;
use crate::intake::submission::Candidate;

/// A submission, and the parts of its name.
#[derive(Debug, Clone)]
pub(crate) struct Handed {
    pub(crate) found: Found,
    /// Id of the student.
    pub(crate) who: OsString,
    /// Submission time.
    pub(crate) time: Option<Time>,
    /// File name that the student chose.
    pub(crate) file: Option<String>,
    /// Number of the attempt.
    pub(crate) attempt: Option<u64>,
    pub(crate) notes: Vec<Untrusted>,
}

/// Most names in a note.
const MAX_NAMES: usize = 10;

impl Handed {
    /// Converts the submission to a candidate.
    pub(crate) fn alone(self) -> Candidate {
        let name = of_submission(&self.who);
        Candidate {
            entry: entry_of(&self.found, &name),
            name,
            path: self.found.path,
            submitted: self.time.map(|time| time.text()),
            notes: self.notes,
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

/// Returns the submission that counts: the latest by the times of all, or else by the numbers of attempts.
/// Entries that do not look like submissions are ignored if others do.
pub(crate) fn latest(all: &[Handed]) -> Candidate {
    let some_hold = all.iter().any(|one| one.found.holds);
    let real: Vec<&Handed> = all.iter().filter(|one| one.found.holds || !some_hold).collect();
    let chosen = match real.as_slice() {
        [] => return undecided(all),
        [only] => Some(*only),
        several => by_time(several).or_else(|| by_attempt(several)),
    };
    let Some(chosen) = chosen else { return undecided(all) };
    let others: Vec<UntrustedName> = all
        .iter()
        .filter(|other| other.found.path != chosen.found.path)
        .map(Handed::called)
        .collect();
    let mut candidate = chosen.clone().alone();
    if !others.is_empty() {
        let why = if real.len() > 1 { "the latest" } else { "the only submission" };
        let (chosen, others) = (chosen.called(), listed(others, MAX_NAMES));
        let note = format!("graded is {why}, `{chosen}`; also handed in: {others}");
        candidate.notes.push(note.into());
    }
    candidate
}

/// Returns the latest, if all times are of one zone and one is after all others.
fn by_time<'a>(all: &[&'a Handed]) -> Option<&'a Handed> {
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
        [.., (before, _), (last, one)] if before.order() < last.order() => Some(*one),
        _ => None,
    }
}

/// Returns the one with the largest attempt, if the names differ in nothing else.
fn by_attempt<'a>(all: &[&'a Handed]) -> Option<&'a Handed> {
    let (first, rest) = all.split_first()?;
    if rest.iter().any(|one| one.file != first.file) {
        return None;
    }
    let mut all = all.to_vec();
    // The first time gets no number.
    let number = |one: &Handed| one.attempt.unwrap_or(0);
    all.sort_by_key(|one| number(one));
    match all.as_slice() {
        [.., before, last] if number(before) < number(last) => Some(*last),
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
            let name = of_submission(&first.who);
            let entry = entry_of(&first.found, &name);
            Candidate { entry, place, ..Candidate::folder(name, first.found.path.clone()) }
        }
        None => Candidate { place, ..Candidate::folder(Untrusted::EMPTY, "") },
    }
}
