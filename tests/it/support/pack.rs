//! Submissions that become programs.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use softmark::build::{Pack, ProgramSpec, Source, StudentCrates, Tools};
use softmark_sandbox::{Level, Sandbox, best_level};

/// The project.
pub(crate) const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// The built program.
pub(crate) fn grade() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_grade"))
}

/// The sandbox by way of `grade`, and the environment that builds need.
pub(crate) fn tools_at(level: Level) -> Tools {
    Tools { sandbox: Sandbox::new(grade(), level), env: std::env::vars_os().collect() }
}

/// The same, with submissions as isolated as this machine can.
pub(crate) fn tools() -> Tools {
    static BEST: OnceLock<Level> = OnceLock::new();
    tools_at(*BEST.get_or_init(|| best_level(&grade()).0))
}

/// The folder of the libraries, which is not the one of whoever runs the tests.
pub(crate) fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("softmark-pack")
}

/// The pack of this project, built once for all tests.
pub(crate) fn pack() -> &'static Pack {
    static PACK: OnceLock<Pack> = OnceLock::new();
    PACK.get_or_init(|| Pack::prepare(&tools(), Path::new(HOME), &cache(), &mut |_| ()).unwrap())
}

/// The files below `src/` of a folder of this project.
pub(crate) fn files(dir: &str) -> Source {
    let dir = Path::new(HOME).join(dir).join("src");
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect()
}

/// The files with answers of a folder of this project.
pub(crate) fn answers(dir: &str) -> Source {
    let read = |name: &&str| {
        let text = fs::read(Path::new(HOME).join(dir).join(name)).ok()?;
        Some(((*name).to_owned(), text))
    };
    ["answers.toml", "answers.md"].iter().filter_map(read).collect()
}

/// A program to link with a submission of the `attention` assignment.
pub(crate) fn program(name: &str, main: &str, libraries: &[&str]) -> ProgramSpec {
    ProgramSpec {
        name: name.to_owned(),
        main: main.to_owned(),
        libraries: libraries.iter().map(|&name| name.to_owned()).collect(),
        crates: StudentCrates { kit: "attention_spec".to_owned(), ..StudentCrates::default() },
    }
}
