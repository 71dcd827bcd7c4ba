//! `grade release`: the folder of an assignment that students get.
//!
//! It is a workspace of its own: the assignment with its specification and public checks, and the crates that these are built
//! from, as sources (`packages`, `tree`). Manifests take over nothing from the course (`manifest`), and versions are those of
//! the course's `Cargo.lock`. Sources of features that the specification does not turn on are left out (`features`). Nothing
//! is written if a file shows a hidden check or a line of the solution (`leaks`). The handout is rendered (`handout`), with
//! its formulas (`math`).

mod check;
mod error;
mod extras;
mod features;
mod handout;
mod leak;
mod leaks;
mod manifest;
mod math;
mod packages;
mod pages;
mod student_toml;
mod tree;
mod zip;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use softmark_sandbox::{CompletedProcess, ExitReason};
use toml::{Table, Value};

use crate::assignment::{self, Assignment};
use crate::build::{BuildError, Source, Toolchain, Tools};
use crate::course::{Course, Day, Moment};
use crate::fixtures;
use crate::suite::Catalog;
pub use check::Tally;
pub use error::ReleaseError;
pub use handout::{Handout, HandoutError};
pub use leak::Leak;
use manifest::Manifests;
use packages::Package;
use tree::Tree;

/// Name of the file with the versions of all packages.
const LOCK: &str = "Cargo.lock";

/// Name of a package's manifest.
const MANIFEST: &str = "Cargo.toml";

/// Arguments of cargo that describe all packages.
const METADATA: [&str; 4] = ["metadata", "--offline", "--format-version=1", "--quiet"];

/// Returns the argument of cargo by which it reads packages for this machine alone: those for others may not have been
/// downloaded.
fn platform(toolchain: &Toolchain) -> String {
    format!("--filter-platform={}", toolchain.host().unwrap_or_default())
}

/// Course and tools for releasing assignments.
#[derive(Debug)]
pub struct Releaser<'a> {
    /// Folder of the course.
    home: PathBuf,
    tools: &'a Tools,
    toolchain: Toolchain,
    /// Output of `cargo metadata` in the course.
    metadata: Vec<u8>,
    course: Course,
    today: Day,
    catalog: Catalog,
}

/// Assignment that has been released.
#[derive(Debug)]
pub struct Released {
    /// Folder of the assignment.
    pub folder: PathBuf,
    /// Page of the handout.
    pub page: PathBuf,
    /// Number of files.
    pub files: usize,
    /// Size of all files, in bytes.
    pub bytes: u64,
    /// Ids of other assignments without a due date whose solutions the release shows lines of, with the number of lines.
    pub solves: Vec<(String, usize)>,
}

impl<'a> Releaser<'a> {
    /// Reads the packages of the course at `home`, and its dates, which are compared with `now`; `catalog`
    /// has the pages about mistakes.
    ///
    /// # Errors
    ///
    /// Fails if there is no toolchain, or the course cannot be read.
    pub fn new(
        home: &Path,
        tools: &'a Tools,
        catalog: Catalog,
        now: Moment,
    ) -> Result<Self, ReleaseError> {
        let home = home.canonicalize().map_err(|e| ReleaseError::io("find", home, e))?;
        let course = Course::read(&home)?;
        let today = course.day(now);
        let known = assignment::list(&home)?;
        if let Some(unknown) = course.assignments.keys().find(|id| !known.contains(id)) {
            return Err(ReleaseError::UnknownAssignment(unknown.clone()));
        }
        let toolchain = Toolchain::find(tools, &home)?;
        let platform = platform(&toolchain);
        let args: Vec<&str> = METADATA.into_iter().chain([platform.as_str()]).collect();
        let metadata = tools.run(&toolchain.cargo, &args, &home)?;
        Ok(Self { home, tools, toolchain, metadata, course, today, catalog })
    }

    /// Writes the archive of a released folder beside it.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn archive(folder: &Path) -> Result<PathBuf, ReleaseError> {
        zip::write(folder)
    }

    /// Writes the assignment `id` into the folder `out/ID`, which must be empty or missing.
    ///
    /// # Errors
    ///
    /// Fails if the assignment cannot be read or written, if its files show what students must not see, or if they show
    /// lines of the solution of an assignment that is not over; then nothing is written.
    pub fn release(&self, id: &str, out: &Path) -> Result<Released, ReleaseError> {
        let assignment = assignment::load(&self.home, id)?;
        let tree = self.tree(&assignment)?;
        let solves = self.search(&assignment, &tree)?;
        let folder = out.join(id);
        if fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_some()) {
            return Err(ReleaseError::NotEmpty(folder));
        }
        tree::write(&tree, &folder)?;
        let bytes = tree.values().map(|content| content.len() as u64).sum();
        let page = folder.join(handout::PAGE);
        Ok(Released { folder, page, files: tree.len(), bytes, solves })
    }

    /// Returns all files of the release.
    fn tree(&self, assignment: &Assignment) -> Result<Tree, ReleaseError> {
        let folder = self.home.join("assignments").join(&assignment.id);
        let packages = packages::packages(&self.metadata, &self.home, &folder)?;
        let mut tree = Tree::new();
        let uploads: Vec<PathBuf> =
            assignment.uploads.iter().map(|upload| folder.join(&upload.file)).collect();
        let nested: Vec<PathBuf> = packages.iter().skip(1).map(|it| it.folder.clone()).collect();
        let skipped = [uploads, nested].concat();
        let mut manifests = BTreeMap::new();
        for package in &packages {
            let manifest = Manifests { packages: &packages }.of(package)?;
            manifests.insert(package.name.clone(), manifest);
        }
        let features = features::on(&manifests);
        for package in &packages {
            tree::add(&mut tree, (&package.folder, &package.place), &skipped)?;
            let on = features.get(&package.name).cloned().unwrap_or_default();
            features::prune(&mut tree, package, &on);
            let Some(mut manifest) = manifests.remove(&package.name) else { continue };
            features::leave(&mut manifest, &on);
            let text = text_of(package, &manifest, &packages);
            tree.insert(package.place.join(MANIFEST), text.into_bytes());
        }
        for data in &assignment.data {
            tree::add_all(&mut tree, &self.home.join(&data.from), Path::new(&data.to))?;
        }
        let path = folder.join("assignment.toml");
        let whole = fs::read_to_string(&path).map_err(|e| ReleaseError::io("read", &path, e))?;
        let text = student_toml::text(&whole)
            .map_err(|error| ReleaseError::Manifest { path, reason: error.to_string() })?;
        tree.insert("assignment.toml".into(), text.into_bytes());
        tree.extend(pages::files(self.catalog, &assignment.id));
        tree.extend(extras::files(&self.home, &self.toolchain.version));
        render(&mut tree, assignment, &packages)?;
        self.resolve(&mut tree)?;
        Ok(tree)
    }

    /// Fails if files of a release show what students must not see. Returns the other assignments whose solutions they show
    /// lines of.
    fn search(
        &self,
        assignment: &Assignment,
        tree: &Tree,
    ) -> Result<Vec<(String, usize)>, ReleaseError> {
        let id = &assignment.id;
        let mut solutions = self.solutions()?;
        let mut leaks = leaks::hidden_checks(tree, assignment);
        if let Some((solution, skeleton)) = solutions.remove(id) {
            leaks.extend(leaks::solution_lines(tree, &solution, &skeleton));
        }
        if !leaks.is_empty() {
            return Err(ReleaseError::Leaks { id: id.clone(), leaks });
        }
        let mut solves = Vec::new();
        for (other, leaks) in leaks::other_solutions(tree, &solutions) {
            let due = self.course.last_day_with_extensions(other);
            if let Some(due) = due.clone().filter(|due| *due >= self.today) {
                let (id, lines) = (id.clone(), leaks.len());
                return Err(ReleaseError::SolvesAnother {
                    id,
                    other: other.to_owned(),
                    lines,
                    due,
                });
            }
            if due.is_none() {
                solves.push((other.to_owned(), leaks.len()));
            }
        }
        Ok(solves)
    }

    /// Returns the solutions of all assignments, each with its skeleton.
    fn solutions(&self) -> Result<BTreeMap<String, (Source, Source)>, ReleaseError> {
        let mut solutions = BTreeMap::new();
        for id in assignment::list(&self.home)? {
            let assignment = assignment::load(&self.home, &id)?;
            let solution = fixtures::solution(&self.home, &id)?;
            let mut skeleton = assignment.skeleton;
            skeleton.extend(assignment.provided);
            solutions.insert(id, (solution.source, skeleton));
        }
        Ok(solutions)
    }

    /// Runs cargo in a released folder, whose toolchain file has no effect: the toolchain is the grader's.
    fn cargo(
        &self,
        args: &[&str],
        folder: &Path,
        more_env: &[(&str, OsString)],
    ) -> Result<CompletedProcess, ReleaseError> {
        let sysroot = self.toolchain.sysroot.clone().into();
        let env = [("RUSTUP_TOOLCHAIN", sysroot), ("CARGO_TERM_COLOR", "never".into())];
        let env: Vec<_> = env.iter().chain(more_env).cloned().collect();
        let args = args.iter().map(OsString::from).collect();
        Ok(self.tools.start(&self.toolchain.cargo, args, folder, &env)?)
    }

    /// Adds a `Cargo.lock` to the files of a release: the versions of the course's, without packages that are not needed. Adds
    /// profiles to the manifest, without those of packages that the release does not have, about which cargo would warn.
    fn resolve(&self, tree: &mut Tree) -> Result<(), ReleaseError> {
        let folder = tempfile::tempdir().map_err(|e| ReleaseError::io("make", &self.home, e))?;
        tree::write(tree, folder.path())?;
        let (from, to) = (self.home.join(LOCK), folder.path().join(LOCK));
        fs::copy(&from, &to).map_err(|e| ReleaseError::io("copy", &from, e))?;
        let platform = platform(&self.toolchain);
        let args: Vec<&str> = METADATA.into_iter().chain([platform.as_str()]).collect();
        let finished = self.cargo(&args, folder.path(), &[])?;
        if finished.exit != ExitReason::Exited(0) {
            let output = String::from_utf8_lossy(&finished.log).into_owned();
            let tool = self.toolchain.cargo.clone();
            return Err(BuildError::Tool { tool, ending: finished.exit, output }.into());
        }
        let lock = manifest::read(&to)?;
        let course = manifest::read(&self.home.join(MANIFEST))?;
        let profiles = extras::profiles(&course, &extras::locked(&lock));
        if let Some(manifest) = tree.get_mut(Path::new(MANIFEST)) {
            manifest.extend(format!("\n{profiles}").into_bytes());
        }
        let lock = fs::read(&to).map_err(|e| ReleaseError::io("read", &to, e))?;
        tree.insert(LOCK.into(), lock);
        Ok(())
    }
}

/// Replaces the handout by what students get: a `README.md` with formulas in Unicode, and a page.
fn render(
    tree: &mut Tree,
    assignment: &Assignment,
    packages: &[Package],
) -> Result<(), ReleaseError> {
    let specification = packages.iter().find(|package| package.place == Path::new("spec"));
    let specification = specification.map(|package| package.name.as_str());
    let handout = Handout::render(tree, specification)
        .map_err(|error| ReleaseError::Handout { id: assignment.id.clone(), error })?;
    tree.insert(handout::README.into(), handout.readme.into_bytes());
    tree.insert(handout::PAGE.into(), handout.page.into_bytes());
    Ok(())
}

/// Returns the text of a package's manifest; that of the student's own makes the release a workspace.
fn text_of(package: &Package, manifest: &Table, packages: &[Package]) -> String {
    if !package.place.as_os_str().is_empty() {
        return manifest::text(manifest);
    }
    let members = packages.iter().skip(1).map(|it| it.place.to_string_lossy().into_owned());
    let members: Vec<Value> = members.map(Value::String).collect();
    let workspace = Table::from_iter([
        ("members".to_owned(), Value::Array(members)),
        ("resolver".to_owned(), Value::String("3".to_owned())),
    ]);
    let workspace = Table::from_iter([("workspace".to_owned(), Value::Table(workspace))]);
    let (own, text) = (extras::OWN, manifest::text(manifest));
    format!("{own}\n{text}\n{}\n{workspace}", extras::COME_WITH)
}
