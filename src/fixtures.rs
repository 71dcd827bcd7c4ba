//! What the grader is graded with: the solution of an assignment, and what stands beside it in
//! `fixtures/`.
//!
//! Invariant: read whole or not at all; a file that would change nothing, or a word that means
//! nothing, is an error.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::build::Source;
use crate::suite::{self, Borrowed, Suite};

/// What a mutant's folder says of it.
const EXPECT: &str = "expect.toml";

/// What the names of trained models end in.
const UPLOADS: &[&str] = &["safetensors"];

/// Something to be graded, of which it is known what should come of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixture {
    /// The folder's name; `solution` for the solution.
    pub name: String,
    /// What should come of it.
    pub role: Role,
    /// Its files.
    pub source: Source,
    /// Its files with answers.
    pub answers: Source,
    /// Its trained models. Nothing here measures them: audit asks what code computes, and calibration how
    /// it trains.
    pub uploads: Source,
}

/// What should come of a fixture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// The solution itself: it passes everything.
    Solution,
    /// Another way of being right: likewise.
    Alternative,
    /// The solution with one mistake.
    Mutant(Expect),
    /// Code that computes nothing: it passes nothing.
    Idle,
}

/// A mutant's `expect.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The mistake, as the bank has it; nothing where the bank knows none of its kind.
    pub mistake: Option<String>,
    /// A second mistake, where it makes two.
    pub also: Option<String>,
    /// The task in which it is made.
    pub task: String,
    /// The checks that fall on [seed 1](Expect::SEED); all others pass, or are blocked.
    pub fails: BTreeSet<String>,
    /// How it trains, where something is said of that.
    pub training: Option<Trains>,
}

impl Expect {
    /// The seed that is spoken of.
    pub const SEED: u64 = 1;
}

/// How a mutant trains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trains {
    /// It does not reach the highest band.
    Misses,
}

/// A fixture is not what it should be, or cannot be read.
#[derive(Debug, Error)]
pub enum FixtureError {
    /// A file or folder cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// What is expected of a mutant makes no sense.
    #[error("{}: {source}", path.display())]
    Expect {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: toml::de::Error,
    },
    /// A file takes the place of none.
    #[error("{}: the solution has no file of this name, so it changes nothing", path.display())]
    Stray {
        /// The file.
        path: PathBuf,
    },
}

/// A folder of `fixtures/`, which has a folder for each assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// Other ways of being right.
    Alternatives,
    /// Mistakes.
    Mutants,
    /// What computes nothing.
    Idle,
}

impl Shelf {
    fn as_str(self) -> &'static str {
        match self {
            Self::Alternatives => "alternatives",
            Self::Mutants => "mutants",
            Self::Idle => "idle",
        }
    }

    fn role(self, folder: &Path) -> Result<Role, FixtureError> {
        match self {
            Self::Alternatives => Ok(Role::Alternative),
            Self::Mutants => Ok(Role::Mutant(expectation(&folder.join(EXPECT))?)),
            Self::Idle => Ok(Role::Idle),
        }
    }
}

/// The solution of an assignment in the project at `home`.
///
/// # Errors
///
/// When it cannot be read.
pub fn solution(home: &Path, assignment: &str) -> Result<Fixture, FixtureError> {
    let folder = home.join("solutions").join(assignment);
    let source = files(&folder.join("src"), &["rs"])?;
    let answers = answers(&folder)?;
    let uploads = files(&folder, UPLOADS)?;
    Ok(Fixture { name: "solution".to_owned(), role: Role::Solution, source, answers, uploads })
}

/// What stands on a shelf for an assignment, by name: each is the solution with files in place of its
/// own.
///
/// # Errors
///
/// When one cannot be read, or is not what it should be.
pub fn shelf(home: &Path, shelf: Shelf, assignment: &str) -> Result<Vec<Fixture>, FixtureError> {
    let solution = solution(home, assignment)?;
    let mut found = Vec::new();
    for path in folders(home, shelf, assignment)? {
        let mut fixture =
            Fixture { name: name_of(&path), role: shelf.role(&path)?, ..solution.clone() };
        let changed = |into: &mut Source, files: Source| {
            for (name, text) in files {
                let path = path.join(&name);
                if into.insert(name, text).is_none() {
                    return Err(FixtureError::Stray { path });
                }
            }
            Ok(())
        };
        changed(&mut fixture.source, files(&path, &["rs"])?)?;
        changed(&mut fixture.answers, answers(&path)?)?;
        changed(&mut fixture.uploads, files(&path, UPLOADS)?)?;
        found.push(fixture);
    }
    if let Some(suite) = suite::find(assignment) {
        for borrowed in suite.borrows {
            found.extend(borrow(home, shelf, (suite, *borrowed), &solution)?);
        }
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(found)
}

/// The keys of an attack's `expect.toml` that are used here.
#[derive(Debug, Deserialize)]
struct Attack {
    outcome: String,
    assignment: Option<String>,
    base: Option<String>,
    #[serde(default)]
    slow: bool,
    proof: Option<toml::Table>,
}

/// The attacks on an assignment that are graded like any submission, by name. Those that reach out of their
/// process, or take minutes, are left out: they need a ground of their own.
///
/// # Errors
///
/// When one cannot be read.
pub fn attacks(home: &Path, assignment: &str) -> Result<Vec<Fixture>, FixtureError> {
    let solution = solution(home, assignment)?;
    let skeleton = home.join("assignments").join(assignment);
    let skeleton = Fixture {
        source: files(&skeleton.join("src"), &["rs"])?,
        answers: answers(&skeleton)?,
        ..solution.clone()
    };
    let mut found = Vec::new();
    for path in
        entries(&home.join("fixtures").join("attacks"))?.into_iter().filter(|it| it.is_dir())
    {
        let expect = path.join(EXPECT);
        let text = fs::read_to_string(&expect).map_err(|source| unread(&expect, source))?;
        let attack: Attack = toml::from_str(&text)
            .map_err(|source| FixtureError::Expect { path: expect.clone(), source })?;
        let of = attack.assignment.as_deref().unwrap_or("attention");
        let src = path.join("src");
        if of != assignment
            || attack.outcome != "graded"
            || attack.slow
            || attack.proof.is_some()
            || !src.is_dir()
        {
            continue;
        }
        let base = if attack.base.as_deref() == Some("solution") { &solution } else { &skeleton };
        let name = format!("attack {}", name_of(&path));
        let mut fixture = Fixture { name, role: Role::Idle, ..base.clone() };
        let mut changed = files(&src, &["rs"])?;
        // Every assignment provides it, and grading puts it back.
        changed.remove("lib.rs");
        fixture.source.extend(changed);
        found.push(fixture);
    }
    Ok(found)
}

/// What another assignment's shelf has for a task that it lends: with the file of the task alone.
fn borrow(
    home: &Path,
    shelf: Shelf,
    (suite, borrowed): (&Suite, Borrowed),
    solution: &Fixture,
) -> Result<Vec<Fixture>, FixtureError> {
    let asked: BTreeSet<String> =
        (suite.checks)().iter().map(|entry| entry.check.id.to_owned()).collect();
    let mut found = Vec::new();
    for path in folders(home, shelf, borrowed.from)? {
        let mut changed = files(&path, &["rs"])?;
        let (Some(text), true) = (changed.remove(borrowed.file), changed.is_empty()) else {
            continue;
        };
        // What names other files of its own assignment does not compile beside those of this one.
        if text.windows(b"crate::".len()).any(|at| at == b"crate::") {
            continue;
        }
        let mut role = shelf.role(&path)?;
        if let Role::Mutant(expect) = &mut role {
            if expect.task != borrowed.task {
                continue;
            }
            expect.fails.retain(|check| asked.contains(check));
        }
        let mut source = solution.source.clone();
        source.insert(borrowed.file.to_owned(), text);
        let name = format!("{}-of-{}", name_of(&path), borrowed.from);
        found.push(Fixture { name, role, source, ..solution.clone() });
    }
    Ok(found)
}

/// The folders on a shelf.
fn folders(home: &Path, shelf: Shelf, assignment: &str) -> Result<Vec<PathBuf>, FixtureError> {
    let folder = home.join("fixtures").join(shelf.as_str()).join(assignment);
    Ok(entries(&folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

fn expectation(path: &Path) -> Result<Expect, FixtureError> {
    let text = fs::read_to_string(path).map_err(|source| unread(path, source))?;
    toml::from_str(&text).map_err(|source| FixtureError::Expect { path: path.to_owned(), source })
}

/// The files with answers of a folder; others may lie beside them.
fn answers(folder: &Path) -> Result<Source, FixtureError> {
    let mut answers = files(folder, &["toml", "md"])?;
    answers.retain(|name, _| name.starts_with("answers."));
    Ok(answers)
}

/// The files of a folder with one of these at the end of their names.
fn files(folder: &Path, endings: &[&str]) -> Result<Source, FixtureError> {
    let is_one = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    let read = |path: PathBuf| match fs::read(&path) {
        Ok(text) => Ok((name_of(&path), text)),
        Err(source) => Err(unread(&path, source)),
    };
    entries(folder)?.into_iter().filter(is_one).map(read).collect()
}

/// What is in a folder, by name.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, FixtureError> {
    let listed = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = listed().map_err(|source| unread(folder, source))?;
    paths.sort();
    Ok(paths)
}

fn name_of(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned()
}

fn unread(path: &Path, source: io::Error) -> FixtureError {
    FixtureError::Read { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A project with a solution and one mutant.
    fn project(file: &str, expect: &str) -> tempfile::TempDir {
        let home = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = home.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("solutions/x/src/lib.rs", "right");
        write("solutions/x/src/other.rs", "right too");
        write(&format!("fixtures/mutants/x/odd/{file}"), "wrong");
        write("fixtures/mutants/x/odd/expect.toml", expect);
        write("solutions/x/best.safetensors", "tuned");
        write("fixtures/mutants/x/about.md", "no mutant");
        home
    }

    const EXPECTED: &str = "mistake = 'm'\ntask = 't'\nfails = ['t/one']\n";

    #[test]
    fn a_mutant_is_the_solution_with_files_in_place_of_its_own() {
        let home = project("lib.rs", EXPECTED);
        let found = shelf(home.path(), Shelf::Mutants, "x").unwrap();
        let [Fixture { name, role: Role::Mutant(expect), source, .. }] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!((name.as_str(), expect.mistake.as_deref()), ("odd", Some("m")));
        assert_eq!(expect.training, None);
        assert_eq!(source["lib.rs"], b"wrong");
        assert_eq!(source["other.rs"], b"right too");
    }

    #[test]
    fn a_mutant_may_have_another_model_in_place_of_the_solutions() {
        let home = project("best.safetensors", EXPECTED);
        let of = |fixture: &Fixture| fixture.uploads["best.safetensors"].clone();
        assert_eq!(of(&solution(home.path(), "x").unwrap()), b"tuned");
        let found = shelf(home.path(), Shelf::Mutants, "x").unwrap();
        assert_eq!(found.iter().map(of).collect::<Vec<_>>(), [b"wrong"]);
        let home = project("worst.safetensors", EXPECTED);
        let told = shelf(home.path(), Shelf::Mutants, "x").unwrap_err().to_string();
        assert!(told.contains("odd/worst.safetensors: the solution has no file"), "{told}");
    }

    #[test]
    fn what_changes_nothing_or_means_nothing_is_an_error() {
        let told = |file, expect: &str| {
            let home = project(file, expect);
            shelf(home.path(), Shelf::Mutants, "x").unwrap_err().to_string()
        };
        assert!(told("libb.rs", EXPECTED).ends_with(
            "odd/libb.rs: the solution has no file of this name, so it changes nothing"
        ));
        for line in ["training = 'mises'", "falls = []"] {
            let told = told("lib.rs", &format!("{EXPECTED}{line}"));
            assert!(told.contains("expect.toml: "), "{told}");
        }
        let home = tempfile::tempdir().unwrap();
        let told = shelf(home.path(), Shelf::Idle, "x").unwrap_err().to_string();
        assert!(told.starts_with("cannot read "), "{told}");
    }
}
