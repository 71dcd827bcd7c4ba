//! Files of a release that no package of the course contains.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::release::manifest;
use crate::release::tree::Tree;

/// Comment before the student's own part of the manifest.
pub(super) const OWN: &str = "# The grader reads only which assignment this is: it builds what you hand in with a manifest of its own.\n";

/// Comment before the rest of the manifest.
pub(super) const COME_WITH: &str =
    "# The crates that come with the assignment, and how all is compiled.\n";

/// Settings of cargo that a course may have, and a release gets as well.
const CARGO_CONFIG: &str = ".cargo/config.toml";

/// Returns the files; `rustc` is the description of the compiler that the grader uses.
pub(super) fn files(home: &Path, rustc: &str) -> Tree {
    let texts = [
        (".gitignore", include_str!("../../templates/release/gitignore").to_owned()),
        (
            ".github/workflows/checks.yml",
            include_str!("../../templates/release/checks.yml").to_owned(),
        ),
        (".vscode/settings.json", include_str!("../../templates/release/settings.json").to_owned()),
        ("rust-toolchain.toml", toolchain(rustc)),
    ];
    let mut tree: Tree =
        texts.into_iter().map(|(path, text)| (PathBuf::from(path), text.into_bytes())).collect();
    if let Ok(config) = fs::read(home.join(CARGO_CONFIG)) {
        tree.insert(CARGO_CONFIG.into(), config);
    }
    tree
}

/// Returns the toolchain file that selects the version of the grader's compiler.
fn toolchain(rustc: &str) -> String {
    let release = rustc.lines().find_map(|line| line.strip_prefix("release: "));
    let channel = release.unwrap_or("stable");
    format!(
        "# The compiler that the grader uses.\n[toolchain]\nchannel = \"{channel}\"\nprofile = \"default\"\n"
    )
}

/// Returns the names of all packages in a `Cargo.lock`.
pub(super) fn locked(lock: &Table) -> BTreeSet<&str> {
    let packages = lock.get("package").and_then(Value::as_array).into_iter().flatten();
    packages.filter_map(|package| package.get("name")?.as_str()).collect()
}

/// Returns the text of the profiles of a course's manifest with which a release is built: those of `dev` and `release`, for
/// packages with the given names.
pub(super) fn profiles(course: &Table, names: &BTreeSet<&str>) -> String {
    let mut profiles = course.get("profile").and_then(Value::as_table).cloned().unwrap_or_default();
    profiles.retain(|name, _| ["dev", "release"].contains(&name));
    let mut text = String::new();
    for (name, profile) in profiles {
        let Value::Table(mut profile) = profile else { continue };
        let packages = profile.remove("package");
        text.push_str(&manifest::lines(&format!("profile.{name}"), &profile));
        if let Some(Value::Table(mut packages)) = packages {
            packages.retain(|name, _| name == "*" || names.contains(name));
            let all = packages.remove("*").map(|it| ("\"*\"".to_owned(), it));
            let packages: Table = all.into_iter().chain(packages).collect();
            text.push('\n');
            text.push_str(&manifest::lines(&format!("profile.{name}.package"), &packages));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_no_profile_of_a_package_that_it_does_not_have() {
        let course: Table = "[profile.dev]\nopt-level = 1\n[profile.dev.package]\na = { debug = false }\n\
            b = { debug = false }\n[profile.dev.package.\"*\"]\nopt-level = 2\n[profile.pack]\nlto = true\n"
            .parse()
            .unwrap();
        let lock: Table = "[[package]]\nname = \"a\"\n[[package]]\nname = \"c\"\n".parse().unwrap();
        let found = profiles(&course, &locked(&lock));
        let expected: Table =
            "[profile.dev]\nopt-level = 1\n[profile.dev.package]\na = { debug = false }\n\
            [profile.dev.package.\"*\"]\nopt-level = 2\n"
                .parse()
                .unwrap();
        assert_eq!(found.parse::<Table>().unwrap(), expected, "{found}");
    }

    #[test]
    fn the_toolchain_is_that_of_the_grader() {
        assert!(toolchain("rustc 1.95.0 (x)\nrelease: 1.95.0\n").contains("channel = \"1.95.0\""));
        assert!(toolchain("").contains("channel = \"stable\""));
    }
}
