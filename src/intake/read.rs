//! Reads the files that an assignment asks for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use softmark_checks::hand_in::{self, MAX_ANSWER_BYTES, MAX_FILE_BYTES, MAX_TOTAL_BYTES};
use softmark_untrusted::Untrusted;

use crate::assignment::{Assignment, UploadEntry};
use crate::digest::Digest;
use crate::intake::error::IntakeError;
use crate::intake::listing::{Listing, list};
use crate::intake::locate::SRC;
use crate::intake::name::listed;
use crate::intake::open::{Content, Kind};
use crate::intake::opened::{open, sources};
use crate::intake::submission::{Candidate, Opened, Rejection, Submission, Uploaded};
use crate::intake::tree::Tree;

/// Most names in a note.
const MAX_NAMES: usize = 20;

/// Reads the files that `assignment` asks for.
///
/// A collected file that is missing is never replaced by the skeleton's: the submission is
/// rejected, and the reason says what is missing and where it may lie instead. A provided file is
/// put in whatever a submission holds.
///
/// # Errors
///
/// Fails if reading fails for a reason that is not the student's fault.
pub fn read(
    candidate: &Candidate,
    assignment: &Assignment,
) -> Result<Opened<Submission>, IntakeError> {
    let names = assignment.collect.iter().chain(assignment.provided.keys());
    let mut wanted = sources(names, MAX_FILE_BYTES);
    wanted.extend(assignment.answers.iter().map(|name| (name.into(), MAX_ANSWER_BYTES)));
    wanted.extend(assignment.uploads.iter().map(|upload| ((&upload.file).into(), upload.bytes)));
    let tree = match open(candidate, &wanted)? {
        Opened::Accepted(tree) => tree,
        Opened::Rejected(rejection) => return Ok(Opened::Rejected(rejection)),
    };
    let tree = tree.as_ref();
    let seen = list(tree);
    let (mut files, mut problems) = collected(tree, &seen, &assignment.collect)?;
    let answers = answers(tree, &assignment.answers, &mut problems)?;
    if !problems.is_empty() {
        let (reason, sha256) =
            (problems.join("; ").into(), digest(&files, &Files::new(), &Uploads::new()));
        return Ok(Opened::Rejected(Rejection { reason, sha256 }));
    }
    let uploads = uploads(tree, &assignment.uploads)?;
    let sha256 = digest(&files, &answers, &uploads);
    let notes = notes(tree, &seen, assignment)?;
    files.extend(assignment.provided.clone());
    let name = candidate.name.clone();
    Ok(Opened::Accepted(Submission { name, sha256, files, answers, uploads, notes }))
}

type Files = BTreeMap<String, Vec<u8>>;
type Uploads = BTreeMap<String, Uploaded>;

/// The hash of all that is graded. What was too large is no file that holds the word for it.
fn digest(files: &Files, answers: &Files, uploads: &Uploads) -> String {
    // Names of answers have no `.rs` at their end: none is taken for a source.
    let mut both: Vec<(&String, &Vec<u8>)> = files.iter().chain(answers).collect();
    both.sort();
    let mut digest = Digest::default();
    for (name, bytes) in both {
        digest.add(name.as_bytes());
        digest.add(bytes);
    }
    for (name, uploaded) in uploads {
        digest.add(name.as_bytes());
        let (kind, bytes) = match uploaded {
            Uploaded::Bytes(bytes) => ("a file", bytes.as_slice()),
            Uploaded::TooLarge { .. } => ("too large", &[][..]),
            Uploaded::Other(found) => (*found, &[][..]),
        };
        digest.add(kind.as_bytes());
        digest.add(bytes);
    }
    digest.finish()
}

/// Something is there, and it is of the wrong kind.
fn other(name: &str, found: Kind, wanted: &str) -> String {
    let why = if found == Kind::Link { ": links are not followed" } else { "" };
    format!("{name} is {}, not {wanted}{why}", found.as_str())
}

/// Reads the collected files, and returns the errors of those that cannot be read.
fn collected(
    tree: &dyn Tree,
    seen: &Listing,
    names: &[String],
) -> Result<(Files, Vec<String>), IntakeError> {
    let src = Path::new(SRC);
    match tree.kind(src)? {
        Kind::Folder => {}
        Kind::Nothing => return Ok((Files::new(), vec![no_src(seen, names)])),
        found @ (Kind::File | Kind::Link | Kind::Special) => {
            return Ok((Files::new(), vec![other("`src`", found, "a folder")]));
        }
    }
    let mut problems = Vec::new();
    let (mut there, mut total) = (Vec::new(), 0);
    for name in names {
        match entry(tree, name)? {
            Entry::File { bytes } => {
                there.push(name);
                total += bytes;
            }
            Entry::Other(Kind::Nothing) => problems.push(missing(seen, name)),
            Entry::Other(found) => problems.push(other(&format!("`src/{name}`"), found, "a file")),
        }
    }
    let mut files = Files::new();
    if total > MAX_TOTAL_BYTES && there.len() > 1 {
        problems.push(hand_in::too_large_together(total));
        return Ok((files, problems));
    }
    for name in there {
        match tree.content(&src.join(name), MAX_FILE_BYTES)? {
            Content::Bytes(bytes) => {
                files.insert(name.clone(), bytes);
            }
            Content::TooLong => {
                problems.push(hand_in::too_large(&format!("src/{name}"), MAX_FILE_BYTES));
            }
            Content::Other(found) => {
                problems.push(other(&format!("`src/{name}`"), found, "a file"));
            }
        }
    }
    Ok((files, problems))
}

/// The files with answers that are there. One that is missing answers nothing, which is the loss of its
/// own points alone.
fn answers(
    tree: &dyn Tree,
    names: &[String],
    problems: &mut Vec<String>,
) -> Result<Files, IntakeError> {
    let mut files = Files::new();
    for name in names {
        match tree.content(Path::new(name), MAX_ANSWER_BYTES)? {
            Content::Bytes(bytes) => {
                files.insert(name.clone(), bytes);
            }
            Content::Other(Kind::Nothing) => {}
            Content::TooLong => problems.push(hand_in::too_large(name, MAX_ANSWER_BYTES)),
            Content::Other(found) => problems.push(other(&format!("`{name}`"), found, "a file")),
        }
    }
    Ok(files)
}

/// Reads the checkpoints; a file that is too large is not read.
fn uploads(tree: &dyn Tree, entries: &[UploadEntry]) -> Result<Uploads, IntakeError> {
    let mut found = Uploads::new();
    for entry in entries {
        let uploaded = match tree.content(Path::new(&entry.file), entry.bytes)? {
            Content::Bytes(bytes) => Uploaded::Bytes(bytes),
            Content::TooLong => Uploaded::TooLarge { allowed: entry.bytes },
            Content::Other(Kind::Nothing) => continue,
            Content::Other(other) => Uploaded::Other(other.as_str()),
        };
        found.insert(entry.file.clone(), uploaded);
    }
    Ok(found)
}

/// Entry at the path of a collected file.
enum Entry {
    /// A regular file, which is reached through folders only.
    File {
        /// Size of the file.
        bytes: u64,
    },
    /// Something else, at the path or on the way to it.
    Other(Kind),
}

/// Returns the entry at the path `name` below `src`.
fn entry(tree: &dyn Tree, name: &str) -> Result<Entry, IntakeError> {
    let mut path = PathBuf::from(SRC);
    let mut parts = Path::new(name).components().peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        match (tree.kind(&path)?, parts.peek()) {
            (Kind::Folder, Some(_)) | (Kind::File, None) => {}
            (found, _) => return Ok(Entry::Other(found)),
        }
    }
    Ok(Entry::File { bytes: tree.size(&path)? })
}

fn no_src(seen: &Listing, names: &[String]) -> String {
    let top = seen.top();
    let holds = if top.is_empty() {
        "the submission is empty".to_owned()
    } else {
        format!("it holds {}", listed(top, MAX_NAMES))
    };
    let hint = match (names.iter().find_map(|name| seen.elsewhere(name)), seen.archive()) {
        (Some(at), _) => {
            format!("; `{at}` is there: put the files into a folder `src/` at the top")
        }
        (None, Some(at)) => {
            format!("; `{at}` is not looked into: hand in what is in it, not an archive of it")
        }
        (None, None) => String::new(),
    };
    format!("there is no folder `src/`; {holds}{hint}")
}

fn missing(seen: &Listing, name: &str) -> String {
    let hint = seen
        .elsewhere(name)
        .map_or_else(String::new, |at| format!(" (there is `{at}`: it has to be at `src/{name}`)"));
    hand_in::missing(&format!("src/{name}")) + &hint
}

/// Returns the record's notes on files that were restored or left out.
fn notes(
    tree: &dyn Tree,
    seen: &Listing,
    assignment: &Assignment,
) -> Result<Vec<Untrusted>, IntakeError> {
    let mut notes: Vec<Untrusted> = Vec::new();
    for (name, ours) in &assignment.provided {
        let theirs = tree.content(&Path::new(SRC).join(name), MAX_FILE_BYTES)?;
        let changed = match theirs {
            Content::Bytes(theirs) => theirs != *ours,
            Content::Other(Kind::Nothing) => false,
            Content::Other(_) | Content::TooLong => true,
        };
        if changed {
            notes.push(format!("`src/{name}` is provided and was put back").into());
        }
    }
    let used: Vec<String> = assignment
        .collect
        .iter()
        .chain(assignment.provided.keys())
        .map(|name| format!("{SRC}/{name}"))
        .chain(assignment.answers.iter().cloned())
        .chain(assignment.uploads.iter().map(|upload| upload.file.clone()))
        .collect();
    let left_out = seen.left_out(&used);
    if !left_out.is_empty() {
        notes.push(hand_in::not_used(&listed(left_out, MAX_NAMES)).into());
    }
    if seen.is_src_closed() {
        notes.push(hand_in::not_used("much more in `src/`").into());
    }
    Ok(notes)
}
