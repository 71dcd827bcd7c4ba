//! Building the pack's libraries with cargo, and reading what it made.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::build::pack::{BuildError, Tools};
use crate::build::toolchain::Toolchain;
use crate::sandbox::Ending;

/// How cargo is called.
const FLAGS: [&str; 7] = [
    "build",
    "--locked",
    "--quiet",
    "--profile=pack",
    "--message-format=json-render-diagnostics",
    "--package=softmark-worker",
    "--lib",
];

/// How everything in a pack is compiled: random numbers come from the kernel itself, for a program
/// that is linked statically would look for them in a file, and a worker can open none.
const RUSTFLAGS: [&str; 2] = ["--cfg", "getrandom_backend=\"linux_getrandom\""];

/// All that what is built depends on, besides the toolchain and the sources.
pub(crate) fn flags() -> Vec<&'static str> {
    [FLAGS.as_slice(), RUSTFLAGS.as_slice()].concat()
}

/// The crates of this project that a student's code sees: the kit, and what the kit is made of.
const SEEN: [&str; 2] = ["softmark_kit", "softmark_common"];

/// A library that cargo built.
#[derive(Debug)]
pub(crate) struct Library {
    /// The crate's name.
    pub(crate) name: String,
    /// The `.rlib`, or the compiler's plug-in for a crate of macros.
    pub(crate) file: PathBuf,
    /// Whether no student's code may see it.
    pub(crate) trusted: bool,
}

/// The part of cargo's messages that counts here.
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

/// The part of a manifest that counts here.
#[derive(Deserialize)]
struct Manifest {
    package: Package,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

/// Builds the worker and every solution, with all that they need.
pub(crate) fn build(
    tools: &Tools,
    toolchain: &Toolchain,
    home: &Path,
    target: &Path,
) -> Result<Vec<Library>, BuildError> {
    // So that the folders that paths are to be freed from are there.
    tools.run(&toolchain.cargo, &["fetch", "--locked", "--quiet"], home).map_err(fetching)?;
    let mut args: Vec<OsString> = FLAGS.iter().map(OsString::from).collect();
    for package in solutions(home)? {
        args.push(format!("--package={package}").into());
    }
    args.push("--target-dir".into());
    args.push(target.into());
    let env = [
        ("CARGO_ENCODED_RUSTFLAGS", rustflags(tools, toolchain, home)),
        ("CARGO_TERM_COLOR", "never".into()),
        ("RUSTC", toolchain.rustc.clone().into()),
    ];
    let finished = tools.start(&toolchain.cargo, args, home, &env)?;
    let output = String::from_utf8_lossy(&finished.log);
    if finished.ending != Ending::Exited(0) {
        let said: Vec<&str> = output.lines().filter(|line| !line.starts_with('{')).collect();
        return Err(BuildError::Tool {
            tool: toolchain.cargo.clone(),
            ending: finished.ending,
            output: said.join("\n"),
        });
    }
    Ok(libraries(&output, home))
}

/// What a failure to fetch means.
fn fetching(error: BuildError) -> BuildError {
    if let BuildError::Tool { output, .. } = error { BuildError::Fetch { output } } else { error }
}

/// The libraries in cargo's messages, each once.
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
        let own = manifest_path.is_some_and(|manifest| manifest.starts_with(home));
        let trusted = own && !SEEN.contains(&target.name.as_str());
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

/// The packages in `solutions/`, in the order of their names.
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

/// Flags of the compiler. They free what is compiled from this machine's paths, which would stand in
/// compiler messages and in the places of panics, and both are shown to students.
fn rustflags(tools: &Tools, toolchain: &Toolchain, home: &Path) -> OsString {
    let mut flags = OsString::from(RUSTFLAGS.join("\u{1f}"));
    for (path, name) in prefixes(tools, toolchain, home) {
        flags.push("\u{1f}");
        flags.push("--remap-path-prefix=");
        flags.push(path);
        flags.push("=");
        flags.push(name);
    }
    flags
}

/// This machine's paths and what stands for them; a later one goes before an earlier one.
pub(crate) fn prefixes(
    tools: &Tools,
    toolchain: &Toolchain,
    home: &Path,
) -> Vec<(PathBuf, &'static str)> {
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
    prefixes.push((home.to_owned(), "softmark"));
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

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
                ("softmark_worker", true)
            ]
        );
    }
}
