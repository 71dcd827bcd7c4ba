//! Reads an archive's list of entries, and the files that were requested.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::intake::archive::fault::Fault;
use crate::intake::archive::format::{self, Format};
use crate::intake::archive::index::{BytesAt, Index, Node};
use crate::intake::archive::limits::Limits;
use crate::intake::archive::offence::Offence;
use crate::intake::archive::source::{Source, Window};
use crate::intake::archive::tar::{self, Packing};
use crate::intake::archive::zip;
use crate::intake::open::{Content, Kind};

/// Data by which the bytes of an entry are found.
#[derive(Debug)]
enum Data {
    Zip(Vec<zip::Entry>),
    Tar(Packing),
}

/// An archive whose list has been read.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) root: Node,
    /// Errors of single entries, with the paths that tell which submission they belong to.
    pub(crate) offences: Vec<(PathBuf, Offence)>,
    data: Data,
}

impl Archive {
    /// Reads the list of the archive in `source`.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are no archive, the archive is damaged as a whole, or a limit is exceeded. Errors
    /// of single entries are recorded in the result.
    pub(crate) fn open<S: Source + ?Sized>(source: &S, limits: &Limits) -> Result<Self, Fault> {
        let bytes = source.len()?;
        let mut head = Vec::new();
        io::Read::read_to_end(&mut Window::new(source, 0, bytes.min(format::HEAD)), &mut head)?;
        let format = format::of(&head)?;
        if bytes > limits.archive_bytes {
            return Err(Offence::Large { bytes, limit: limits.archive_bytes }.into());
        }
        let mut index = Index::new(limits);
        let mut tar = |packing| -> Result<Data, Fault> {
            tar::scan(source, packing, limits, &mut index)?;
            Ok(Data::Tar(packing))
        };
        let data = match format {
            Format::Tar => tar(Packing::None)?,
            Format::TarGz => tar(Packing::Gzip)?,
            Format::Zip => Data::Zip(zip::scan(source, limits, &mut index)?),
        };
        Ok(Self { root: index.root, offences: index.offences, data })
    }

    /// Returns the contents of `files`, each of at most so many bytes; paths that are no files are left out.
    ///
    /// # Errors
    ///
    /// Fails if the archive is damaged, or cannot be read.
    pub(crate) fn contents<S: Source + ?Sized>(
        &self,
        source: &S,
        files: &[(PathBuf, u64)],
    ) -> Result<BTreeMap<PathBuf, Content>, Fault> {
        let mut found = BTreeMap::new();
        let mut wanted: Vec<(&PathBuf, &Node)> = Vec::new();
        for (path, limit) in files {
            match self.root.at(path) {
                Some(node) if node.kind == Kind::File && node.size > *limit => {
                    found.insert(path.clone(), Content::TooLong);
                }
                Some(node) if node.kind == Kind::File => wanted.push((path, node)),
                Some(_) | None => {}
            }
        }
        match &self.data {
            Data::Zip(entries) => {
                for (path, node) in wanted {
                    let BytesAt(number) = node.place;
                    let entry = usize::try_from(number).ok().and_then(|at| entries.get(at));
                    let entry = entry.ok_or(Offence::Broken("its list has changed"))?;
                    found.insert(path.clone(), zip::content(source, entry, node.size)?);
                }
            }
            Data::Tar(packing) => {
                wanted.sort_by_key(|(_, node)| node.place);
                let nodes: Vec<&Node> = wanted.iter().map(|(_, node)| *node).collect();
                let contents = tar::contents(source, *packing, &nodes)?;
                for ((path, _), bytes) in wanted.into_iter().zip(contents) {
                    found.insert(path.clone(), Content::Bytes(bytes));
                }
            }
        }
        Ok(found)
    }

    /// Returns the first error of an entry below `path`.
    pub(crate) fn offence_below(&self, path: &Path) -> Option<&Offence> {
        let below = |(owner, _): &&(PathBuf, Offence)| owner.starts_with(path);
        self.offences.iter().find(below).map(|(_, offence)| offence)
    }

    /// Returns the first error of any entry.
    pub(crate) fn first_offence(&self) -> Option<&Offence> {
        self.offences.first().map(|(_, offence)| offence)
    }
}

/// Contents of an archive: all names, and the files that were requested.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// Paths of all entries that are no folders, in order.
    pub names: Vec<PathBuf>,
    /// Requested files that exist and are not too long.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Reads an archive from memory: a student's, as a whole, with all that is checked.
///
/// No file, no clock and no process is touched, and no more memory is used than `limits` and
/// `most_bytes` for each file in `wanted` allow: this is what a fuzzer calls.
///
/// ```
/// use std::path::PathBuf;
///
/// use softmark::intake::archive::{Limits, Offence, read_bytes};
///
/// let wanted = [PathBuf::from("src/lib.rs")];
/// let read = |bytes: &[u8]| read_bytes(bytes, &Limits::SUBMISSION, &wanted, 1 << 18);
///
/// assert!(read(b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0").unwrap().names.is_empty());
/// assert_eq!(read(b"Rar!\x1a\x07\x01\0"), Err(Offence::Format("RAR")));
/// ```
///
/// # Errors
///
/// Fails if the archive is rejected.
pub fn read_bytes(
    bytes: &[u8],
    limits: &Limits,
    wanted: &[PathBuf],
    most_bytes: u64,
) -> Result<Contents, Offence> {
    match read_all(bytes, limits, wanted, most_bytes) {
        Ok(contents) => Ok(contents),
        Err(Fault::Offence(offence)) => Err(offence),
        // Memory can always be read.
        Err(Fault::Io(_)) => Err(Offence::Broken("it cannot be read")),
    }
}

fn read_all(
    bytes: &[u8],
    limits: &Limits,
    wanted: &[PathBuf],
    most_bytes: u64,
) -> Result<Contents, Fault> {
    let archive = Archive::open(bytes, limits)?;
    if let Some(offence) = archive.first_offence() {
        return Err(offence.clone().into());
    }
    let files: Vec<(PathBuf, u64)> = wanted.iter().map(|path| (path.clone(), most_bytes)).collect();
    let mut contents = Contents::default();
    names(&archive.root, Path::new(""), &mut contents.names);
    for (path, content) in archive.contents(bytes, &files)? {
        if let Content::Bytes(bytes) = content {
            contents.files.insert(path, bytes);
        }
    }
    Ok(contents)
}

/// Adds the paths below `node` that are no folders; the limits bound the recursion.
fn names(node: &Node, at: &Path, found: &mut Vec<PathBuf>) {
    for (name, inside) in &node.inside {
        let at = at.join(name);
        if inside.kind == Kind::Folder {
            names(inside, &at, found);
        } else {
            found.push(at);
        }
    }
}
