//! Features of crates that a release does not turn on: their sources are not released.
//!
//! A crate marks what belongs to a feature by `#[cfg(feature = "…")]` on a line of its own. Of a feature that is off, the item
//! after that line is removed, and the files of the module if it declares one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::release::manifest::{DEPENDENCIES, tables};
use crate::release::packages::Package;
use crate::release::tree::Tree;

/// Features that are on, by the name of the package.
pub(super) type Features = BTreeMap<String, BTreeSet<String>>;

/// Feature that is on unless it is turned off.
const DEFAULT: &str = "default";

/// Returns the features that packages turn on in one another; `manifests` are those of all packages of a release, by name.
pub(super) fn on(manifests: &BTreeMap<String, Table>) -> Features {
    let mut open: Vec<(String, String)> = Vec::new();
    for manifest in manifests.values() {
        let targets = tables(manifest, "target").map(|(_, target)| target);
        for table in targets.chain([manifest]) {
            let dependencies = DEPENDENCIES.iter().filter_map(|kind| table.get(*kind)?.as_table());
            open.extend(dependencies.flatten().flat_map(|(name, value)| turned_on(name, value)));
        }
    }
    let mut on = Features::new();
    while let Some((package, feature)) = open.pop() {
        let Some(manifest) = manifests.get(&package) else { continue };
        if !on.entry(package.clone()).or_default().insert(feature.clone()) {
            continue;
        }
        let implied = manifest.get("features").and_then(|it| it.get(&feature)?.as_array());
        for implied in implied.into_iter().flatten().filter_map(Value::as_str) {
            let other = implied.split_once('/');
            let other = other.map(|(package, feature)| (package.trim_end_matches('?'), feature));
            let (package, feature) = other.unwrap_or((package.as_str(), implied));
            open.push((package.to_owned(), feature.to_owned()));
        }
    }
    on
}

/// Returns the features that a dependency turns on, each with the name of the package.
fn turned_on(name: &str, value: &Value) -> Vec<(String, String)> {
    let package = value.get("package").and_then(Value::as_str).unwrap_or(name);
    let features = value.get("features").and_then(Value::as_array).into_iter().flatten();
    let features = features.filter_map(Value::as_str);
    let has_default = value.get("default-features").and_then(Value::as_bool).unwrap_or(true);
    let default = has_default.then_some(DEFAULT);
    features.chain(default).map(|feature| (package.to_owned(), feature.to_owned())).collect()
}

/// Leaves the features that are on in the manifest of a package, which has all of them by default.
pub(super) fn leave(manifest: &mut Table, on: &BTreeSet<String>) {
    let Some(Value::Table(features)) = manifest.get_mut("features") else { return };
    let left_out: Vec<String> =
        features.keys().filter(|name| *name != DEFAULT && !on.contains(*name)).cloned().collect();
    features.retain(|name, _| name != DEFAULT && on.contains(name));
    let names: Vec<Value> = features.keys().cloned().map(Value::String).collect();
    features.insert(DEFAULT.to_owned(), Value::Array(names));
    if !left_out.is_empty() {
        expect_names(manifest, &left_out);
    }
}

/// Tells the compiler of features that are left out: sources may still name them, about which it would warn.
fn expect_names(manifest: &mut Table, features: &[String]) {
    let names: Vec<String> = features.iter().map(|name| format!("\"{name}\"")).collect();
    let expected = format!("cfg(feature, values({}))", names.join(", "));
    let lint = Table::from_iter([
        ("level".to_owned(), Value::String("warn".to_owned())),
        ("check-cfg".to_owned(), Value::Array(vec![Value::String(expected)])),
    ]);
    let lints = manifest.entry("lints").or_insert_with(|| Value::Table(Table::new()));
    let Value::Table(lints) = lints else { return };
    let rust = lints.entry("rust").or_insert_with(|| Value::Table(Table::new()));
    if let Value::Table(rust) = rust {
        rust.insert("unexpected_cfgs".to_owned(), Value::Table(lint));
    }
}

/// Removes from the files of a package what belongs to features that are not on.
pub(super) fn prune(tree: &mut Tree, package: &Package, on: &BTreeSet<String>) {
    let sources = package.place.join("src");
    let files: Vec<PathBuf> =
        tree.keys().filter(|path| path.starts_with(&sources)).cloned().collect();
    for file in files {
        let Some(text) = tree.get(&file).and_then(|text| String::from_utf8(text.clone()).ok())
        else {
            continue;
        };
        let Pruned { text: left, modules } = pruned(&text, on);
        if left != text {
            tree.insert(file.clone(), left.into_bytes());
        }
        for module in modules {
            let folder = folder_of_modules(&file).join(module);
            let single = folder.with_extension("rs");
            tree.retain(|path, _| *path != single && !path.starts_with(&folder));
        }
    }
}

/// Returns the folder that the modules of a file are in.
fn folder_of_modules(file: &Path) -> PathBuf {
    let is_root = file
        .file_name()
        .is_some_and(|name| ["lib.rs", "mod.rs", "main.rs"].iter().any(|it| name == *it));
    if is_root {
        file.parent().map(Path::to_owned).unwrap_or_default()
    } else {
        file.with_extension("")
    }
}

/// Text without items of features that are off.
struct Pruned {
    text: String,
    /// Names of modules that were declared there.
    modules: Vec<String>,
}

/// Removes items of features that are not on.
fn pruned(text: &str, on: &BTreeSet<String>) -> Pruned {
    let mut left = Vec::new();
    let mut modules = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if feature(line).is_none_or(|feature| on.contains(feature)) {
            left.push(line);
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        for line in lines.by_ref() {
            let declared = line.trim().strip_suffix(';').and_then(|it| it.split_once("mod "));
            modules.extend(declared.map(|(_, name)| name.to_owned()));
            if is_end(line, indent) {
                break;
            }
        }
    }
    let end = if text.ends_with('\n') { "\n" } else { "" };
    Pruned { text: left.join("\n") + end, modules }
}

/// Returns the feature that a line is an attribute for.
fn feature(line: &str) -> Option<&str> {
    line.trim().strip_prefix("#[cfg(feature = \"")?.strip_suffix("\")]")
}

/// True if a line ends an item that is indented by `indent`: it is the last of a statement, or of a block.
fn is_end(line: &str, indent: usize) -> bool {
    let own = line.len() - line.trim_start().len();
    own == indent && (line.ends_with(';') || line.ends_with('}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
//! A crate.

#[cfg(feature = \"attention\")]
pub mod attention;
#[cfg(feature = \"sweep\")]
mod sweep;

#[cfg(feature = \"attention\")]
pub use attention::{
    a, b,
};
pub use c::d;

impl E {
    #[cfg(feature = \"attention\")]
    fn f(&self) -> G {
        if h {
            i();
        }
    }
}
";

    #[test]
    fn items_of_features_that_are_off_are_removed() {
        let on = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let Pruned { text, modules } = pruned(TEXT, &on(&["sweep"]));
        let expected = "//! A crate.\n\n#[cfg(feature = \"sweep\")]\nmod sweep;\n\npub use c::d;\n\nimpl E {\n}\n";
        assert_eq!(text, expected);
        assert_eq!(modules, ["attention"]);
        assert_eq!(pruned(TEXT, &on(&["attention", "sweep"])).text, TEXT);
    }

    #[test]
    fn files_of_modules_are_removed_with_them() {
        let package =
            Package { name: "kit".to_owned(), folder: "/k".into(), place: "crates/kit".into() };
        let file = |path: &str, text: &str| (PathBuf::from(path), text.as_bytes().to_vec());
        let gated = "#[cfg(feature = \"x\")]\nmod gone;\nmod stays;\n";
        let mut tree = Tree::from([
            file("crates/kit/src/lib.rs", gated),
            file("crates/kit/src/gone.rs", ""),
            file("crates/kit/src/gone/part.rs", ""),
            file("crates/kit/src/stays.rs", gated),
            file("crates/kit/src/stays/gone/mod.rs", ""),
            file("crates/kit/src/stays/stays.rs", ""),
            file("crates/other/src/gone.rs", ""),
        ]);
        prune(&mut tree, &package, &BTreeSet::new());
        let left: Vec<&str> = tree.keys().filter_map(|path| path.to_str()).collect();
        let expected = [
            "crates/kit/src/lib.rs",
            "crates/kit/src/stays/stays.rs",
            "crates/kit/src/stays.rs",
            "crates/other/src/gone.rs",
        ];
        assert_eq!(left, expected);
    }

    #[test]
    fn features_are_those_that_packages_turn_on() {
        let manifest = |name: &str, text: &str| (name.to_owned(), text.parse::<Table>().unwrap());
        let manifests = BTreeMap::from([
            manifest("lab", "[dependencies]\nkit = { package = \"spec\", path = \"s\" }"),
            manifest(
                "spec",
                "[dependencies]\nkit = { path = \"k\", default-features = false, features = [\"a\"] }",
            ),
            manifest(
                "kit",
                "[features]\ndefault = [\"a\", \"b\", \"c\"]\na = [\"b\", \"plot/png\"]\nb = []\nc = []",
            ),
            manifest("plot", "[features]\ndefault = []\npng = []"),
        ]);
        let found = on(&manifests);
        let names = |package: &str| found[package].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!((names("kit"), names("plot")), (vec!["a", "b"], vec!["png"]));
        let mut kit = manifests["kit"].clone();
        leave(&mut kit, &found["kit"]);
        let expected = "[features]\ndefault = [\"a\", \"b\"]\na = [\"b\", \"plot/png\"]\nb = []\n\
                        [lints.rust.unexpected_cfgs]\nlevel = \"warn\"\n\
                        check-cfg = [\"cfg(feature, values(\\\"c\\\"))\"]";
        assert_eq!(kit, expected.parse::<Table>().unwrap());
    }
}
