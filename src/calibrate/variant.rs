//! What is trained: the solution, and what stands beside it in `fixtures/`.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::Deserialize;

use crate::build::Source;

/// What should become of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The solution itself: every band is reached.
    Solution,
    /// Another way of being right: likewise.
    Alternative,
    /// A mistake that shows in training: the highest band is missed.
    Mutant,
    /// A mistake of which nothing is said: it may miss a band or not.
    Unmarked,
}

impl Kind {
    /// As it stands in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Alternative => "alternative",
            Self::Mutant => "mutant",
            Self::Unmarked => "unmarked",
        }
    }
}

/// Something to train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The folder's name.
    pub name: String,
    /// What should become of it.
    pub kind: Kind,
    /// Its files.
    pub source: Source,
}

/// The part of an `expect.toml` that says how a mutant trains; the rest is for other tests.
#[derive(Debug, Deserialize)]
struct Expect {
    /// `misses` where the mistake shows in training.
    training: Option<String>,
}

/// Every variant of an assignment in the project at `home`: the solution, all alternatives, those
/// mutants whose `expect.toml` says `training = "misses"`, and with `unmarked` the other mutants too.
///
/// # Errors
///
/// When a folder or a file cannot be read.
pub fn variants(home: &Path, assignment: &str, unmarked: bool) -> io::Result<Vec<Variant>> {
    let solution = sources(&home.join("solutions").join(assignment).join("src"))?;
    let mut all = vec![Variant {
        name: "solution".to_owned(),
        kind: Kind::Solution,
        source: solution.clone(),
    }];
    for (folder, kind) in [("alternatives", Kind::Alternative), ("mutants", Kind::Mutant)] {
        let folder = home.join("fixtures").join(folder).join(assignment);
        let mut names = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.path().is_dir() {
                names.push(entry.path());
            }
        }
        names.sort();
        for path in names {
            let kind = if kind == Kind::Mutant && !shows(&path)? { Kind::Unmarked } else { kind };
            if kind == Kind::Unmarked && !unmarked {
                continue;
            }
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            let mut source = solution.clone();
            source.extend(sources(&path)?);
            all.push(Variant { name: name.to_owned(), kind, source });
        }
    }
    Ok(all)
}

fn shows(mutant: &Path) -> io::Result<bool> {
    let path = mutant.join("expect.toml");
    let text = fs::read_to_string(&path)?;
    let expect: Expect = toml::from_str(&text).map_err(|error| {
        io::Error::new(io::ErrorKind::InvalidData, format!("{}: {error}", path.display()))
    })?;
    Ok(expect.training.as_deref() == Some("misses"))
}

/// The Rust files of a folder.
fn sources(folder: &Path) -> io::Result<Source> {
    let mut source = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "rs") {
            source.insert(name, fs::read(&path)?);
        }
    }
    Ok(source)
}
