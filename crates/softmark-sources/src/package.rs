//! Packages of an exam: the exam's own, and those that it is built on by their paths.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::token::tokens;

/// Packages whose sources decide about the checks of an exam.
#[derive(Debug)]
pub(crate) struct Packages {
    /// Folders of the packages, the exam's own first.
    pub(crate) folders: Vec<PathBuf>,
    /// Names that the packages have in code.
    pub(crate) names: Vec<String>,
    /// Names that crates outside of these packages have in code.
    pub(crate) external: BTreeSet<String>,
    /// Files that decide how all of them are compiled.
    pub(crate) settings: Vec<PathBuf>,
    /// Manifest of the workspace.
    pub(crate) root: PathBuf,
    /// Text of its dependencies, features and profiles.
    pub(crate) profile: String,
}

/// Crates of Softmark that exams are built on. The grader has their digest in the key of each run.
pub(crate) const ENGINE: [&str; 5] =
    ["softmark-checks", "softmark-common", "softmark-exam", "softmark-untrusted", "softmark-wire"];

/// Reads the manifests of the exam in `folder` and of the packages below it. `None` if they say more than is understood: a
/// build script, another path of the library, features, patches.
pub(crate) fn packages(folder: &Path) -> Option<Packages> {
    let root = folder.ancestors().find(|above| {
        table(&above.join("Cargo.toml")).is_some_and(|table| table.contains_key("workspace"))
    })?;
    let workspace = table(&root.join("Cargo.toml"))?;
    if ["patch", "replace"].iter().any(|key| workspace.contains_key(*key)) {
        return None;
    }
    let mut settings = vec![root.join("Cargo.lock")];
    settings.extend(Some(root.join(".cargo/config.toml")).filter(|path| path.is_file()));
    let mut packages = Packages {
        folders: Vec::new(),
        names: Vec::new(),
        external: ["std", "core", "alloc"].map(str::to_owned).into(),
        settings,
        root: root.join("Cargo.toml"),
        profile: how_compiled(&workspace),
    };
    packages.add(folder, root, &workspace)?;
    for folder in packages.folders.clone() {
        packages.remove_modules(&folder)?;
    }
    // A name that is one of these packages here, and a crate of others there, cannot be told apart.
    let is_both = packages.names.iter().any(|name| packages.external.contains(name));
    (!is_both).then_some(packages)
}

/// Returns what the manifest of a workspace says about how crates are compiled: dependencies, features and profiles, and not which
/// members, programs or lints it has.
fn how_compiled(manifest: &Table) -> String {
    let mut manifest = manifest.clone();
    for key in ["bench", "bin", "example", "lib", "lints", "package", "test"] {
        manifest.remove(key);
    }
    if let Some(workspace) = manifest.get_mut("workspace").and_then(Value::as_table_mut) {
        for key in ["default-members", "exclude", "lints", "members", "metadata"] {
            workspace.remove(key);
        }
    }
    manifest.to_string()
}

impl Packages {
    /// Takes the names that a package gives to modules of its own from those of other crates.
    fn remove_modules(&mut self, folder: &Path) -> Option<()> {
        for path in rust_files(&folder.join("src"))?.into_values() {
            // A file that cannot be read has no digest.
            let tokens = tokens(&fs::read_to_string(path).ok()?).unwrap_or_default();
            for (token, next) in tokens.iter().zip(tokens.iter().skip(1)) {
                if token.is("mod") {
                    self.external.remove(&next.text);
                }
            }
        }
        Some(())
    }

    fn add(&mut self, folder: &Path, root: &Path, workspace: &Table) -> Option<()> {
        if self.folders.iter().any(|known| known == folder) {
            return Some(());
        }
        let manifest = folder.join("Cargo.toml");
        let table = table(&manifest)?;
        let understood = ["package", "dependencies", "dev-dependencies", "lints"];
        let is_understood = table.keys().all(|key| understood.contains(&key.as_str()));
        let package = table.get("package")?.as_table()?;
        let is_built = package.contains_key("build") || folder.join("build.rs").exists();
        if !is_understood || is_built {
            return None;
        }
        self.settings.push(manifest);
        self.folders.push(folder.to_owned());
        self.names.push(package.get("name")?.as_str()?.replace('-', "_"));
        let shared = workspace.get("workspace")?.get("dependencies").and_then(Value::as_table);
        let empty = Table::new();
        let dependencies = table.get("dependencies").and_then(Value::as_table).unwrap_or(&empty);
        for (name, own) in dependencies {
            let is_shared = own.get("workspace").is_some();
            let (entry, base) = match shared.and_then(|shared| shared.get(name)) {
                Some(entry) if is_shared => (entry, root),
                _ if is_shared => return None,
                _ => (own, folder),
            };
            let real = entry.get("package").and_then(Value::as_str).unwrap_or(name);
            let path = entry.get("path").and_then(Value::as_str);
            match path.filter(|_| !ENGINE.contains(&real)) {
                Some(path) => {
                    self.names.push(name.replace('-', "_"));
                    self.add(&tidy(&base.join(path)), root, workspace)?;
                }
                None => {
                    self.external.insert(name.replace('-', "_"));
                }
            }
        }
        Some(())
    }
}

fn table(path: &Path) -> Option<Table> {
    fs::read_to_string(path).ok()?.parse().ok()
}

/// Returns the path without `..`.
fn tidy(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Returns the Rust files in a folder, by their paths below it.
pub(crate) fn rust_files(folder: &Path) -> Option<BTreeMap<String, PathBuf>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder_now) = open.pop() {
        for entry in fs::read_dir(&folder_now).ok()? {
            let path = entry.ok()?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(folder).ok()?.to_str()?.replace('\\', "/");
                found.insert(below, path);
            }
        }
    }
    Some(found)
}
