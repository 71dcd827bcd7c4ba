//! Finds submissions.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use softmark_untrusted::UntrustedName;

use crate::intake::apart::set_apart;
use crate::intake::archive::{is_archive, stem};
use crate::intake::bulk;
use crate::intake::error::IntakeError;
use crate::intake::location::Location;
use crate::intake::name::listed;
use crate::intake::naming::Names;
use crate::intake::open::{Content, Kind, is_hidden, kind};
use crate::intake::stray;
use crate::intake::submission::Candidate;
use crate::intake::tree::{Disk, Tree};

/// Name of the source folder: a folder that contains it is a submission.
pub(crate) const SRC: &str = "src";

/// Most entries of a folder of submissions.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Most unnecessary folders around a submission; `amara/amara/src` has one.
pub(crate) const MAX_AROUND: usize = 3;

/// Name of the file in which nbgrader stores the submission time.
pub(crate) const STAMP: &str = "timestamp.txt";

/// Most bytes of a time stamp; a longer file is ignored.
pub(crate) const MAX_STAMP: u64 = 100;

/// A submission whose name has not been read yet.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Name without the ending of an archive.
    pub(crate) called: OsString,
    /// See [`Candidate::path`].
    pub(crate) path: PathBuf,
    pub(crate) place: Location,
    /// True if it looks like a submission.
    pub(crate) holds: bool,
    /// Text of nbgrader's time stamp.
    pub(crate) stamp: Option<String>,
}

impl Found {
    pub(crate) fn new(called: &OsStr, path: PathBuf, place: Location) -> Self {
        Self { called: called.to_owned(), path, place, holds: true, stamp: None }
    }

    /// Returns the name, for patterns and for a person.
    pub(crate) fn name(&self) -> UntrustedName {
        self.called.as_os_str().into()
    }
}

/// The submissions at `paths`, in the order of their names: each path is one (a folder that holds
/// `src/`, or an archive), or a folder or an archive of them. What they are called says `names`.
///
/// Every folder and every archive in a folder of submissions is a candidate, whatever it holds and
/// whatever it is called, so that nobody is left out unseen; of what is hidden, only what looks like no
/// submission is skipped. A file beside them that is no archive is a candidate that is rejected (`stray.rs`
/// says which files are not). Where several have one name, each of them is a candidate that cannot be
/// decided, under a name of its own. A path may itself be a link, for the instructor names it.
///
/// # Errors
///
/// When a path does not exist or holds no submission.
pub fn find(paths: &[PathBuf], names: &Names) -> Result<Vec<Candidate>, IntakeError> {
    let (mut alone, mut found) = (Vec::new(), Vec::new());
    for path in paths {
        match at(path)? {
            At::One(one) => alone.push(one),
            At::Many(many) => {
                let mut many = names.read(many)?;
                many.extend(stray::files(path, &many)?);
                found.extend(many);
            }
            At::Part(many, part) => {
                let rules = names.rules(&many);
                let many = many.into_iter().filter(|one| one.path.starts_with(&part)).collect();
                found.extend(rules.read(many)?);
            }
        }
    }
    found.extend(names.read(alone)?);
    found.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
    // `grade class class/amara` means amara once.
    found.dedup_by(|a, b| a.name == b.name && is_same_place(&a.path, &b.path));
    Ok(set_apart(found))
}

fn is_same_place(a: &Path, b: &Path) -> bool {
    let same = match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        // What cannot be told stays two.
        (Err(_), _) | (_, Err(_)) => false,
    };
    same || a == b
}

/// Submissions found at a path that the instructor named.
pub(crate) enum At {
    /// A submission.
    One(Found),
    /// A group of submissions.
    Many(Vec<Found>),
    /// A group of submissions, and the path prefix of those that were named.
    Part(Vec<Found>, PathBuf),
}

fn at(path: &Path) -> Result<At, IntakeError> {
    // The name of `.` or `class/..` is that of the folder that it is.
    let whole = match fs::canonicalize(path) {
        Ok(whole) => whole,
        Err(error) => {
            return if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
                through(path)
            } else {
                Err(IntakeError::read(path)(error))
            };
        }
    };
    let name = path.file_name().or_else(|| whole.file_name()).unwrap_or_default();
    if !whole.is_dir() {
        if !is_archive(name) {
            return Err(IntakeError::File(path.to_owned()));
        }
        return bulk::at(name, path, &whole);
    }
    if kind(&path.join(SRC)).map_err(IntakeError::read(path))? == Kind::Nothing {
        return folder(path).map(At::Many);
    }
    // From here on no link is followed: this one is resolved now.
    let is_link = kind(path).map_err(IntakeError::read(path))? == Kind::Link;
    let place = if is_link { whole.clone() } else { path.to_owned() };
    let mut found = Found::new(name, place, Location::Folder);
    found.stamp = stamp(&Disk(whole), Path::new(""));
    Ok(At::One(found))
}

/// Finds the submissions at a path that continues inside an archive, such as `submissions.zip/amara`.
fn through(path: &Path) -> Result<At, IntakeError> {
    let missing = || IntakeError::Missing(path.to_owned());
    let archive = path.ancestors().skip(1).find(|above| above.is_file()).ok_or_else(missing)?;
    match at(archive)? {
        At::Many(many) if many.iter().any(|one| one.path.starts_with(path)) => {
            Ok(At::Part(many, path.to_owned()))
        }
        At::One(_) | At::Many(_) | At::Part(..) => Err(missing()),
    }
}

/// Returns all possible submissions in a folder on the disk.
fn folder(path: &Path) -> Result<Vec<Found>, IntakeError> {
    let tree = Disk(path.to_owned());
    let too_many = || IntakeError::TooMany { path: path.to_owned(), limit: MAX_ENTRIES };
    let mut found = Vec::new();
    for member in members(&tree)?.ok_or_else(too_many)? {
        let Member { name, inside, located } = member;
        let whole = path.join(&inside);
        let (called, place, holds, at) = match located {
            Located::Folder(at) => (name.as_os_str(), Location::Folder, true, at),
            Located::Archive(at) if kind_of(&tree, &at) == Kind::Link => {
                (stem(&name), Location::Folder, false, at)
            }
            Located::Archive(at) if kind_of(&tree, &at) == Kind::Special => {
                let what = Kind::Special.as_str();
                let reason = format!("the submission is {what}, not a folder or an archive");
                (stem(&name), Location::Refused(reason), false, at)
            }
            Located::Archive(at) => (called(&name, &inside, &at), Location::Archive, true, at),
            Located::Several(all) => {
                (name.as_os_str(), Location::Undecided(several(&whole, &all)), true, inside.clone())
            }
            Located::Nothing => (name.as_os_str(), Location::Folder, false, inside.clone()),
        };
        let stamp = stamp(&tree, &at);
        found.push(Found { called: called.to_owned(), path: path.join(at), place, holds, stamp });
    }
    if found.iter().any(|one| one.holds) {
        Ok(found)
    } else {
        Err(IntakeError::Empty(path.to_owned()))
    }
}

/// Returns the name of a member whose archive is at `at`: the archive's name without its ending, or the name
/// of the folder around the archive.
pub(crate) fn called<'a>(name: &'a OsStr, inside: &Path, at: &Path) -> &'a OsStr {
    if inside == at { stem(name) } else { name }
}

/// Returns the message that a folder holds several archives and the submission cannot be identified.
pub(crate) fn several(folder: &Path, archives: &[PathBuf]) -> String {
    let names =
        archives.iter().map(|path| UntrustedName::from(path.file_name().unwrap_or_default()));
    format!(
        "{} holds several archives, {}, and nothing tells which is the submission: remove the \
         others",
        folder.display(),
        listed(names, 5)
    )
}

fn kind_of(tree: &dyn Tree, path: &Path) -> Kind {
    tree.kind(path).unwrap_or(Kind::Nothing)
}

/// Returns the text of nbgrader's time stamp in `dir`, if there is one.
fn stamp(tree: &dyn Tree, dir: &Path) -> Option<String> {
    match tree.content(&dir.join(STAMP), MAX_STAMP).ok()? {
        Content::Bytes(bytes) => text_of_stamp(&bytes),
        Content::TooLong | Content::Other(_) => None,
    }
}

/// The line in such a file.
pub(crate) fn text_of_stamp(bytes: &[u8]) -> Option<String> {
    Some(std::str::from_utf8(bytes).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Location of a submission below a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Located {
    /// The folder that holds `src/`.
    Folder(PathBuf),
    /// The only archive.
    Archive(PathBuf),
    /// More than one archive.
    Several(Vec<PathBuf>),
    /// There is none.
    Nothing,
}

/// An entry in a folder of submissions.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: OsString,
    /// Path of the member in the tree.
    pub(crate) inside: PathBuf,
    pub(crate) located: Located,
}

/// Name of the folder that macOS adds to archives.
const APPLE: &str = "__MACOSX";

/// Folders of tools, which hold copies of whatever was under their care.
const TOOLS: [&str; 3] = [".git", ".hg", ".svn"];

/// True if nobody handed in the entry of that name, inside of a submission.
fn is_passed_over(name: &OsStr) -> bool {
    is_hidden(name) || name == APPLE
}

/// True if nobody handed in the entry of that name, among submissions. Other hidden entries are examined,
/// because they may be submissions all the same.
fn is_litter(name: &OsStr, beside: &[(OsString, Kind)]) -> bool {
    // Attributes of the file beside it, as macOS keeps them: `._work.zip` of `work.zip`.
    let of = name.as_encoded_bytes().strip_prefix(b"._");
    let has_owner = |of: &[u8]| beside.iter().any(|(name, _)| name.as_encoded_bytes() == of);
    name == APPLE || TOOLS.iter().any(|tool| name == *tool) || of.is_some_and(has_owner)
}

/// Returns all possible submissions in a tree, or `None` if there are too many entries.
///
/// A single folder at the top is searched instead if it is no submission or has archives beside its
/// submission: downloads often have a wrapper folder.
pub(crate) fn members(tree: &dyn Tree) -> Result<Option<Vec<Member>>, IntakeError> {
    let mut dir = PathBuf::new();
    let mut found = Vec::new();
    for around in 0..=MAX_AROUND {
        let before = std::mem::take(&mut found);
        let all = match tree.entries(&dir, MAX_ENTRIES) {
            Ok(Some(all)) => all,
            // It is the only one there, and its record says what is wrong with it.
            Ok(None) | Err(_) if around > 0 => return Ok(Some(before)),
            Ok(None) => return Ok(None),
            Err(error) => return Err(error),
        };
        for (name, kind) in &all {
            if is_litter(name, &all) {
                continue;
            }
            let inside = dir.join(name);
            let located = match *kind {
                Kind::Folder => {
                    let located = located(tree, &inside);
                    if is_hidden(name) && located == Located::Nothing {
                        continue;
                    }
                    located
                }
                // A device or a pipe is rejected by name, whatever it is called.
                Kind::Special => Located::Archive(inside.clone()),
                // A linked folder or archive is rejected by name; any other linked file is as
                // little a submission as a file is.
                Kind::File | Kind::Link if is_archive(name) => Located::Archive(inside.clone()),
                Kind::Link if !is_hidden(name) && !tree.leads_to_file(&inside) => Located::Nothing,
                Kind::File | Kind::Link | Kind::Nothing => continue,
            };
            found.push(Member { name: name.clone(), inside, located });
        }
        match found.as_slice() {
            [Member { inside, located, .. }]
                if around < MAX_AROUND
                    && kind_of(tree, inside) == Kind::Folder
                    && match located {
                        Located::Nothing | Located::Several(_) => true,
                        Located::Folder(at) => has_archives_around(tree, inside, at),
                        Located::Archive(_) => false,
                    } =>
            {
                dir.clone_from(inside);
            }
            _ => return Ok(Some(found)),
        }
    }
    Ok(Some(found))
}

/// True if archives lie beside the submission at `at`, or beside a folder around it, up to `top`: the
/// submission is then one among others.
pub(crate) fn has_archives_around(tree: &dyn Tree, top: &Path, at: &Path) -> bool {
    at.ancestors().skip(1).take_while(|above| above.starts_with(top)).any(|above| {
        let entries = tree.entries(above, MAX_ENTRIES).ok().flatten().unwrap_or_default();
        entries
            .iter()
            .any(|(name, kind)| *kind == Kind::File && is_archive(name) && !is_passed_over(name))
    })
}

/// Locates the submission at or below `dir`, through wrapper folders.
///
/// An unreadable folder counts as empty here; the error is reported when the submission is read.
pub(crate) fn located(tree: &dyn Tree, dir: &Path) -> Located {
    let mut dir = dir.to_owned();
    // Archives on the way: the folder that holds `src/` is preferred to any.
    let mut archives: Vec<PathBuf> = Vec::new();
    for _ in 0..=MAX_AROUND {
        if kind_of(tree, &dir.join(SRC)) != Kind::Nothing {
            return Located::Folder(dir);
        }
        let Ok(Some(all)) = tree.entries(&dir, MAX_ENTRIES) else { break };
        let (mut folders, here): (Vec<_>, Vec<_>) = all
            .into_iter()
            .filter(|(name, _)| !is_passed_over(name))
            .filter(|(name, kind)| {
                *kind == Kind::Folder || (*kind == Kind::File && is_archive(name))
            })
            .partition(|(_, kind)| *kind == Kind::Folder);
        archives.extend(here.into_iter().map(|(name, _)| dir.join(name)));
        match (folders.pop(), folders.is_empty()) {
            (Some((only, _)), true) => dir.push(only),
            _ => break,
        }
    }
    match archives.as_slice() {
        [] => Located::Nothing,
        [only] => Located::Archive(only.clone()),
        _ => Located::Several(archives),
    }
}
