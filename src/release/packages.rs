//! Packages that an assignment is released with: the student's, and those that it is built from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::release::error::ReleaseError;

/// Package of an assignment's release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    /// Name of the package.
    pub(super) name: String,
    /// Folder of the package.
    pub(super) folder: PathBuf,
    /// Folder of the package in the release; empty for the student's own.
    pub(super) place: PathBuf,
}

/// Fields of `cargo metadata` that are read here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    id: String,
    /// Registry or repository; none for a package in a folder.
    source: Option<String>,
    manifest_path: PathBuf,
}

impl Described {
    /// True if the package is copied into the release: it is in a folder or a git repository.
    fn is_copied(&self) -> bool {
        self.source.as_ref().is_none_or(|source| source.starts_with("git+"))
    }

    fn folder(&self) -> &Path {
        self.manifest_path.parent().unwrap_or(&self.manifest_path)
    }
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

impl Edge {
    /// True if the package is needed for more than another package's tests.
    fn is_normal(&self) -> bool {
        self.dep_kinds.iter().any(|it| it.kind.as_deref() != Some("dev"))
    }
}

/// Name of the folder of packages that are not in the assignment's own folder.
const CRATES: &str = "crates";

/// Crates of the grader, which students must not see.
const SECRET: [&str; 5] =
    ["softmark", "softmark-exam", "softmark-sandbox", "softmark-sources", "softmark-untrusted"];

/// Returns the packages of the release of the assignment in the folder `assignment` of the course at `home`, according to
/// the output of `cargo metadata`; the student's own comes first.
///
/// # Errors
///
/// Fails if the assignment has no package, or needs one that students must not see.
pub(super) fn packages(
    metadata: &[u8],
    home: &Path,
    assignment: &Path,
) -> Result<Vec<Package>, ReleaseError> {
    let Metadata { packages, resolve } = serde_json::from_slice(json(metadata))?;
    let described: BTreeMap<&str, &Described> =
        packages.iter().map(|it| (it.id.as_str(), it)).collect();
    let nodes: BTreeMap<&str, &Node> =
        resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let root = packages.iter().find(|it| it.folder() == assignment);
    let root = root.ok_or_else(|| ReleaseError::NoPackage(assignment.to_owned()))?;
    let mut found = vec![root];
    let mut known = BTreeSet::from([root.id.as_str()]);
    let mut at = 0;
    while let Some(package) = found.get(at).copied() {
        at += 1;
        let edges = nodes.get(package.id.as_str()).map(|node| node.deps.as_slice());
        // Cargo builds tests of the student's package alone.
        let edges = edges.into_iter().flatten();
        for edge in edges.filter(|edge| edge.is_normal() || package.id == root.id) {
            let Some(next) = described.get(edge.pkg.as_str()).filter(|it| it.is_copied()) else {
                continue;
            };
            if is_secret(next, home) {
                let (package, needed_by) = (next.name.clone(), package.name.clone());
                return Err(ReleaseError::Secret { package, needed_by });
            }
            if known.insert(next.id.as_str()) {
                found.push(next);
            }
        }
    }
    Ok(found.into_iter().map(|it| placed(it, assignment)).collect())
}

/// Returns the description of the packages in the output of `cargo metadata`, around which there may be warnings.
pub(super) fn json(output: &[u8]) -> &[u8] {
    let is_json = |line: &&[u8]| line.starts_with(b"{");
    output.split(|byte| *byte == b'\n').find(is_json).unwrap_or_default()
}

/// True if students must not see the package.
fn is_secret(package: &Described, home: &Path) -> bool {
    package.folder().starts_with(home.join("solutions")) || SECRET.contains(&package.name.as_str())
}

/// Returns the package with its place in the release.
fn placed(package: &Described, assignment: &Path) -> Package {
    let folder = package.folder().to_owned();
    let place = match folder.strip_prefix(assignment) {
        Ok(place) => place.to_owned(),
        Err(_) => Path::new(CRATES).join(&package.name),
    };
    Package { name: package.name.clone(), folder, place }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Describes packages, each with its folder and what it depends on: names, with `!` before those of tests.
    fn metadata(packages: &[(&str, &str, &str)]) -> Vec<u8> {
        let described = packages.iter().map(|(name, folder, _)| {
            let source = if folder.starts_with("/r/") { "\"registry+x\"" } else { "null" };
            format!(
                r#"{{"name":"{name}","id":"{name}","source":{source},"manifest_path":"{folder}/Cargo.toml"}}"#
            )
        });
        let nodes = packages.iter().map(|(name, _, needs)| {
            let edges = needs.split_whitespace().map(|it| {
                let (name, kind) =
                    it.strip_prefix('!').map_or((it, "null"), |name| (name, "\"dev\""));
                format!(r#"{{"pkg":"{name}","dep_kinds":[{{"kind":{kind}}}]}}"#)
            });
            format!(r#"{{"id":"{name}","deps":[{}]}}"#, edges.collect::<Vec<_>>().join(","))
        });
        let (described, nodes): (Vec<_>, Vec<_>) = (described.collect(), nodes.collect());
        format!(
            r#"{{"packages":[{}],"resolve":{{"nodes":[{}]}}}}"#,
            described.join(","),
            nodes.join(",")
        )
        .into_bytes()
    }

    fn found(packages_: &[(&str, &str, &str)]) -> Result<Vec<String>, String> {
        let found =
            packages(&metadata(packages_), Path::new("/c"), Path::new("/c/assignments/lab"));
        let place = |it: &Package| format!("{} {}", it.name, it.place.display());
        found.map(|it| it.iter().map(place).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_a_students_package_needs_is_released_with_it() {
        let found = found(&[
            ("lab", "/c/assignments/lab", "lab-spec candle !worker"),
            ("lab-spec", "/c/assignments/lab/spec", "other-spec kit !lab-exam"),
            ("other-spec", "/c/assignments/other/spec", "kit"),
            ("kit", "/s/crates/kit", "candle"),
            ("worker", "/s/crates/worker", ""),
            ("lab-exam", "/c/solutions/lab/exam", ""),
            ("candle", "/r/candle", ""),
        ]);
        let expected = [
            "lab ",
            "lab-spec spec",
            "worker crates/worker",
            "other-spec crates/other-spec",
            "kit crates/kit",
        ];
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn what_students_must_not_see_is_refused() {
        for (name, folder) in [("lab-exam", "/c/solutions/lab/exam"), ("softmark-exam", "/s/exam")]
        {
            let refused = found(&[
                ("lab", "/c/assignments/lab", "lab-checks"),
                ("lab-checks", "/c/assignments/lab/checks", name),
                (name, folder, ""),
            ]);
            let refused = refused.unwrap_err();
            assert!(refused.starts_with(&format!("`lab-checks` depends on `{name}`")), "{refused}");
        }
        assert!(found(&[("lab", "/elsewhere", "")]).is_err());
    }
}
