//! The pack: compiled dependencies that submissions link against, built once and used by every
//! grader.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::build::cargo::{self, Library};
use crate::build::error::BuildError;
use crate::build::key;
use crate::build::sources::Sources;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;
use crate::digest;

/// Number of packs that are always kept; older packs are deleted unless they are in use.
const KEPT: usize = 3;

/// Names of files and folders in the cache.
const CARGO: &str = "cargo";
const PACKS: &str = "packs";
const LOCK: &str = "lock";
const INDEX: &str = "pack.json";
const STUDENT: &str = "student";
const TRUSTED: &str = "trusted";

/// Crates that a student's code may name, besides [`KIT`].
pub(crate) const STUDENT_EXTERNS: [&str; 2] = ["candle_core", "candle_nn"];

/// Name that a student's code has for the kit with the traits of the assignment, whose library each
/// [`ProgramSpec`](softmark_exam::ProgramSpec) names.
pub(crate) const KIT: &str = "softmark_kit";

/// Compiled dependencies that submissions link against, and the toolchain that built them.
#[derive(Debug)]
pub struct Pack {
    pub(crate) tools: Tools,
    pub(crate) toolchain: Toolchain,
    pub(crate) dir: PathBuf,
    pub(crate) index: Index,
    /// The toolchain's own linker, if it has one.
    pub(crate) linker: Option<PathBuf>,
    /// Machine paths and their replacements.
    pub(crate) prefixes: Vec<(PathBuf, &'static str)>,
    /// First damaged file, once [`Pack::is_fit`] has looked for one.
    pub(crate) damaged: OnceLock<Option<PathBuf>>,
    /// Lock held while the pack is in use, so that no other grader deletes it.
    _in_use: File,
}

/// Index of a pack: its libraries and files.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Index {
    /// Key of the inputs that the pack was built from.
    pub(crate) key: String,
    /// Description of the compiler, for people.
    rustc: String,
    /// Libraries that student code may see, directly or indirectly: crate name → file.
    student: BTreeMap<String, String>,
    /// All other libraries: crate name → file.
    trusted: BTreeMap<String, String>,
    /// Files of the pack: path in the pack → content.
    files: BTreeMap<PathBuf, Content>,
}

/// Size and digest of a file of a pack when it was stored.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    bytes: u64,
    sha256: String,
}

impl Index {
    /// True if every file exists and has its size; a full disk or an incomplete copy is noticed
    /// before use.
    fn is_whole(&self, dir: &Path) -> bool {
        let mut files = self.files.iter();
        files.all(|(file, content)| {
            let metadata = fs::metadata(dir.join(file));
            metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() == content.bytes)
        })
    }

    /// Returns the first file whose digest differs from the stored one, or that cannot be read.
    pub(crate) fn damaged(&self, dir: &Path) -> Option<PathBuf> {
        let mut files = self.files.iter().map(|(file, content)| (dir.join(file), content));
        let damaged = files.find(|(file, content)| {
            digest::of_file(file).map_or(true, |found| found != content.sha256)
        });
        damaged.map(|(file, _)| file)
    }
}

impl Pack {
    /// Opens the pack for the project at `home` in `cache`. Builds it first if there is none, which
    /// takes minutes; `progress` receives messages about that.
    ///
    /// Any number of graders may call this at once: one builds, the others wait for it.
    ///
    /// # Errors
    ///
    /// Fails if there is no toolchain, the project does not compile, or the cache cannot be
    /// written.
    pub fn prepare(
        tools: &Tools,
        home: &Path,
        cache: &Path,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Self, BuildError> {
        fs::create_dir_all(cache.join(PACKS)).map_err(|e| BuildError::io("make", cache, e))?;
        let full = |path: &Path| {
            path.canonicalize().map_err(|source| BuildError::io("find", path, source))
        };
        let (home, cache) = (full(home)?, full(cache)?);
        let toolchain = Toolchain::find(tools, &home)?;
        let sources = Sources::find(tools, &toolchain, &home)?;
        let key = key::key(&sources, &toolchain.version, &cargo::flags())?;
        let dir = Self::dir(&cache, &key);
        let (index, in_use) = if let Some(found) = open(&dir, &key) {
            found
        } else {
            let lock = cache.join(LOCK);
            let lock_file = File::create(&lock).map_err(|e| BuildError::io("make", &lock, e))?;
            if lock_file.try_lock().is_err() {
                progress("another grader is building the libraries; waiting for it");
                lock_file.lock().map_err(|source| BuildError::io("lock", &lock, source))?;
            }
            let found = if let Some(found) = open(&dir, &key) {
                found
            } else {
                progress("building the libraries that submissions use, once; this takes minutes");
                let built = cargo::build(tools, &toolchain, &sources, &cache.join(CARGO))?;
                store(&built, &dir, &key, &toolchain.version)?;
                progress("the libraries are built");
                open(&dir, &key).ok_or(BuildError::Library { name: INDEX.to_owned() })?
            };
            // Deleting old packs may fail: the next run tries again.
            discard(&cache.join(PACKS)).ok();
            found
        };
        let mut prefixes = cargo::prefixes(tools, &toolchain, &sources);
        prefixes.push((dir.clone(), "pack"));
        let (tools, linker) = (tools.clone(), toolchain.linker());
        let damaged = OnceLock::new();
        Ok(Self { tools, toolchain, linker, dir, index, prefixes, damaged, _in_use: in_use })
    }

    /// Returns the folder of the pack with this key.
    pub(crate) fn dir(cache: &Path, key: &str) -> PathBuf {
        cache.join(PACKS).join(key)
    }

    /// True if the pack in `dir` is complete and has this key.
    pub(crate) fn is_whole(dir: &Path, key: &str) -> bool {
        open(dir, key).is_some()
    }

    /// Returns the key of the pack, in hexadecimal.
    pub fn key(&self) -> &str {
        &self.index.key
    }

    /// Returns the first line of `rustc -vV`.
    pub fn compiler(&self) -> &str {
        self.toolchain.version.lines().next().unwrap_or_default()
    }

    /// Returns the folder of the libraries that student code may see.
    pub(crate) fn student_dir(&self) -> PathBuf {
        self.dir.join(STUDENT)
    }

    /// Returns the folder of all other libraries.
    pub(crate) fn trusted_dir(&self) -> PathBuf {
        self.dir.join(TRUSTED)
    }

    /// Returns the file of a library.
    pub(crate) fn library(&self, name: &str) -> Result<PathBuf, BuildError> {
        let student = self.index.student.get(name).map(|file| self.student_dir().join(file));
        student
            .or_else(|| self.index.trusted.get(name).map(|file| self.trusted_dir().join(file)))
            .ok_or_else(|| BuildError::Library { name: name.to_owned() })
    }
}

/// Opens and locks a complete pack; returns `None` if there is none.
fn open(dir: &Path, key: &str) -> Option<(Index, File)> {
    let path = dir.join(INDEX);
    let file = File::open(&path).ok()?;
    file.try_lock_shared().ok()?;
    let index: Index = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
    let whole = index.key == key && index.is_whole(dir);
    whole.then_some((index, file))
}

/// Copies the libraries that cargo built into a pack; the folder gets its final name when it is
/// complete.
fn store(built: &[Library], dir: &Path, key: &str, version: &str) -> Result<(), BuildError> {
    let new = dir.with_extension("new");
    for old in [&new, &dir.to_owned()] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(|source| BuildError::io("remove", old, source))?;
        }
    }
    let mut index = Index {
        key: key.to_owned(),
        rustc: version.to_owned(),
        student: BTreeMap::new(),
        trusted: BTreeMap::new(),
        files: BTreeMap::new(),
    };
    for folder in [STUDENT, TRUSTED] {
        let folder = new.join(folder);
        fs::create_dir_all(&folder).map_err(|e| BuildError::io("make", &folder, e))?;
    }
    for library in built {
        let Some(file) = library.file.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let (folder, files) = if library.trusted {
            (TRUSTED, &mut index.trusted)
        } else {
            (STUDENT, &mut index.student)
        };
        let to = new.join(folder).join(file);
        let bytes = fs::read(&library.file)
            .map_err(|source| BuildError::io("read", &library.file, source))?;
        fs::write(&to, &bytes).map_err(|e| BuildError::io("write", &to, e))?;
        let content = Content { bytes: bytes.len() as u64, sha256: digest::of(&[&bytes]) };
        index.files.insert(Path::new(folder).join(file), content);
        files.insert(library.name.clone(), file.to_owned());
    }
    let text = serde_json::to_string_pretty(&index)
        .map_err(|error| BuildError::io("write", &new, error.into()))?;
    let path = new.join(INDEX);
    fs::write(&path, text).map_err(|source| BuildError::io("write", &path, source))?;
    fs::rename(&new, dir).map_err(|source| BuildError::io("rename", &new, source))
}

/// Deletes the oldest packs that are not in use, beyond the [`KEPT`] newest.
fn discard(packs: &Path) -> io::Result<()> {
    let mut found = Vec::new();
    for entry in fs::read_dir(packs)? {
        let entry = entry?;
        found.push((entry.metadata()?.modified()?, entry.path()));
    }
    found.sort();
    found.reverse();
    for (_, path) in found.into_iter().skip(KEPT) {
        let unused = File::open(path.join(INDEX)).is_ok_and(|index| index.try_lock().is_ok());
        if unused {
            fs::remove_dir_all(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn library(dir: &Path, name: &str, trusted: bool) -> Library {
        let file = dir.join(format!("lib{name}.rlib"));
        fs::write(&file, name).unwrap();
        Library { name: name.to_owned(), file, trusted }
    }

    #[test]
    fn a_pack_keeps_apart_what_students_may_see() {
        let dir = tempfile::tempdir().unwrap();
        let built = [library(dir.path(), "kit", false), library(dir.path(), "worker", true)];
        let pack = dir.path().join("abc");
        store(&built, &pack, "abc", "rustc 1").unwrap();
        let (index, _in_use) = open(&pack, "abc").unwrap();
        assert_eq!(index.student["kit"], "libkit.rlib");
        assert_eq!(index.trusted["worker"], "libworker.rlib");
        assert!(!pack.join(STUDENT).join("libworker.rlib").exists());
        assert!(open(&pack, "abd").is_none());
        assert_eq!(index.damaged(&pack), None);
        let kit = pack.join(STUDENT).join("libkit.rlib");
        // The content has the same length, so only the digest can tell.
        fs::write(&kit, "kip").unwrap();
        assert!(open(&pack, "abc").is_some());
        assert_eq!(index.damaged(&pack), Some(kit.clone()));
        fs::write(&kit, "ki").unwrap();
        assert!(open(&pack, "abc").is_none());
        fs::remove_file(&kit).unwrap();
        assert!(open(&pack, "abc").is_none());
    }

    #[test]
    fn a_pack_in_use_is_not_discarded() {
        let dir = tempfile::tempdir().unwrap();
        let packs = dir.path().join(PACKS);
        fs::create_dir(&packs).unwrap();
        let built = [library(dir.path(), "kit", false)];
        let names = ["a", "b", "c", "d", "e", "f"];
        for name in names {
            store(&built, &packs.join(name), name, "rustc 1").unwrap();
        }
        let used: Vec<_> =
            ["a", "c"].iter().map(|name| open(&packs.join(name), name).unwrap()).collect();
        discard(&packs).unwrap();
        let left = names.iter().filter(|name| packs.join(name).exists()).count();
        assert!(packs.join("a").exists() && packs.join("c").exists());
        assert!((KEPT..=KEPT + 2).contains(&left), "{left}");
        drop(used);
        discard(&packs).unwrap();
        assert_eq!(names.iter().filter(|name| packs.join(name).exists()).count(), KEPT);
    }
}
