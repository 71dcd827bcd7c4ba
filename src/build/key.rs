//! Key of a pack: a digest of all its inputs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::error::BuildError;
use crate::build::sources::Sources;
use crate::digest::Digest;

/// Version of the way in which packs are built; raise it when that changes.
const FORMAT: u32 = 4;

/// Files and folders of a course that a pack is built from.
const OF_COURSE: &[&str] = &["Cargo.lock", "Cargo.toml", ASSIGNMENTS, CRATES, SOLUTIONS];

/// Files and folders of a checkout that a pack is built from. Versions of libraries are those of the course.
const OF_CHECKOUT: &[&str] = &["Cargo.toml", CRATES];

/// Crates that nothing in a pack uses, which `tests/it/tidy.rs` checks.
const EXCLUDED: [&str; 9] = [
    "softmark-checks",
    "softmark-data",
    "softmark-exam",
    "softmark-plot",
    "softmark-pretrain",
    "softmark-sandbox",
    "softmark-sources",
    "softmark-student",
    "softmark-untrusted",
];

/// Folder of the assignments, and the folder of each that packs contain.
const ASSIGNMENTS: &str = "assignments";
const SPEC: &str = "spec";

/// Folder of the solutions.
const SOLUTIONS: &str = "solutions";

/// Folder of the crates.
const CRATES: &str = "crates";

/// Folders of a crate or a solution that no pack contains: build folders, tests, examples and benchmarks, the exam,
/// pages, patches and code that computes nothing.
const NOT_COMPILED: [&str; 9] =
    ["benches", "exam", "examples", "idle", "mistakes", "mutants", "target", "tests", "variants"];

/// Computes the key of a pack that is built from these sources by this compiler with these flags. It does not depend on
/// where the sources are, so that copies of a course use one pack.
pub(crate) fn key(sources: &Sources, version: &str, flags: &[&str]) -> Result<String, BuildError> {
    let mut digest = Digest::default();
    digest.add(&FORMAT.to_le_bytes());
    digest.add(version.as_bytes());
    for flag in flags {
        digest.add(flag.as_bytes());
    }
    add(&sources.home, OF_COURSE, &mut digest)?;
    if let Some(checkout) = &sources.checkout {
        add(checkout, OF_CHECKOUT, &mut digest)?;
    }
    for config in &sources.configs {
        digest.add(&fs::read(config).map_err(|source| BuildError::io("read", config, source))?);
    }
    let mut text = digest.finish();
    text.truncate(32);
    Ok(text)
}

/// Adds the files below `root` that a pack is built from to the digest.
fn add(root: &Path, inputs: &[&str], digest: &mut Digest) -> Result<(), BuildError> {
    let mut files = Vec::new();
    for input in inputs {
        let path = root.join(input);
        // A course has no crates of its own.
        if *input != CRATES || path.is_dir() {
            list(root, &path, &mut files)?;
        }
    }
    files.sort();
    for file in files {
        let name = file.strip_prefix(root).unwrap_or(&file);
        digest.add(name.as_os_str().as_encoded_bytes());
        digest.add(&fs::read(&file).map_err(|source| BuildError::io("read", &file, source))?);
    }
    Ok(())
}

/// True if a pack is built from the file or folder `path` of the project at `home`. Files beside the folders of
/// crates and solutions are not part of a pack; of an assignment only its specification is.
fn is_compiled(home: &Path, path: &Path) -> bool {
    let mut parts = path.strip_prefix(home).unwrap_or(path).iter();
    let top = parts.next();
    if top == Some(ASSIGNMENTS.as_ref()) {
        let (id, part) = (parts.next(), parts.next());
        return id.is_none() || part.map_or(path.is_dir(), |part| part == SPEC);
    }
    if ![CRATES, SOLUTIONS].into_iter().any(|folder| top == Some(folder.as_ref())) {
        return true;
    }
    match (parts.next(), parts.next()) {
        (None, _) => true,
        (Some(package), None) => path.is_dir() && !EXCLUDED.iter().any(|it| package == *it),
        (Some(_), Some(part)) => !NOT_COMPILED.iter().any(|it| part == *it),
    }
}

/// Adds all files at or below `path` that a pack is built from, except for hidden ones.
fn list(home: &Path, path: &Path, files: &mut Vec<PathBuf>) -> Result<(), BuildError> {
    let failed = |source| BuildError::io("read", path, source);
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (name, path) = (entry.file_name(), entry.path());
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        if !is_hidden && is_compiled(home, &path) {
            list(home, &path, files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes a file below the folder `home`.
    fn write_in(home: &Path, name: &str, text: &str) {
        let path = home.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes a course of a few files in a new folder.
    fn course() -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("Cargo.lock", "lock"),
            ("Cargo.toml", "toml"),
            (".cargo/config.toml", "config"),
            ("crates/kit/src/lib.rs", "a"),
            ("solutions/x/src/lib.rs", "b"),
            ("assignments/x/spec/src/lib.rs", "c"),
        ] {
            write_in(home.path(), name, text);
        }
        home
    }

    fn sources(home: &Path, checkout: Option<&Path>) -> Sources {
        let configs = vec![home.join(".cargo/config.toml")];
        Sources { home: home.to_owned(), checkout: checkout.map(Path::to_owned), configs }
    }

    #[test]
    fn equal_courses_in_different_folders_share_a_key() {
        let [first, second, checkout, other] = [course(), course(), course(), course()];
        let of = |home: &Path, checkout| key(&sources(home, checkout), "1", &[]).unwrap();
        assert_eq!(of(first.path(), None), of(second.path(), None));
        let elsewhere = of(first.path(), Some(checkout.path()));
        assert_eq!(elsewhere, of(second.path(), Some(other.path())));
        assert_ne!(elsewhere, of(first.path(), None));
        write_in(second.path(), ".cargo/config.toml", "[profile.pack]");
        assert_ne!(of(first.path(), None), of(second.path(), None));
        write_in(other.path(), "crates/kit/src/lib.rs", "d");
        assert_ne!(elsewhere, of(first.path(), Some(other.path())));
    }

    #[test]
    fn every_input_counts() {
        let home = course();
        let write = |name: &str, text: &str| write_in(home.path(), name, text);
        let sources = sources(home.path(), None);
        let key = |version, flags: &[&str]| key(&sources, version, flags).unwrap();
        let first = key("1", &[]);
        assert_eq!(first.len(), 32);
        write("crates/kit/target/debug/x", "built");
        write("crates/.hidden", "hidden");
        write("crates/softmark-data/src/lib.rs", "not part of a pack");
        write("crates/softmark-sandbox/src/lib.rs", "not part of a pack");
        write("crates/softmark-pretrain/src/main.rs", "not part of a pack");
        write("crates/softmark-checks/src/lib.rs", "not part of a pack");
        write("crates/softmark-untrusted/src/lib.rs", "not part of a pack");
        write("crates/kit/tests/a.rs", "tests");
        write("solutions/x/tests/public.rs", "tests");
        write("solutions/README.md", "for authors");
        write("assignments/README.md", "for students");
        write("assignments/x/README.md", "the handout");
        write("assignments/x/src/lib.rs", "the skeleton");
        write("assignments/x/checks/src/lib.rs", "public checks");
        write("solutions/x/exam/src/lib.rs", "hidden checks");
        write("crates/softmark-exam/src/lib.rs", "not part of a pack");
        write("solutions/x/mistakes/m/page.md", "a page");
        write("solutions/x/mistakes/m/m.patch", "a mutant");
        write("solutions/x/mutants/n.patch", "a mutant");
        write("solutions/x/variants/v.patch", "a variant");
        write("solutions/x/idle/ones/lib.rs", "computes nothing");
        assert_eq!(key("1", &[]), first);
        assert_ne!(key("2", &[]), first);
        assert_ne!(key("1", &["-C", "x"]), first);
        write("crates/kit/src/more.rs", "");
        let second = key("1", &[]);
        assert_ne!(second, first);
        write("solutions/x/src/mistakes/mod.rs", "");
        let third = key("1", &[]);
        assert_ne!(third, second);
        write("crates/kit/src/target/mod.rs", "");
        let fourth = key("1", &[]);
        assert_ne!(fourth, third);
        write("assignments/x/spec/src/checks/mod.rs", "");
        assert_ne!(key("1", &[]), fourth);
    }
}
