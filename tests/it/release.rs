//! `grade release`: what students get builds without the course, and shows nothing that they must not see.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use softmark::course::{CivilTime, Moment, Reading, WallClock};
use softmark::release::{ReleaseError, Releaser};
use softmark_checks::recognition;

use crate::support::cargo::{cargo, rustc};
use crate::support::exams::CATALOG;
use crate::support::exams::suites;
use crate::support::grade::{Desk, HOME, Ran};
use crate::support::pack::tools;

/// Returns the paths of all files below a folder, relative to it.
fn noon_of(day: &str) -> Moment {
    let noon = CivilTime::parse(&format!("{day}T12:00:00Z")).unwrap();
    noon.moment(&WallClock::UTC, Reading::Later)
}

fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    found
}

/// The parts of a release are there, nothing secret is, and cargo can read it without the course and without a network.
#[test]
fn every_assignment_can_be_released() {
    let desk = Desk::new();
    let sysroot = Ran::of(&rustc("--print sysroot", Path::new(HOME)).output().unwrap()).stdout;
    let sysroot = sysroot.trim_end();
    for suite in suites() {
        let ran = desk.grade(&format!("release {} --out out --zip", suite.id)).exit(0);
        assert!(ran.stdout.contains(&format!("released   {}: ", suite.id)), "{ran}");
        assert!(
            ran.stdout.contains(&format!("handout    out/{}/site/index.html\n", suite.id)),
            "{ran}"
        );
        let folder = desk.path("out").join(suite.id);
        let page = fs::read_to_string(folder.join("site/index.html")).unwrap();
        assert!(
            page.contains(&format!("cargo doc -p {}-spec --no-deps --open", suite.id)),
            "{}",
            suite.id
        );
        let readme = fs::read_to_string(folder.join("README.md")).unwrap();
        assert!(!readme.contains("```math"), "{}: a formula is left", suite.id);
        let found = files(&folder);
        for file in [
            ".github/workflows/checks.yml",
            ".gitignore",
            ".vscode/settings.json",
            "Cargo.lock",
            "Cargo.toml",
            "README.md",
            "assignment.toml",
            "hints.toml",
            "rust-toolchain.toml",
            "site/index.html",
            "spec/src/lib.rs",
            "checks/src/lib.rs",
            "src/lib.rs",
            "tests/public.rs",
            "crates/softmark-kit/src/lib.rs",
        ] {
            assert!(found.contains(Path::new(file)), "{}: {file} is missing", suite.id);
        }
        let secret = ["exam", "solution", "variants", "softmark-sandbox"];
        let is_secret =
            |path: &&PathBuf| path.iter().any(|it| secret.iter().any(|name| it == *name));
        assert_eq!(found.iter().find(is_secret), None, "{}", suite.id);
        // Of a mistake there is its page, and its responses to diagnostic cases are in one file.
        let mut pages: BTreeSet<PathBuf> = (suite.mistakes)()
            .iter()
            .map(|mistake| Path::new("mistakes").join(format!("{}.md", mistake.id)))
            .collect();
        pages.insert(recognition::FILE.into());
        let is_of_mistake = |path: &&PathBuf| path.iter().any(|it| it == "mistakes");
        let released: BTreeSet<PathBuf> = found.iter().filter(is_of_mistake).cloned().collect();
        assert_eq!(released, pages, "{}", suite.id);
        for file in &found {
            let text = fs::read(folder.join(file)).unwrap();
            let text = String::from_utf8_lossy(&text);
            assert!(!text.contains(HOME), "{}: {} has a path", suite.id, file.display());
        }
        let mut tree = cargo("tree --offline --locked", &folder);
        // Otherwise rustup would fetch the toolchain that the release names.
        tree.env("RUSTUP_TOOLCHAIN", sysroot);
        let read = Ran::of(&tree.output().unwrap());
        // Another test may run cargo at the same time.
        let told = read.stderr.lines().find(|line| !line.contains("waiting for file lock"));
        assert_eq!((read.code, told), (0, None), "{read}");
        assert!(desk.path("out").join(format!("{}.zip", suite.id)).is_file());
    }
    // A second release does not mix with the first.
    let again = desk.grade("release modern --out out").exit(64);
    assert!(again.stderr.contains("out/modern is not empty"), "{again}");
}

/// The archive depends on the files alone.
#[test]
fn an_archive_has_the_same_bytes_each_time() {
    let desk = Desk::new();
    let archive = |out: &str| {
        desk.grade(&format!("release modern --zip --out {out}")).exit(0);
        fs::read(desk.path(out).join("modern.zip")).unwrap()
    };
    assert!(archive("one") == archive("two"));
}

/// A course in a folder of its own, with one assignment, whose files can be changed.
struct Course {
    desk: Desk,
}

impl Course {
    fn new() -> Self {
        let desk = Desk::new();
        desk.grade("new course lab --title Laboratory").exit(0);
        Self { desk }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.desk.path("lab").join(path)
    }

    fn append(&self, path: &str, more: &str) {
        let path = self.path(path);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, format!("{text}\n{more}\n")).unwrap();
    }

    fn release(&self) -> Result<PathBuf, ReleaseError> {
        let out = tempfile::tempdir().unwrap();
        let tools = tools();
        let releaser = Releaser::new(&self.path(""), &tools, CATALOG, noon_of("2026-11-26"))?;
        let released = releaser.release("residual", out.path());
        let folder = out.path().join("residual");
        assert_eq!(
            folder.exists(),
            released.is_ok(),
            "nothing is written of what cannot be released"
        );
        released.map(|it| it.folder)
    }
}

#[test]
fn what_students_must_not_see_is_not_released() {
    let course = Course::new();
    course.release().unwrap();
    let line = {
        let text = fs::read_to_string(course.path("solutions/residual/src/residual.rs")).unwrap();
        let skeleton =
            fs::read_to_string(course.path("assignments/residual/src/residual.rs")).unwrap();
        let is_secret = |line: &&str| {
            !skeleton.contains(*line) && !line.starts_with("//") && line.replace(' ', "").len() > 40
        };
        text.lines().map(str::trim).find(is_secret).unwrap().to_owned()
    };
    for (file, text) in [
        ("README.md", line.as_str()),
        ("checks/src/lib.rs", &format!("// {line}\n{line}")),
        ("README.md", "The check `scaled-residual/matches-reference` is hidden."),
    ] {
        let path = format!("assignments/residual/{file}");
        let before = fs::read_to_string(course.path(&path)).unwrap();
        course.append(&path, text);
        let Err(ReleaseError::Leaks { leaks, .. }) = course.release() else {
            panic!("{text} was released in {file}")
        };
        assert_eq!(leaks.len(), 1, "{leaks:?}");
        assert_eq!(leaks[0].file, Path::new(file));
        fs::write(course.path(&path), before).unwrap();
    }
    course.append(
        "assignments/residual/README.md",
        "`scaled-residual/matches-reference-not`, of/scaled-residual/gradients",
    );
    course.release().unwrap();
    // A dependency brings the grader's side along.
    course.append("assignments/residual/checks/Cargo.toml", "");
    let manifest = course.path("assignments/residual/checks/Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let changed =
        text.replace("[dependencies]\n", "[dependencies]\nsoftmark-exam.workspace = true\n");
    assert_ne!(changed, text);
    fs::write(manifest, changed).unwrap();
    let refused = course.release().unwrap_err().to_string();
    assert!(
        refused.contains("depends on `softmark-exam`, which students must not see"),
        "{refused}"
    );
}

/// A handout that cannot be rendered is not released; the message says where the fault is.
#[test]
fn a_handout_that_cannot_be_rendered_is_not_released() {
    let course = Course::new();
    course.append(
        "assignments/residual/README.md",
        "\nA formula that nobody knows: $\\residual{x}$.",
    );
    let lines =
        fs::read_to_string(course.path("assignments/residual/README.md")).unwrap().lines().count();
    let refused = course.release().unwrap_err().to_string();
    assert_eq!(
        refused,
        format!(
            "the handout of `residual` cannot be rendered: README.md:{lines}: unknown command `\\residual` in a formula"
        )
    );
}

/// `residual` may not be solved by the handout of another assignment before it is over.
#[test]
fn an_assignment_that_is_not_over_is_not_solved_by_another() {
    let course = Course::new();
    let solution = fs::read_to_string(course.path("solutions/residual/src/residual.rs")).unwrap();
    let lines: Vec<String> =
        (0..12).map(|n| format!("let line_{n} = \"of the solution, and long enough\";")).collect();
    let lines = lines.join("\n");
    fs::write(
        course.path("solutions/residual/src/residual.rs"),
        format!("{solution}\nfn more() {{\n{lines}\n}}\n"),
    )
    .unwrap();
    let out = tempfile::tempdir().unwrap();
    let add = course
        .desk
        .command()
        .args(["new", "assignment", "other"])
        .env("SOFTMARK_HOME", course.path(""))
        .output();
    assert!(add.unwrap().status.success());
    course.append("assignments/other/README.md", &lines);
    let tools = tools();
    let released = |today: &str, folder: &str| {
        let releaser = Releaser::new(&course.path(""), &tools, CATALOG, noon_of(today))?;
        releaser.release("other", &out.path().join(folder)).map(|it| it.solves)
    };
    assert_eq!(released("2026-11-26", "a").unwrap(), [("residual".to_owned(), 12)]);
    course.append("softmark.toml", "[assignments.residual]\ndue = 2026-11-26");
    let refused = released("2026-11-26", "b").unwrap_err().to_string();
    assert!(
        refused.ends_with(
            "12 lines of the solution of `residual`, which students hand in through 2026-11-26"
        ),
        "{refused}"
    );
    assert_eq!(released("2026-11-27", "c").unwrap(), []);
    let extension = "[[extensions]]\nstudent = 'amara'\nassignment = 'residual'\ndays = 3";
    course.append("softmark.toml", extension);
    let refused = released("2026-11-27", "d").unwrap_err().to_string();
    assert!(refused.ends_with("which students hand in through 2026-11-29"), "{refused}");
    assert_eq!(released("2026-11-30", "d").unwrap(), []);
    course.append("softmark.toml", "[assignments.residul]");
    assert!(matches!(released("2026-11-30", "e"), Err(ReleaseError::UnknownAssignment(_))));
}

/// The release of each assignment builds alone; its skeleton is not written, and the solution in it passes.
#[test]
fn a_release_does_what_it_should() {
    let ids: &[&str] = if std::env::var_os("SOFTMARK_TEST_LONG").is_some() {
        &["attention", "encoder", "debugging", "prefix-tuning", "modern"]
    } else {
        &["modern"]
    };
    let desk = Desk::new();
    let ran = desk.grade(&format!("release {} --out out --check", ids.join(" "))).exit(0);
    assert_eq!(ran.stdout.matches("tested     builds offline").count(), ids.len(), "{ran}");
}
