//! Locates submissions in a tree, through the folders and archives around them.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use softmark_untrusted::UntrustedName;

use crate::intake::archive::{is_archive, stem};
use crate::intake::error::IntakeError;
use crate::intake::name::listed;
use crate::intake::open::{Kind, is_hidden};
use crate::intake::tree::Tree;

/// Name of the source folder: a folder that contains it is a submission.
pub(crate) const SRC: &str = "src";

/// Most entries of a folder of submissions.
pub(crate) const MAX_ENTRIES: usize = 10_000;

/// Most unnecessary folders around a submission; `amara/amara/src` has one.
const MAX_AROUND: usize = 3;

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

/// True if an entry is a file with the ending of an archive.
fn is_archive_file(name: &OsStr, kind: Kind) -> bool {
    kind == Kind::File && is_archive(name)
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
        entries.iter().any(|(name, kind)| is_archive_file(name, *kind) && !is_passed_over(name))
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
        let all = all.into_iter().filter(|(name, kind)| {
            !is_passed_over(name) && (*kind == Kind::Folder || is_archive_file(name, *kind))
        });
        let (mut folders, here): (Vec<_>, Vec<_>) =
            all.partition(|(_, kind)| *kind == Kind::Folder);
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

/// Returns the kind of an entry; one that cannot be examined is none.
pub(crate) fn kind_of(tree: &dyn Tree, path: &Path) -> Kind {
    tree.kind(path).unwrap_or(Kind::Nothing)
}
