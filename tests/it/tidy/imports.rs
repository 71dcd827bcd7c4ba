//! No two files of a crate import each other, directly or through others.
//!
//! A file imports what it names in `use` or as `crate::…` or `super::…`. Re-exports are followed to the file that
//! declares the item, and are no import of their own.

use std::collections::{BTreeMap, BTreeSet};

use crate::tidy::{fail_with, sources};

/// Path of a module or an item in a crate, without `crate`.
type Path = Vec<String>;

/// Module of a crate.
#[derive(Default)]
struct Module {
    file: String,
    imports: Vec<Path>,
    /// Re-exported items, by the names that they have here.
    exports: BTreeMap<String, Path>,
}

/// Modules of a crate, by their paths.
type Modules = BTreeMap<Path, Module>;

/// The path of the module in a file below `src/`; `None` if another file is the root of the crate.
fn module_path(file: &str, has_library: bool) -> Option<Path> {
    let parts: Path = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    match parts.as_slice() {
        [root] if root == "main" && has_library => None,
        [root] if root == "main" || root == "lib" => Some(Vec::new()),
        [folder @ .., last] if last == "mod" => Some(folder.to_vec()),
        all => Some(all.to_vec()),
    }
}

/// The text without comments, and without the tests at its end.
fn code_of(text: &str) -> String {
    let before_tests = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = before_tests.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> Path {
    text.split("::").map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
}

/// The paths of a `use` tree, each with the name that it gets.
fn expand(tree: &str, before: &[String]) -> Vec<(Path, String)> {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let before = [before, &words(head)].concat();
        let group = group.strip_suffix('}').unwrap_or(group);
        return items(group).iter().flat_map(|item| expand(item, &before)).collect();
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path = [before, &words(path)].concat();
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = if name.is_empty() { path.last().cloned() } else { Some(name.trim().to_owned()) };
    name.map(|name| (path, name)).into_iter().collect()
}

/// The items of a list, split at the commas outside of braces.
fn items(list: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0);
    for c in list.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match all.last_mut() {
            Some(item) if c != ',' || depth > 0 => item.push(c),
            _ => all.push(String::new()),
        }
    }
    all.retain(|item| !item.trim().is_empty());
    all
}

/// Every path in the text that begins with one of the words that stand for a module.
fn named_paths(text: &str) -> Vec<Path> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let parts = text.split(|c: char| !is_part(c));
    let inside = parts.filter(|part| part.starts_with("crate::") || part.starts_with("super::"));
    inside.map(words).collect()
}

fn module(file: &str, text: &str) -> Module {
    let mut module = Module { file: file.to_owned(), ..Module::default() };
    let mut rest = String::new();
    for statement in code_of(text).split_inclusive(';') {
        let start = statement.rfind("\nuse ").or(statement.rfind("\npub")).unwrap_or(0);
        let (before, last) = statement.split_at(start);
        let last = last.trim();
        let Some((visibility, tree)) = last.split_once("use ") else {
            rest.push_str(statement);
            continue;
        };
        if !(visibility.is_empty() || visibility.starts_with("pub") && !visibility.contains('{')) {
            rest.push_str(statement);
            continue;
        }
        rest.push_str(before);
        for (path, name) in expand(tree.trim_end_matches(';'), &[]) {
            if visibility.is_empty() {
                module.imports.push(path);
            } else {
                module.exports.insert(name, path);
            }
        }
    }
    module.imports.extend(named_paths(&rest));
    module
}

/// The path in the crate that a path in a module stands for; `None` if it is in another crate.
fn absolute(modules: &Modules, at: &[String], path: &[String]) -> Option<Path> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([at, &path[1..]].concat()),
        "super" => {
            let above = &at[..at.len().saturating_sub(1)];
            match path.get(1).map(String::as_str) {
                Some("super") => absolute(modules, above, &path[1..]),
                _ => Some([above, &path[1..]].concat()),
            }
        }
        first => {
            let child = [at, &[first.to_owned()]].concat();
            modules.contains_key(&child).then(|| [at, path].concat())
        }
    }
}

/// The module that declares what a path in the crate names.
fn declared_in(modules: &Modules, path: &[String]) -> Option<Path> {
    let depth = (0..=path.len()).rev().find(|n| modules.contains_key(&path[..*n]))?;
    let (at, rest) = path.split_at(depth);
    let export = rest.first().and_then(|name| modules[at].exports.get(name));
    match export.and_then(|export| absolute(modules, at, export)) {
        Some(export) if export != path => declared_in(modules, &[&export, &rest[1..]].concat()),
        _ => Some(at.to_vec()),
    }
}

/// The modules that each module imports.
fn imports(modules: &Modules) -> BTreeMap<&Path, BTreeSet<Path>> {
    let imported = |at: &Path, module: &Module| {
        let paths = module.imports.iter().filter_map(|path| absolute(modules, at, path));
        let others = paths.filter_map(|path| declared_in(modules, &path));
        others.filter(|other| other != at).collect()
    };
    modules.iter().map(|(at, module)| (at, imported(at, module))).collect()
}

/// The files that import themselves through others.
fn in_cycles(modules: &Modules) -> Vec<String> {
    let direct = imports(modules);
    let reaches_itself = |start: &Path| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
        while let Some(at) = next.pop() {
            next.extend(direct[at].iter().filter(|other| seen.insert((*other).clone())));
        }
        seen.contains(start)
    };
    let those = modules.iter().filter(|(at, _)| reaches_itself(at));
    those.map(|(_, module)| module.file.clone()).collect()
}

fn modules_of(files: &[(String, String)], folder: &str) -> Modules {
    let inside: Vec<(&str, &String)> = files
        .iter()
        .filter_map(|(file, text)| Some((file.strip_prefix(folder)?.strip_prefix('/')?, text)))
        .collect();
    let has_library = inside.iter().any(|(file, _)| *file == "lib.rs");
    let each = inside.into_iter().filter_map(|(file, text)| {
        let path = module_path(file, has_library)?;
        Some((path, module(&format!("{folder}/{file}"), text)))
    });
    each.collect()
}

/// The `src` folders of all crates in `files`.
fn crates(files: &[(String, String)]) -> BTreeSet<String> {
    let root = |file: &str| {
        let folder = file.strip_suffix("/lib.rs").or(file.strip_suffix("/main.rs"))?;
        folder.ends_with("src").then(|| folder.to_owned())
    };
    files.iter().filter_map(|(file, _)| root(file)).collect()
}

#[test]
fn no_files_import_each_other() {
    let mut problems = Vec::new();
    for folder in ["src", "crates", "labs", "assignments", "solutions"] {
        let files = sources(folder);
        for root in crates(&files) {
            let cycle = in_cycles(&modules_of(&files, &root));
            if !cycle.is_empty() {
                problems.push(format!("these import one another: {}", cycle.join(", ")));
            }
        }
    }
    fail_with(&problems);
}

#[test]
fn files_that_import_each_other_are_noticed() {
    let files = |one: &str, other: &str| {
        let root = "mod one;\nmod other;\n\npub use one::{One, More as Most};\n";
        let all = [("src/lib.rs", root), ("src/one.rs", one), ("src/other.rs", other)];
        all.map(|(file, text)| (file.to_owned(), text.to_owned()))
    };
    let cycle = |one: &str, other: &str| in_cycles(&modules_of(&files(one, other), "src"));
    let both = ["src/one.rs", "src/other.rs"];
    assert_eq!(cycle("use crate::other::B;\n", "use crate::one::{One, Two};\n"), both);
    assert_eq!(cycle("use super::other;\n", "fn f() {\n    crate::one::g();\n}\n"), both);
    assert_eq!(cycle("use crate::other::B;\n", "\nuse crate::Most;\n"), both, "a re-export");
    assert!(cycle("use crate::other::B;\n", "// crate::one\nuse std::fmt;\n").is_empty());
    let tested = "pub struct B;\n\n#[cfg(test)]\nmod tests {\n    use crate::one::One;\n}\n";
    assert!(cycle("use crate::other::B;\n", tested).is_empty());
}
