//! Builds the libraries of a pack with cargo.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use softmark_sandbox::{CompletedProcess, ExitReason};

use crate::build::artifacts::{self, Library};
use crate::build::error::BuildError;
use crate::build::progress::{CrateCounter, PackProgress};
use crate::build::sources::Sources;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;
use crate::clock::Clock;
use crate::digest;

/// Arguments of the call to cargo.
const FLAGS: [&str; 7] = [
    "build",
    "--locked",
    "--quiet",
    "--profile=pack",
    "--message-format=json-render-diagnostics",
    "--package=softmark-worker",
    "--lib",
];

/// Compiler flags for every crate of a pack. Random numbers come from the kernel's system call,
/// because a statically linked program would otherwise read them from a file, and a worker can open
/// none.
const RUSTFLAGS: [&str; 2] = ["--cfg", "getrandom_backend=\"linux_getrandom\""];

/// Returns all flags that a pack's content depends on; they are part of its key, with toolchain and
/// sources.
pub(crate) fn flags() -> Vec<&'static str> {
    [FLAGS.as_slice(), RUSTFLAGS.as_slice()].concat()
}

/// Replacements, in messages, of the paths of Softmark's crates, of a course elsewhere, and of cargo's folder.
const SOFTMARK: &str = "softmark";
const COURSE: &str = "course";
const BUILD: &str = "build";

/// Fields of a manifest that are read here.
#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Crate that a pack is built from.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Crate {
    /// Name of its library.
    library: String,
    /// Name and version of its package, and its folder if it is not from a registry.
    package: String,
}

/// Builds the worker and every solution, with their dependencies, in the folder `target`.
pub(crate) fn build(
    tools: &Tools,
    toolchain: &Toolchain,
    sources: &Sources,
    target: &Path,
    progress: &mut dyn FnMut(PackProgress),
) -> Result<Vec<Library>, BuildError> {
    let home = &sources.home;
    progress(PackProgress::Fetching);
    // `prefixes` lists the folders of the registry's sources, so they must exist first.
    tools.run(&toolchain.cargo, &["fetch", "--locked", "--quiet"], home).map_err(fetching)?;
    let mut args: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    let packages = solutions(home)?;
    args.extend(packages.iter().map(|package| format!("--package={package}").into()));
    args.push("--target-dir".into());
    args.push(target.into());
    let crates = crates(tools, toolchain, home, &packages)?;
    forget_other_course(tools, toolchain, sources, target, &crates)?;
    let env = [
        ("CARGO_ENCODED_RUSTFLAGS", rustflags(tools, toolchain, sources, target)),
        ("CARGO_TERM_COLOR", "never".into()),
        ("RUSTC", toolchain.rustc.clone().into()),
    ];
    let mut counter = CrateCounter::new(crates.into_iter().map(|it| it.library));
    let clock = Clock::start();
    let mut observer = |output: &[u8]| {
        counter.read(output, clock.elapsed());
        progress(PackProgress::Compiling(counter.progress(clock.elapsed())));
    };
    let finished = tools.start_observed(&toolchain.cargo, args, home, &env, &mut observer)?;
    let output = succeeded(&finished, &toolchain.cargo)?;
    progress(PackProgress::Compiling(counter.complete(clock.elapsed())));
    Ok(artifacts::libraries(&output, home))
}

/// Returns the output of cargo; fails with what it says to people if its exit status is not 0.
fn succeeded(finished: &CompletedProcess, cargo: &Path) -> Result<String, BuildError> {
    let output = String::from_utf8_lossy(&finished.log).into_owned();
    if finished.exit == ExitReason::Exited(0) {
        return Ok(output);
    }
    let said: Vec<&str> = output.lines().filter(|line| !line.starts_with('{')).collect();
    let (tool, ending) = (cargo.to_owned(), finished.exit);
    Err(BuildError::Tool { tool, ending, output: said.join("\n") })
}

/// Returns the crates that [`build`] compiles for the worker and these packages.
fn crates(
    tools: &Tools,
    toolchain: &Toolchain,
    home: &Path,
    packages: &[String],
) -> Result<BTreeSet<Crate>, BuildError> {
    let mut args = vec!["tree", "--locked", "--quiet", "--edges=normal,build", "--prefix=none"];
    let format = format!("--format={CRATE}{{lib}} {{p}}");
    args.extend([format.as_str(), "--package=softmark-worker"]);
    args.extend(packages.iter().flat_map(|package| ["--package", package]));
    let output = tools.run(&toolchain.cargo, &args, home)?;
    Ok(String::from_utf8_lossy(&output).lines().filter_map(Crate::parse).collect())
}

/// Beginning of the lines of `cargo tree` that name crates.
const CRATE: &str = "crate ";

impl Crate {
    /// Reads a line of `cargo tree`.
    fn parse(line: &str) -> Option<Self> {
        let (library, package) = line.strip_prefix(CRATE)?.split_once(' ')?;
        // The mark of a crate whose dependencies were listed before.
        let package = package.strip_suffix(" (*)").unwrap_or(package);
        let (library, package) = (library.to_owned(), package.to_owned());
        (!library.is_empty()).then_some(Self { library, package })
    }

    /// Returns the name of the package if its folder is below `home`.
    fn name_below(&self, home: &Path) -> Option<&str> {
        let (_, folder) = self.package.split_once(" (/")?;
        let folder = Path::new("/").join(folder.strip_suffix(')')?);
        folder.starts_with(home).then(|| self.package.split(' ').next()).flatten()
    }
}

/// Removes what cargo has kept of the crates of another course, if that was built last in `target`.
///
/// Courses share cargo's folder, so that third-party libraries are compiled once. But cargo tells the crates of a workspace
/// apart by their paths in it, and takes a crate whose files are older than the last build for unchanged: it could take
/// a crate of one course for that of another one. Courses that use different checkouts are built with different flags, by
/// which cargo tells them apart, too.
fn forget_other_course(
    tools: &Tools,
    toolchain: &Toolchain,
    sources: &Sources,
    target: &Path,
    crates: &BTreeSet<Crate>,
) -> Result<(), BuildError> {
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    let home = &sources.home;
    let path = target.join(format!("course-{}", digest::of(&[&bytes(sources.crates())])));
    let last = fs::read(&path).ok();
    if last.is_some_and(|last| last != bytes(home)) {
        let mut args: Vec<OsString> =
            ["clean", "--locked", "--quiet", "--profile=pack", "--target-dir"]
                .map(Into::into)
                .into();
        args.push(target.into());
        let own = crates.iter().filter_map(|it| it.name_below(home));
        args.extend(own.map(|name| format!("--package={name}").into()));
        let finished = tools.start(&toolchain.cargo, args, home, &[])?;
        succeeded(&finished, &toolchain.cargo)?;
    }
    fs::write(&path, bytes(home)).map_err(|source| BuildError::io("write", &path, source))
}

/// Turns a failure of `cargo fetch` into [`BuildError::Fetch`].
fn fetching(error: BuildError) -> BuildError {
    if let BuildError::Tool { output, .. } = error { BuildError::Fetch { output } } else { error }
}

/// Returns the names of the packages in `solutions/`, sorted.
fn solutions(home: &Path) -> Result<Vec<String>, BuildError> {
    let dir = home.join("solutions");
    let failed = |source| BuildError::io("read", &dir, source);
    let mut packages = Vec::new();
    for entry in fs::read_dir(&dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path().join("Cargo.toml");
        if !path.is_file() {
            continue;
        }
        let text = fs::read_to_string(&path).map_err(|e| BuildError::io("read", &path, e))?;
        let manifest: Manifest = toml::from_str(&text)
            .map_err(|source| BuildError::Manifest { path: path.clone(), source })?;
        packages.push(manifest.package.name);
    }
    packages.sort();
    Ok(packages)
}

/// Returns compiler flags that remove this machine's paths. Compiler messages and panic locations
/// would contain them, and students see both.
///
/// The compiler is given the course's own files by their path in it, so the path of the course is not among them.
/// Hence courses that use one checkout build the same libraries with the same flags. Build scripts write sources into
/// `target`.
fn rustflags(tools: &Tools, toolchain: &Toolchain, sources: &Sources, target: &Path) -> OsString {
    let mut flags = OsString::from(RUSTFLAGS.join("\u{1f}"));
    let folders = [(sources.crates().to_owned(), SOFTMARK), (target.to_owned(), BUILD)];
    for (path, name) in machine(tools, toolchain).into_iter().chain(folders) {
        flags.push("\u{1f}");
        flags.push("--remap-path-prefix=");
        flags.push(path);
        flags.push("=");
        flags.push(name);
    }
    flags
}

/// Returns this machine's paths and their replacements; later entries take precedence over earlier
/// ones. `built_in` is the folder of the course that the pack was built in, which may be another copy of this one.
pub(crate) fn prefixes(
    tools: &Tools,
    toolchain: &Toolchain,
    sources: &Sources,
    built_in: &Path,
) -> Vec<(PathBuf, &'static str)> {
    let mut prefixes = machine(tools, toolchain);
    prefixes.push((sources.crates().to_owned(), SOFTMARK));
    if sources.checkout.is_some() {
        prefixes.push((built_in.to_owned(), COURSE));
        prefixes.push((sources.home.clone(), COURSE));
    }
    prefixes
}

/// Returns the paths of cargo and the toolchain, and their replacements.
fn machine(tools: &Tools, toolchain: &Toolchain) -> Vec<(PathBuf, &'static str)> {
    let mut prefixes = Vec::new();
    if let Some(cargo_home) = tools.cargo_home() {
        let sources = cargo_home.join("registry").join("src");
        prefixes.push((cargo_home, "cargo"));
        let mut registries: Vec<PathBuf> =
            fs::read_dir(sources).into_iter().flatten().flatten().map(|dir| dir.path()).collect();
        registries.sort();
        prefixes.extend(registries.into_iter().map(|registry| (registry, "deps")));
    }
    prefixes.push((toolchain.sysroot.clone(), "rust"));
    prefixes.push((toolchain.sysroot.join("lib/rustlib/src/rust"), "rust"));
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_read_from_the_tree_once() {
        let text = "crate worker worker v0.1.0 (/a (b)/crates/worker)\ncrate libm libm v0.2.1\n\n\
                    crate derive derive v1.0.0 (proc-macro) (/a (b)/crates/derive)\n\
                    crate kit kit v0.1.0 (/elsewhere/kit)\ncrate libm libm v0.2.1 (*)\nwarning: none\n\
                    crate libm libm v0.1.0\ncrate  program v0.1.0\n";
        let crates: BTreeSet<Crate> = text.lines().filter_map(Crate::parse).collect();
        let names: Vec<&str> = crates.iter().map(|it| it.library.as_str()).collect();
        assert_eq!(names, ["derive", "kit", "libm", "libm", "worker"]);
        let own: Vec<&str> =
            crates.iter().filter_map(|it| it.name_below(Path::new("/a (b)"))).collect();
        assert_eq!(own, ["derive", "worker"]);
    }
}
