//! Builds the libraries of a pack with cargo, and reads cargo's messages.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use softmark_sandbox::ExitReason;

use crate::build::error::BuildError;
use crate::build::sources::Sources;
use crate::build::toolchain::Toolchain;
use crate::build::tools::Tools;

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

/// Beginning of the names of Softmark's crates.
const OURS: &str = "softmark_";

/// The crates of Softmark that a student's code sees: the kit, and what the kit is made of.
const SEEN: [&str; 2] = ["softmark_kit", "softmark_common"];

/// Replacements, in messages, of the path of Softmark's crates and of the path of a course elsewhere.
const SOFTMARK: &str = "softmark";
const COURSE: &str = "course";

/// Library that cargo built.
#[derive(Debug)]
pub(crate) struct Library {
    /// Name of the crate.
    pub(crate) name: String,
    /// Path of the `.rlib`, or of the compiler plug-in (`.so`) of a procedural macro crate.
    pub(crate) file: PathBuf,
    /// True if student code must not see the library.
    pub(crate) trusted: bool,
}

/// Fields of a cargo message that are read here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

/// Fields of a manifest that are read here.
#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Builds the worker and every solution, with their dependencies.
pub(crate) fn build(
    tools: &Tools,
    toolchain: &Toolchain,
    sources: &Sources,
    target: &Path,
) -> Result<Vec<Library>, BuildError> {
    let home = &sources.home;
    // `prefixes` lists the folders of the registry's sources, so they must exist first.
    tools.run(&toolchain.cargo, &["fetch", "--locked", "--quiet"], home).map_err(fetching)?;
    let mut args: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    for package in solutions(home)? {
        args.push(format!("--package={package}").into());
    }
    args.push("--target-dir".into());
    args.push(target.into());
    let env = [
        ("CARGO_ENCODED_RUSTFLAGS", rustflags(tools, toolchain, sources)),
        ("CARGO_TERM_COLOR", "never".into()),
        ("RUSTC", toolchain.rustc.clone().into()),
    ];
    let finished = tools.start(&toolchain.cargo, args, home, &env)?;
    let output = String::from_utf8_lossy(&finished.log);
    if finished.exit != ExitReason::Exited(0) {
        let said: Vec<&str> = output.lines().filter(|line| !line.starts_with('{')).collect();
        return Err(BuildError::Tool {
            tool: toolchain.cargo.clone(),
            ending: finished.exit,
            output: said.join("\n"),
        });
    }
    Ok(libraries(&output, home))
}

/// Turns a failure of `cargo fetch` into [`BuildError::Fetch`].
fn fetching(error: BuildError) -> BuildError {
    if let BuildError::Tool { output, .. } = error { BuildError::Fetch { output } } else { error }
}

/// Returns the libraries that cargo's messages name, without duplicates.
fn libraries(output: &str, home: &Path) -> Vec<Library> {
    let mut libraries = BTreeMap::new();
    for message in output.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok()) {
        let Message { reason, manifest_path, target: Some(target), filenames } = message else {
            continue;
        };
        let is_library = target.kind.iter().any(|kind| kind == "lib" || kind == "proc-macro");
        if reason != "compiler-artifact" || !is_library {
            continue;
        }
        // Students may read the assignments, so what a pack contains of them is not secret. Softmark's own crates
        // lie elsewhere if the course is not part of its checkout.
        let is_secret = |manifest: PathBuf| {
            manifest.starts_with(home) && !manifest.starts_with(home.join("assignments"))
        };
        let is_ours = target.name.starts_with(OURS) || manifest_path.is_some_and(is_secret);
        let trusted = is_ours && !SEEN.contains(&target.name.as_str());
        for file in filenames {
            let extension = file.extension().unwrap_or_default();
            if extension == "rlib" || extension == "so" {
                let name = target.name.clone();
                libraries.insert(file.clone(), Library { name, file, trusted });
            }
        }
    }
    libraries.into_values().collect()
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
/// Hence courses that use one checkout build the same libraries with the same flags.
fn rustflags(tools: &Tools, toolchain: &Toolchain, sources: &Sources) -> OsString {
    let mut flags = OsString::from(RUSTFLAGS.join("\u{1f}"));
    let crates = (sources.crates().to_owned(), SOFTMARK);
    for (path, name) in machine(tools, toolchain).into_iter().chain([crates]) {
        flags.push("\u{1f}");
        flags.push("--remap-path-prefix=");
        flags.push(path);
        flags.push("=");
        flags.push(name);
    }
    flags
}

/// Returns this machine's paths and their replacements; later entries take precedence over earlier
/// ones.
pub(crate) fn prefixes(
    tools: &Tools,
    toolchain: &Toolchain,
    sources: &Sources,
) -> Vec<(PathBuf, &'static str)> {
    let mut prefixes = machine(tools, toolchain);
    prefixes.push((sources.crates().to_owned(), SOFTMARK));
    if sources.checkout.is_some() {
        prefixes.push((sources.home.clone(), COURSE));
    }
    prefixes
}

/// Returns the paths of cargo and the toolchain, and their replacements.
fn machine(tools: &Tools, toolchain: &Toolchain) -> Vec<(PathBuf, &'static str)> {
    let user = |name: &str| tools.env.get(&OsString::from(name)).map(PathBuf::from);
    let cargo_home = user("CARGO_HOME").or_else(|| user("HOME").map(|home| home.join(".cargo")));
    let mut prefixes = Vec::new();
    if let Some(cargo_home) = cargo_home {
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
    fn crates_of_softmark_are_trusted_wherever_they_are() {
        let message = |name: &str, folder: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/{folder}/Cargo.toml","target":{{"name":"{name}","kind":["lib"]}},"filenames":["/t/{name}.rlib"]}}"#
            )
        };
        let output = [
            message("softmark_worker", "softmark/crates/softmark-worker"),
            message("softmark_kit", "softmark/crates/softmark-kit"),
            message("lab_spec", "course/assignments/lab/spec"),
            message("lab_solution", "course/solutions/lab"),
        ];
        let found = libraries(&output.join("\n"), Path::new("/course"));
        let trusted: Vec<&str> =
            found.iter().filter(|it| it.trusted).map(|it| it.name.as_str()).collect();
        assert_eq!(trusted, ["lab_solution", "softmark_worker"]);
    }

    #[test]
    fn a_students_code_sees_the_kit_but_not_the_worker() {
        let message = |name: &str, manifest: &str, kind: &str, file: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","package_id":"x","manifest_path":"{manifest}",
                "target":{{"name":"{name}","kind":["{kind}"]}},"filenames":["{file}"]}}"#
            )
            .replace('\n', "")
        };
        let output = [
            "warning: something".to_owned(),
            message("softmark_kit", "/h/crates/kit/Cargo.toml", "lib", "/t/libk.rlib"),
            message("softmark_common", "/h/crates/common/Cargo.toml", "lib", "/t/libd.rlib"),
            message("softmark_worker", "/h/crates/worker/Cargo.toml", "lib", "/t/libw.rlib"),
            message(
                "encoder_spec",
                "/h/assignments/encoder/spec/Cargo.toml",
                "lib",
                "/t/libs.rlib",
            ),
            message("candle_core", "/r/candle/Cargo.toml", "lib", "/t/libc.rlib"),
            message("paste", "/r/paste/Cargo.toml", "proc-macro", "/t/libp.so"),
            message("build-script-build", "/r/x/Cargo.toml", "custom-build", "/t/build.rlib"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let libraries = libraries(&output.join("\n"), Path::new("/h"));
        let found: Vec<(&str, bool)> =
            libraries.iter().map(|library| (library.name.as_str(), library.trusted)).collect();
        assert_eq!(
            found,
            [
                ("candle_core", false),
                ("softmark_common", false),
                ("softmark_kit", false),
                ("paste", false),
                ("encoder_spec", false),
                ("softmark_worker", true)
            ]
        );
    }
}
