//! The pack: compiled dependencies that submissions link against, built once and used by every
//! grader.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::build::artifacts::Library;
use crate::build::cache::{self, CARGO, INDEX, LOCK, NEW, PACKS};
use crate::build::cargo;
use crate::build::error::BuildError;
use crate::build::origin::Origin;
use crate::build::progress::PackProgress;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;
use crate::digest;

/// Names of folders in a pack.
const STUDENT: &str = "student";
const TRUSTED: &str = "trusted";

/// Crate that a student's code may name, besides those of
/// [`StudentCrates`](softmark_exam::StudentCrates).
pub(crate) const CANDLE_CORE: &str = "candle_core";

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
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Index {
    /// Key of the inputs that the pack was built from.
    pub(crate) key: String,
    /// Description of the compiler, for people.
    rustc: String,
    /// Folder of the course in which the pack was built; another copy of the course may use it.
    built_in: PathBuf,
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
    /// takes minutes; `progress` is told about that.
    ///
    /// Any number of graders may call this at once: one builds, the others wait for it.
    ///
    /// # Errors
    ///
    /// Fails if there is no toolchain, the project does not compile, or the cache cannot be
    /// written, or could be written by others.
    pub fn prepare(
        tools: &Tools,
        home: &Path,
        cache: &Path,
        progress: &mut dyn FnMut(PackProgress),
    ) -> Result<Self, BuildError> {
        let cache = cache::open(cache)?;
        let origin = Origin::find(tools, home)?;
        if origin.is_packaged {
            return Self::open_built(tools, &cache, origin);
        }
        let (index, in_use) = match open(&Self::dir(&cache, &origin.key), &origin.key) {
            Some(found) => found,
            None => Maker { tools, origin: &origin, cache: &cache }.make(progress)?,
        };
        cache::mark_used(&in_use);
        Ok(Self::new(tools, &cache, origin, (index, in_use)))
    }

    /// Opens the pack with the key `key` for the project at `home` in `cache`, which another process has built, and verifies the
    /// digests of its files.
    ///
    /// # Errors
    ///
    /// Fails if sources or compiler differ from those that it was built from, or it is not whole.
    pub fn open(tools: &Tools, home: &Path, cache: &Path, key: &str) -> Result<Self, BuildError> {
        let cache = cache::open(cache)?;
        let origin = Origin::find(tools, home)?;
        if origin.key != key {
            return Err(BuildError::OtherPack { compiler: origin.toolchain.release().to_owned() });
        }
        Self::open_built(tools, &cache, origin)
    }

    /// Opens a pack that is not built here, and verifies the digests of its files.
    fn open_built(tools: &Tools, cache: &Path, origin: Origin) -> Result<Self, BuildError> {
        let dir = Self::dir(cache, &origin.key);
        let absent = || BuildError::NoPack { folder: dir.clone() };
        let (index, in_use) = open(&dir, &origin.key).ok_or_else(absent)?;
        // The key of a packaged course was not computed here, so it does not tell whether this is the compiler.
        if index.rustc != origin.toolchain.version {
            return Err(BuildError::OtherPack { compiler: origin.toolchain.release().to_owned() });
        }
        if let Some(file) = index.damaged(&dir) {
            return Err(BuildError::Damaged { file, pack: dir });
        }
        Ok(Self::new(tools, cache, origin, (index, in_use)))
    }

    fn new(tools: &Tools, cache: &Path, origin: Origin, (index, in_use): (Index, File)) -> Self {
        let dir = Self::dir(cache, &origin.key);
        let mut prefixes = origin.prefixes(tools, &index.built_in);
        prefixes.push((dir.clone(), "pack"));
        let (tools, toolchain) = (tools.clone(), origin.toolchain);
        let linker = toolchain.linker();
        let damaged = OnceLock::new();
        Self { tools, toolchain, linker, dir, index, prefixes, damaged, _in_use: in_use }
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
        self.toolchain.release()
    }

    /// Returns the files of the pack that the compiler loads into itself.
    pub(crate) fn shared_objects(&self) -> Vec<PathBuf> {
        let files = self.index.files.keys().filter(|file| file.extension() == Some("so".as_ref()));
        files.map(|file| self.dir.join(file)).collect()
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

/// Maker of a pack that is not in the cache.
struct Maker<'a> {
    tools: &'a Tools,
    origin: &'a Origin,
    cache: &'a Path,
}

impl Maker<'_> {
    /// Makes the pack, or waits until another grader has made it.
    fn make(&self, progress: &mut dyn FnMut(PackProgress)) -> Result<(Index, File), BuildError> {
        let Origin { toolchain, sources, key, .. } = self.origin;
        let dir = Pack::dir(self.cache, key);
        let path = self.cache.join(LOCK);
        let lock = File::create(&path).map_err(|source| BuildError::io("make", &path, source))?;
        if lock.try_lock().is_err() {
            progress(PackProgress::Waiting);
            lock.lock().map_err(|source| BuildError::io("lock", &path, source))?;
        }
        if let Some(found) = open(&dir, key) {
            return Ok(found);
        }
        let target = self.cache.join(CARGO);
        cache::make_private(&target).map_err(|e| BuildError::io("make", &target, e))?;
        let built = cargo::build(self.tools, toolchain, sources, &target, progress)?;
        let index = Index {
            key: key.clone(),
            rustc: toolchain.version.clone(),
            built_in: sources.home.clone(),
            ..Index::default()
        };
        store(&built, &dir, index)?;
        let found = open(&dir, key).ok_or(BuildError::Library { name: INDEX.to_owned() })?;
        progress(PackProgress::Built);
        // Deleting what is old may fail: the next build tries again.
        cache::clean(self.cache).ok();
        Ok(found)
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

/// Copies the libraries that cargo built into a pack and lists them in its `index`; the folder gets its
/// final name when it is complete.
fn store(built: &[Library], dir: &Path, mut index: Index) -> Result<(), BuildError> {
    let new = dir.with_extension(NEW);
    for old in [&new, &dir.to_owned()] {
        if old.exists() {
            fs::remove_dir_all(old).map_err(|source| BuildError::io("remove", old, source))?;
        }
    }
    for folder in [STUDENT, TRUSTED] {
        let folder = new.join(folder);
        cache::make_private(&folder).map_err(|e| BuildError::io("make", &folder, e))?;
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn library(dir: &Path, name: &str, trusted: bool) -> Library {
        let file = dir.join(format!("lib{name}.rlib"));
        fs::write(&file, name).unwrap();
        Library { name: name.to_owned(), file, trusted }
    }

    fn index(key: &str) -> Index {
        Index { key: key.to_owned(), ..Index::default() }
    }

    #[test]
    fn a_pack_keeps_apart_what_students_may_see() {
        let dir = tempfile::tempdir().unwrap();
        let built = [library(dir.path(), "kit", false), library(dir.path(), "worker", true)];
        let pack = dir.path().join("abc");
        store(&built, &pack, index("abc")).unwrap();
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
    fn packs_in_use_and_the_newest_ones_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let packs = cache::open(dir.path()).unwrap().join(PACKS);
        let built = [library(dir.path(), "kit", false)];
        let first = fs::metadata(&packs).unwrap();
        let names: Vec<String> = (0..12).map(|number| format!("p{number:02}")).collect();
        for (name, used) in names.iter().zip(0..) {
            store(&built, &packs.join(name), index(name)).unwrap();
            let file = File::open(packs.join(name).join(INDEX)).unwrap();
            let two_months_ago = first.modified().unwrap() - Duration::from_hours(60 * 24);
            file.set_modified(two_months_ago + Duration::from_secs(used)).unwrap();
        }
        fs::create_dir(packs.join("p99.new")).unwrap();
        let left = || {
            let left = names.iter().filter(|name| packs.join(name).exists());
            left.map(String::as_str).collect::<Vec<_>>().join(" ")
        };
        let newest = "p04 p05 p06 p07 p08 p09 p10 p11";
        let used = ["p00", "p02"].map(|name| open(&packs.join(name), name).unwrap());
        cache::clean(dir.path()).unwrap();
        assert_eq!(left(), format!("p00 p02 {newest}"));
        assert!(!packs.join("p99.new").exists(), "nobody completes it");
        drop(used);
        cache::clean(dir.path()).unwrap();
        assert_eq!(left(), newest);
        // Two months later, one of them is used again.
        let (_, file) = open(&packs.join("p05"), "p05").unwrap();
        cache::mark_used(&file);
        drop(file);
        cache::clean(dir.path()).unwrap();
        assert_eq!(left(), "p05");
    }
}
