//! Manifests of a release: what packages take over from their workspace is written out.

use std::path::{Component, Path, PathBuf};

use toml::{Table, Value};

use crate::release::error::ReleaseError;
use crate::release::packages::Package;

/// Tables of dependencies.
pub(super) const DEPENDENCIES: [&str; 3] = ["dependencies", "build-dependencies", DEV];

/// Table of the dependencies of tests.
const DEV: &str = "dev-dependencies";

/// Tables of the parts of a package that are left out, because their files are.
const LEFT_OUT: [&str; 3] = ["bench", "test", "example"];

/// Manifest of a workspace.
#[derive(Debug)]
pub(super) struct Workspace {
    folder: PathBuf,
    table: Table,
}

/// Reads a manifest.
pub(super) fn read(path: &Path) -> Result<Table, ReleaseError> {
    let text = std::fs::read_to_string(path).map_err(|e| ReleaseError::io("read", path, e))?;
    text.parse().map_err(|error: toml::de::Error| ReleaseError::Manifest {
        path: path.to_owned(),
        reason: error.to_string(),
    })
}

impl Workspace {
    /// Finds the workspace that the package in `folder` belongs to.
    pub(super) fn of(folder: &Path) -> Result<Self, ReleaseError> {
        for folder in folder.ancestors() {
            let path = folder.join("Cargo.toml");
            if path.is_file()
                && let Some(Value::Table(table)) = read(&path)?.remove("workspace")
            {
                return Ok(Self { folder: folder.to_owned(), table });
            }
        }
        let reason = "it is in no workspace".to_owned();
        Err(ReleaseError::Manifest { path: folder.join("Cargo.toml"), reason })
    }

    /// Returns the entry `key` of one of the workspace's tables.
    fn entry(&self, table: &str, key: &str) -> Option<Value> {
        self.table.get(table)?.get(key).cloned()
    }
}

/// Maker of the manifests of a release.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manifests<'a> {
    /// All packages; the student's own comes first.
    pub(super) packages: &'a [Package],
}

impl Manifests<'_> {
    /// Returns the manifest of a package in the release.
    pub(super) fn of(&self, package: &Package) -> Result<Table, ReleaseError> {
        let path = package.folder.join("Cargo.toml");
        let workspace = Workspace::of(&package.folder)?;
        let mut table = read(&path)?;
        for key in ["workspace", "profile", "patch"] {
            table.remove(key);
        }
        let is_own = package.place.as_os_str().is_empty();
        if !is_own {
            for key in LEFT_OUT.into_iter().chain([DEV]) {
                table.remove(key);
            }
        }
        if let Some(Value::Table(own)) = table.get_mut("package") {
            inherit(own, &workspace);
        }
        if table.get("lints").is_some_and(is_inherited) {
            match workspace.table.get("lints").cloned() {
                Some(lints) => table.insert("lints".to_owned(), lints),
                None => table.remove("lints"),
            };
        }
        self.rewrite(&mut table, package, &workspace);
        let targets = table.get_mut("target").and_then(Value::as_table_mut);
        let targets = targets.into_iter().flatten().filter_map(|(_, it)| it.as_table_mut());
        for target in targets {
            if !is_own {
                target.remove(DEV);
            }
            self.rewrite(target, package, &workspace);
        }
        Ok(table)
    }

    /// Writes out all dependencies in a manifest, or in the table of a target.
    fn rewrite(&self, table: &mut Table, package: &Package, workspace: &Workspace) {
        for kind in DEPENDENCIES {
            let Some(Value::Table(dependencies)) = table.get_mut(kind) else { continue };
            for (name, value) in dependencies.iter_mut() {
                let mut folder = package.folder.as_path();
                if is_inherited(value) {
                    *value = inherited(value, workspace.entry("dependencies", name));
                    folder = &workspace.folder;
                }
                self.point(value, name, (folder, &package.place));
            }
        }
    }

    /// Makes a dependency that is part of the release point to its place there; `folder` is what its path is relative to.
    fn point(&self, value: &mut Value, name: &str, (folder, place): (&Path, &Path)) {
        let Value::Table(table) = value else { return };
        let package = table.get("package").and_then(Value::as_str).unwrap_or(name);
        let path = table.get("path").and_then(Value::as_str);
        let is_it = |it: &&Package| match path {
            Some(path) => it.folder == normal(&folder.join(path)),
            None => table.contains_key("git") && it.name == package,
        };
        if let Some(there) = self.packages.iter().find(is_it) {
            let path = relative(place, &there.place);
            table.retain(|key, _| !["git", "branch", "tag", "rev", "version"].contains(&key));
            table.insert("path".to_owned(), Value::String(path));
        }
    }
}

/// Order of the tables of a manifest; others follow.
const ORDER: [&str; 5] = ["package", "features", "dependencies", "build-dependencies", DEV];

/// Returns the text of a manifest: the package first, and a line for each dependency.
pub(super) fn text(table: &Table) -> String {
    let first = ORDER.into_iter().filter_map(|key| table.get_key_value(key));
    let others = table.iter().filter(|(key, _)| !ORDER.contains(&key.as_str()));
    let tables = first.chain(others).map(|(key, value)| match value.as_table() {
        Some(entries) if DEPENDENCIES.contains(&key.as_str()) => lines(key, entries),
        _ => Table::from_iter([(key.clone(), value.clone())]).to_string(),
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// Returns the text of a table with a line for each entry.
pub(super) fn lines(heading: &str, entries: &Table) -> String {
    let lines = entries.iter().map(|(key, value)| format!("{key} = {value}\n"));
    format!("[{heading}]\n{}", lines.collect::<String>())
}

/// Returns the tables in the table `key`, with their names.
pub(super) fn tables<'a>(
    table: &'a Table,
    key: &str,
) -> impl Iterator<Item = (&'a String, &'a Table)> {
    let inner = table.get(key).and_then(Value::as_table);
    inner.into_iter().flatten().filter_map(|(name, value)| Some((name, value.as_table()?)))
}

/// True if a value is taken over from the workspace.
fn is_inherited(value: &Value) -> bool {
    value.get("workspace").and_then(Value::as_bool).unwrap_or_default()
}

/// Replaces the values of a package's table that are taken over.
fn inherit(package: &mut Table, workspace: &Workspace) {
    for (key, value) in package.iter_mut() {
        if is_inherited(value)
            && let Some(found) = workspace.entry("package", key)
        {
            *value = found;
        }
    }
}

/// Returns a dependency of the workspace with what the package asks for in addition.
fn inherited(own: &Value, of_workspace: Option<Value>) -> Value {
    let mut table = match of_workspace {
        Some(Value::Table(table)) => table,
        Some(version) => Table::from_iter([("version".to_owned(), version)]),
        None => Table::new(),
    };
    let own = own.as_table().into_iter().flatten().filter(|(key, _)| *key != "workspace");
    for (key, value) in own {
        match (table.get_mut(key), value) {
            (Some(Value::Array(features)), Value::Array(more)) => features.extend(more.clone()),
            _ => drop(table.insert(key.clone(), value.clone())),
        }
    }
    match (table.len(), table.get("version")) {
        (1, Some(version)) => version.clone(),
        _ => Value::Table(table),
    }
}

/// Returns an absolute path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                normal.push(component);
            }
        }
    }
    normal
}

/// Returns the path from one folder of a release to another one, as manifests write it.
fn relative(from: &Path, to: &Path) -> String {
    let names = |path: &Path| -> Vec<String> {
        path.iter().map(|name| name.to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (names(from), names(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(shared).map(|_| "..".to_owned());
    let path: Vec<String> = up.chain(to.into_iter().skip(shared)).collect();
    if path.is_empty() { ".".to_owned() } else { path.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn paths_lead_from_one_folder_to_another() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(path("", "spec"), "spec");
        assert_eq!(path("crates/kit", "crates/common"), "../common");
        assert_eq!(path("spec", "crates/kit"), "../crates/kit");
        assert_eq!(path("checks", ""), "..");
    }

    #[test]
    fn a_manifest_begins_with_the_package_and_has_a_line_for_each_dependency() {
        let given = "[dependencies]\na = { path = \"b\", package = \"c\" }\nd = \"1\"\n[[test]]\n\
                     name = \"public\"\n[package]\nname = \"lab\"\n";
        let text = text(&table(given));
        let expected = "[package]\nname = \"lab\"\n\n[dependencies]\na = { package = \"c\", path = \"b\" }\n\
                        d = \"1\"\n\n[[test]]\nname = \"public\"\n";
        assert_eq!(text, expected);
        assert_eq!(table(&text), table(given));
    }

    #[test]
    fn what_a_package_takes_over_is_written_out() {
        let dir = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[workspace]\n[workspace.package]\nedition = \"2024\"\n[workspace.dependencies]\n\
             candle = \"0.11\"\nserde = { version = \"1\", features = [\"a\"] }\n\
             kit = { path = \"crates/kit\" }\n[workspace.lints.rust]\nunused = \"warn\"\n",
        );
        write(
            "assignments/lab/Cargo.toml",
            "[package]\nname = \"lab\"\nedition.workspace = true\n[dependencies]\n\
             candle.workspace = true\nserde = { workspace = true, features = [\"b\"] }\n\
             kit.workspace = true\nspec = { path = \"spec\" }\n[dev-dependencies]\nlibm = \"1\"\n\
             [lints]\nworkspace = true\n[[test]]\nname = \"public\"\n",
        );
        let package = |name: &str, folder: &str, place: &str| Package {
            name: name.to_owned(),
            folder: dir.path().join(folder),
            place: place.into(),
        };
        let packages = [
            package("lab", "assignments/lab", ""),
            package("spec", "assignments/lab/spec", "spec"),
            package("kit", "crates/kit", "crates/kit"),
        ];
        let manifests = Manifests { packages: &packages };
        let expected = table(
            "[package]\nname = \"lab\"\nedition = \"2024\"\n[dependencies]\ncandle = \"0.11\"\n\
             serde = { version = \"1\", features = [\"a\", \"b\"] }\nkit = { path = \"crates/kit\" }\n\
             spec = { path = \"spec\" }\n[dev-dependencies]\nlibm = \"1\"\n\
             [lints.rust]\nunused = \"warn\"\n[[test]]\nname = \"public\"\n",
        );
        assert_eq!(manifests.of(&packages[0]).unwrap(), expected);
        // The same package as a part of another release: without its tests.
        let packages = [
            packages[1].clone(),
            package("lab", "assignments/lab", "crates/lab"),
            packages[2].clone(),
        ];
        let found = Manifests { packages: &packages }.of(&packages[1]).unwrap();
        assert!(!found.contains_key("dev-dependencies") && !found.contains_key("test"), "{found}");
        assert_eq!(found["dependencies"]["kit"]["path"].as_str(), Some("../kit"));
        assert_eq!(found["dependencies"]["spec"]["path"].as_str(), Some("../../spec"));
    }

    #[test]
    fn a_crate_from_a_repository_is_taken_from_the_release() {
        let packages =
            [Package { name: "kit".to_owned(), folder: "/x".into(), place: "crates/kit".into() }];
        let mut value = Value::Table(table("git = \"https://h.org/s\"\nrev = \"1\""));
        Manifests { packages: &packages }.point(
            &mut value,
            "kit",
            (Path::new("/y"), Path::new("spec")),
        );
        assert_eq!(value, Value::Table(table("path = \"../crates/kit\"")));
    }
}
