//! The declared contents of an archive, as a tree of names.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::intake::archive::limits::Limits;
use crate::intake::archive::offence::{EntryName, Offence};
use crate::intake::archive::path::{EntryPath, is_litter, owner};
use crate::intake::open::Kind;

/// Location of an entry's bytes; only the reader of its format can interpret it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BytesAt(pub(crate) u64);

/// A file, a folder, or a rejected entry.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// Size that the archive declares.
    pub(crate) size: u64,
    pub(crate) place: BytesAt,
    /// Children by name.
    pub(crate) inside: BTreeMap<String, Self>,
    /// Lowercase names of the children, with their original spelling.
    folded: BTreeMap<String, String>,
}

impl Node {
    fn new(kind: Kind, size: u64, place: BytesAt) -> Self {
        Self { kind, size, place, inside: BTreeMap::new(), folded: BTreeMap::new() }
    }

    /// Returns the node at `path`, if there is one.
    pub(crate) fn at(&self, path: &Path) -> Option<&Self> {
        path.components().try_fold(self, |node, part| match part {
            Component::Normal(name) => node.inside.get(name.to_str()?),
            Component::CurDir => Some(node),
            Component::Prefix(_) | Component::RootDir | Component::ParentDir => None,
        })
    }
}

/// Declared contents of an archive, and their errors.
#[derive(Debug)]
pub(crate) struct Index<'a> {
    limits: &'a Limits,
    pub(crate) root: Node,
    nodes: usize,
    total: u64,
    /// Errors in the order of the archive, each with the path that tells which submission it belongs to.
    pub(crate) offences: Vec<(PathBuf, Offence)>,
}

impl<'a> Index<'a> {
    /// Creates an empty index.
    pub(crate) fn new(limits: &'a Limits) -> Self {
        let root = Node::new(Kind::Folder, 0, BytesAt(0));
        Self { limits, root, nodes: 0, total: 0, offences: Vec::new() }
    }

    /// Records an error of the entry called `name`.
    pub(crate) fn offend(&mut self, name: &[u8], offence: Offence) {
        self.offences.push((owner(name), offence));
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// Fails if the archive as a whole is invalid; an error of the entry alone is recorded instead.
    pub(crate) fn add(
        &mut self,
        name: &[u8],
        kind: Kind,
        size: u64,
        place: BytesAt,
    ) -> Result<(), Offence> {
        self.total = self.total.saturating_add(size);
        if self.total > self.limits.total_bytes {
            return Err(Offence::Total { limit: self.limits.total_bytes });
        }
        let path = match EntryPath::new(name, self.limits) {
            Ok(path) => path,
            Err(offence) => {
                self.offend(name, offence);
                return self.count(1);
            }
        };
        let kind = match kind {
            Kind::File if path.is_folder && size == 0 => Kind::Folder,
            Kind::Folder | Kind::Link | Kind::File | Kind::Special | Kind::Nothing => kind,
        };
        let is_litter = path.parts.iter().any(|part| is_litter(part));
        let text = || EntryName::from(path.parts.join("/").into_bytes());
        let wrong = match kind {
            Kind::Link if !is_litter => Some(Offence::Link(text())),
            Kind::Special if !is_litter => Some(Offence::Special(text())),
            Kind::File if path.is_folder => Some(Offence::FileAndFolder(text())),
            Kind::Folder if size > 0 => Some(Offence::FileAndFolder(text())),
            Kind::Folder | Kind::Link | Kind::File | Kind::Special | Kind::Nothing => None,
        };
        if let Some(wrong) = wrong {
            self.offend(name, wrong);
        }
        self.insert(name, &path, Node::new(kind, size, place))
    }

    /// Counts an entry, with the folders that it brings. One that brings nothing counts as well:
    /// what is wrong with it is kept.
    fn count(&mut self, nodes: usize) -> Result<(), Offence> {
        self.nodes += nodes.max(1);
        if self.nodes > self.limits.entries {
            return Err(Offence::Entries { limit: self.limits.entries });
        }
        Ok(())
    }

    fn insert(&mut self, name: &[u8], path: &EntryPath<'_>, new: Node) -> Result<(), Offence> {
        let Some((last, folders)) = path.parts.split_last() else { return self.count(1) };
        let whole = || EntryName::from(path.parts.join("/").into_bytes());
        let mut descent = Descent::default();
        let mut node = &mut self.root;
        for part in folders {
            descent.enter(node, part);
            node = node
                .inside
                .entry((*part).to_owned())
                .or_insert_with(|| Node::new(Kind::Folder, 0, BytesAt(0)));
            if node.kind != Kind::Folder {
                self.offend(name, Offence::FileAndFolder(whole()));
                return self.count(descent.made);
            }
        }
        descent.enter(node, last);
        let mut wrong = descent.clash;
        match node.inside.get(*last).map(|old| old.kind) {
            None => {
                node.inside.insert((*last).to_owned(), new);
            }
            // A folder holds nothing of its own that could be one thing or another.
            Some(Kind::Folder) if new.kind == Kind::Folder => {}
            Some(old) if (old == Kind::Folder) != (new.kind == Kind::Folder) => {
                wrong = Some(Offence::FileAndFolder(whole()));
            }
            Some(_) => wrong = Some(Offence::Duplicate(whole())),
        }
        if let Some(wrong) = wrong {
            self.offend(name, wrong);
        }
        self.count(descent.made)
    }
}

/// Way from the root of an index to an entry.
#[derive(Debug, Default)]
struct Descent {
    /// Path of the folder that was reached, with a slash at its end.
    folder: String,
    /// True if that folder is litter, or lies in litter.
    in_litter: bool,
    /// Number of new nodes on the way.
    made: usize,
    /// First clash of a new name with one that differs in capitals only.
    clash: Option<Offence>,
}

impl Descent {
    /// Goes from the folder `parent` to the entry `part` of it.
    fn enter(&mut self, parent: &mut Node, part: &str) {
        if !parent.inside.contains_key(part) {
            self.made += 1;
            let other = parent.folded.insert(fold(part), part.to_owned());
            let both = |other: &str| is_litter(other) && is_litter(part);
            if let Some(other) = other.filter(|other| !self.in_litter && !both(other)) {
                let within =
                    |name: &str| EntryName::from(format!("{}{name}", self.folder).as_str());
                let (one, other) = (within(&other), within(part));
                self.clash.get_or_insert(Offence::Clash { one, other });
            }
        }
        // What lies in litter is litter; the folders above it may hold something else.
        self.in_litter |= is_litter(part);
        self.folder.push_str(part);
        self.folder.push('/');
    }
}

/// A name as it is where capitals make no difference.
///
/// Forms of one letter that Unicode holds to be the same are not looked for: what is taken has
/// plain ASCII names, and the only other letter that is one of those (the sign for kelvin) is
/// folded here.
fn fold(name: &str) -> String {
    // Upper first: the long s has a capital that it is not the small letter of.
    name.to_uppercase().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offences(entries: &[(&str, Kind)]) -> Vec<Offence> {
        let mut index = Index::new(&Limits::SUBMISSION);
        for (name, kind) in entries {
            index.add(name.as_bytes(), *kind, 0, BytesAt(0)).unwrap();
        }
        index.offences.into_iter().map(|(_, offence)| offence).collect()
    }

    #[test]
    fn a_name_is_there_once() {
        let text = |text: &str| EntryName::from(text);
        let (file, folder) = (Kind::File, Kind::Folder);
        assert_eq!(offences(&[("a/b", file), ("a/", folder), ("a", folder), ("a/c", file)]), []);
        assert_eq!(offences(&[("a", file), ("./a", file)]), [Offence::Duplicate(text("a"))]);
        assert_eq!(offences(&[("a", file), ("a/b", file)]), [Offence::FileAndFolder(text("a/b"))]);
        assert_eq!(offences(&[("a/b", file), ("a", file)]), [Offence::FileAndFolder(text("a"))]);
        for (one, other) in [("a/b", "a/B"), ("s", "ſ"), ("k", "\u{212a}"), ("é", "É")] {
            let clash = Offence::Clash { one: text(one), other: text(other) };
            assert_eq!(offences(&[(one, file), (other, file)]), [clash]);
        }
        let clash = Offence::Clash { one: text("src"), other: text("SRC") };
        assert_eq!(offences(&[("src/a", file), ("SRC/b", file)]), [clash]);
    }

    #[test]
    fn litter_may_hold_links() {
        assert_eq!(
            offences(&[("a", Kind::Link), ("b", Kind::Special)]),
            [Offence::Link("a".into()), Offence::Special("b".into())]
        );
        for name in ["target/debug/a", ".venv/bin/python", "x/__MACOSX/y"] {
            assert_eq!(offences(&[(name, Kind::Link)]), [], "{name}");
        }
        assert_eq!(offences(&[("target/a", Kind::File), ("target/A", Kind::File)]), []);
        assert_eq!(offences(&[(".a/x", Kind::File), (".A/x", Kind::File)]), []);
    }

    #[test]
    fn folders_around_litter_are_none() {
        let clash =
            |one: &str, other: &str| [Offence::Clash { one: one.into(), other: other.into() }];
        let names = ["src/a", "SRC/target/x", "SRC/b"].map(|name| (name, Kind::File));
        assert_eq!(offences(&names), clash("src", "SRC"));
        let (one, other) = (("target/a", Kind::File), ("Target/b", Kind::File));
        assert_eq!(offences(&[one, other]), clash("target", "Target"));
        assert_eq!(offences(&[other, one]), clash("Target", "target"));
    }

    #[test]
    fn what_brings_nothing_but_an_offence_is_counted() {
        let limits = Limits { entries: 6, ..Limits::SUBMISSION };
        for name in ["a", "a/b", "./", "/a"] {
            let mut index = Index::new(&limits);
            index.add(b"a", Kind::File, 0, BytesAt(0)).unwrap();
            for _ in 0..5 {
                index.add(name.as_bytes(), Kind::File, 0, BytesAt(0)).unwrap();
            }
            let more = index.add(name.as_bytes(), Kind::File, 0, BytesAt(0));
            assert_eq!(more, Err(Offence::Entries { limit: 6 }), "{name}");
        }
    }

    /// A header of a tar archive has room for a name of a megabyte, and one archive for many.
    #[test]
    fn little_is_kept_of_a_long_name() {
        let long = "a".repeat(1 << 20);
        for name in [long.clone(), format!("/{long}"), format!("\u{1b}{long}"), "é/".repeat(999)] {
            let mut index = Index::new(&Limits::SUBMISSION);
            index.add(name.as_bytes(), Kind::File, 0, BytesAt(0)).unwrap();
            let [(owner, offence)] = &index.offences[..] else { panic!("{:?}", index.offences) };
            assert!(owner.as_os_str().len() <= Limits::BULK.path_bytes);
            assert!(format!("{offence:?}").len() <= 2 * Limits::BULK.path_bytes);
        }
    }

    #[test]
    fn folders_that_only_stand_in_names_are_counted() {
        let limits = Limits { entries: 6, ..Limits::SUBMISSION };
        let mut index = Index::new(&limits);
        for name in ["a/b/c", "a/b/d", "e/f"] {
            index.add(name.as_bytes(), Kind::File, 0, BytesAt(0)).unwrap();
        }
        let more = index.add(b"g", Kind::File, 0, BytesAt(0));
        assert_eq!(more, Err(Offence::Entries { limit: 6 }));
    }
}
