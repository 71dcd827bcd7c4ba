//! Directory listing of a submission: files that are left out, and other places of a missing file.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use softmark_untrusted::UntrustedName;

use crate::intake::archive::is_archive;
use crate::intake::locate::SRC;
use crate::intake::open::Kind;
use crate::intake::tree::Tree;

/// Most entries of a folder that is listed.
const MAX_ENTRIES: usize = 1000;
/// Most folders that are looked into.
const MAX_FOLDERS: usize = 200;
/// Most levels of folders that are listed.
const MAX_DEPTH: usize = 8;

/// Directory listing of a submission, up to the limits.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Path below the submission, and its kind.
    found: Vec<(Vec<OsString>, Kind)>,
    /// Folders with too many entries, and folders that cannot be read.
    closed: Vec<Vec<OsString>>,
}

/// Lists a submission's files breadth first and in the order of the names, so that a limit always cuts off
/// the same entries.
pub(crate) fn list(tree: &dyn Tree) -> Listing {
    let mut listing = Listing::default();
    let mut folders = vec![Vec::new()];
    let mut next = 0;
    while let Some(folder) = folders.get(next).cloned() {
        next += 1;
        let path: PathBuf = folder.iter().collect();
        let inside =
            if next > MAX_FOLDERS { None } else { tree.entries(&path, MAX_ENTRIES).ok().flatten() };
        let Some(inside) = inside else {
            listing.closed.push(folder);
            continue;
        };
        for (name, kind) in inside {
            let mut at = folder.clone();
            at.push(name);
            if kind == Kind::Folder && at.len() < MAX_DEPTH && folders.len() <= MAX_FOLDERS {
                folders.push(at.clone());
            }
            listing.found.push((at, kind));
        }
    }
    listing
}

/// Returns a path as text, with its components made safe to show.
fn joined(path: &[OsString]) -> String {
    let shown = |part: &OsString| UntrustedName::from(part.as_os_str()).to_string();
    path.iter().map(shown).collect::<Vec<_>>().join("/")
}

/// True if file managers or tools leave behind files or folders with this name.
fn is_litter(name: &OsStr) -> bool {
    name == ".DS_Store" || name == "__MACOSX" || name == "Thumbs.db" || name == "desktop.ini"
}

impl Listing {
    /// Returns the paths that are not needed if only `used` are, each shortened to the highest folder without
    /// a used path.
    pub(crate) fn left_out(&self, used: &[String]) -> Vec<String> {
        let holds_used = |path: &str| {
            used.iter()
                .any(|used| used.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
        };
        let mut names = Vec::new();
        for (path, kind) in &self.found {
            let Some((last, parent)) = path.split_last() else { continue };
            let name = joined(path);
            let told_above = !parent.is_empty() && !holds_used(&joined(parent));
            if told_above || used.contains(&name) || holds_used(&name) || is_litter(last) {
                continue;
            }
            let slash = if *kind == Kind::Folder { "/" } else { "" };
            names.push(format!("{name}{slash}"));
        }
        names
    }

    /// True if `src/` could not be listed completely.
    pub(crate) fn is_src_closed(&self) -> bool {
        self.closed.iter().any(|folder| folder.first().is_some_and(|first| first == SRC))
    }

    /// Returns the path of a file with the same name in another folder than `src/`, or in `src/` with other
    /// capitals.
    pub(crate) fn elsewhere(&self, file: &str) -> Option<String> {
        let wanted = file.rsplit('/').next().unwrap_or(file).to_lowercase();
        let has_name = |(path, kind): &&(Vec<OsString>, Kind)| {
            *kind == Kind::File
                && !path.iter().any(|part| part == "target" || is_litter(part))
                && path.last().is_some_and(|last| last.to_string_lossy().to_lowercase() == wanted)
        };
        let mut paths = self.found.iter().filter(has_name).map(|(path, _)| joined(path));
        paths.find(|path| path.strip_prefix("src/") != Some(file))
    }

    /// Returns the path of an archive in the submission, if there is one.
    pub(crate) fn archive(&self) -> Option<String> {
        let is_one = |(path, kind): &&(Vec<OsString>, Kind)| {
            *kind == Kind::File && path.last().is_some_and(|last| is_archive(last))
        };
        self.found.iter().find(is_one).map(|(path, _)| joined(path))
    }

    /// Returns the names of the entries at the top.
    pub(crate) fn top(&self) -> Vec<String> {
        self.left_out(&[])
    }
}
