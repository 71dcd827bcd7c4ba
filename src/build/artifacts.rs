//! Cargo's messages about the crates that it has compiled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Beginning of the names of Softmark's crates.
const OURS: &str = "softmark_";

/// The crates of Softmark that a student's code sees: the kit, what the kit is made of, candle-nn, and
/// the instances that they link.
const SEEN: [&str; 4] =
    ["softmark_kit", "softmark_candle_nn", "softmark_common", "softmark_instances"];

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
pub(crate) struct Message {
    reason: String,
    #[serde(default)]
    pub(crate) package_id: String,
    manifest_path: Option<PathBuf>,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
    /// True if an earlier build has compiled the crate.
    #[serde(default)]
    pub(crate) fresh: bool,
}

/// Part of a package that is compiled on its own.
#[derive(Deserialize)]
pub(crate) struct Target {
    /// Name of the crate.
    pub(crate) name: String,
    kind: Vec<String>,
}

impl Message {
    /// Reads a line of cargo's output; returns `None` for a line that is no message.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }

    /// Returns the library or procedural macro that is compiled now, if the message says so.
    pub(crate) fn library(&self) -> Option<&Target> {
        let target = self.target.as_ref().filter(|_| self.reason == "compiler-artifact");
        target.filter(|it| it.kind.iter().any(|kind| kind == "lib" || kind == "proc-macro"))
    }
}

/// Returns the libraries that cargo's messages name, without duplicates.
pub(crate) fn libraries(output: &str, home: &Path) -> Vec<Library> {
    let mut libraries = BTreeMap::new();
    for message in output.lines().filter_map(Message::parse) {
        let Some(target) = message.library() else { continue };
        // Students may read the assignments, so what a pack contains of them is not secret. Softmark's own crates
        // lie elsewhere if the course is not part of its checkout.
        let is_secret = |manifest: &PathBuf| {
            manifest.starts_with(home) && !manifest.starts_with(home.join("assignments"))
        };
        let is_ours =
            target.name.starts_with(OURS) || message.manifest_path.as_ref().is_some_and(is_secret);
        let trusted = is_ours && !SEEN.contains(&target.name.as_str());
        for file in &message.filenames {
            let extension = file.extension().unwrap_or_default();
            if extension == "rlib" || extension == "so" {
                let library = Library { name: target.name.clone(), file: file.clone(), trusted };
                libraries.insert(file.clone(), library);
            }
        }
    }
    libraries.into_values().collect()
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
