//! The public functions of a library, read from its sources.
//!
//! The sources are formatted by rustfmt, so an item begins where its module is indented to. That is
//! enough to list what a library offers; it is no parser. Functions of traits are not listed, nor are
//! `impl … for …`; a macro that makes public functions ends it with a panic, and so does an `impl` in
//! another module than its type's, whose functions would not be listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// An item that a submission can name: where it is defined, and every path that leads to it.
pub(crate) type Offered = BTreeMap<String, BTreeSet<String>>;

/// A module of a library.
#[derive(Debug, Default)]
struct Module {
    /// Name → whether it is public, and the module.
    children: BTreeMap<String, (bool, Self)>,
    /// Functions and types; the names of a type's public functions.
    items: BTreeMap<String, BTreeSet<String>>,
    /// Re-exports: path, and the name that it gets; `*` for all of a module.
    exports: Vec<(Vec<String>, String)>,
    /// Libraries whose items are re-exported; only the root has any.
    libraries: BTreeMap<String, Self>,
}

impl Module {
    /// The module of that name in this one, or the library, and whether it is public.
    fn child(&self, name: &str) -> Option<(bool, &Self)> {
        let library = || self.libraries.get(name).map(|library| (false, library));
        self.children.get(name).map(|(is_public, child)| (*is_public, child)).or_else(library)
    }
}

/// Every public function of the library `name` whose sources are in `dir`: a function by its path, and
/// one of a type by the type's path and its name. `others` are the libraries whose items it re-exports,
/// with their sources.
pub(crate) fn functions(name: &str, dir: &Path, others: &[(&str, &Path)]) -> Offered {
    let mut root = module(&dir.join("lib.rs"), dir);
    for (other, dir) in others {
        let module = module(&dir.join("lib.rs"), dir);
        root.libraries.insert((*other).to_owned(), module);
    }
    let mut found = Offered::new();
    list(&root, (&[], &mut vec![name.to_owned()]), (name, &root), &mut found);
    found
}

fn module(file: &Path, dir: &Path) -> Module {
    let text = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let text = text.split("\n#[cfg(test)]\nmod ").next().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let declared: BTreeSet<&str> = lines.iter().filter_map(|line| declared_type(line)).collect();
    for (at, line) in lines.iter().enumerate() {
        if line.starts_with("impl") && !line.contains(" for ") {
            let block = &lines[at + 1..end_of_block(&lines, at + 1, 0)];
            let (of, is_public) =
                (of_impl(line), block.iter().any(|it| it.starts_with("    pub ")));
            let is_here = !is_public || declared.contains(&*of);
            assert!(is_here, "{}: `{of}` is declared elsewhere", file.display());
        }
    }
    let mut module = Module::default();
    read(&lines, 0, dir, &mut module);
    module
}

/// The type that a line declares, whatever its visibility.
fn declared_type(line: &str) -> Option<&str> {
    let visible = line.strip_prefix("pub").and_then(|rest| rest.split_once(' '));
    type_name(visible.map_or(line, |(_, item)| item))
}

/// Reads the items that begin at an indentation.
fn read(lines: &[&str], indent: usize, dir: &Path, into: &mut Module) {
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        let begins = line.len() - line.trim_start().len() == indent;
        let text = line.trim_start();
        at += 1;
        if !begins || text.starts_with("//") {
            continue;
        }
        if text.starts_with("macro_rules!") {
            let end = end_of_block(lines, at, indent);
            let makes = lines[at..end].iter().any(|it| it.trim_start().starts_with("pub fn "));
            assert!(!makes, "a macro makes public functions, which are not read: {line}");
        }
        let public = text.strip_prefix("pub ");
        let item = public.unwrap_or(text.split_once("pub(crate) ").map_or(text, |(_, it)| it));
        if let Some(name) = item.strip_prefix("mod ") {
            let (name, inline) = name.split_once([' ', ';']).unwrap();
            let child = if inline.starts_with('{') {
                let end = end_of_block(lines, at, indent);
                let mut child = Module::default();
                read(&lines[at..end], indent + 4, dir, &mut child);
                child
            } else {
                let candidates = [dir.join(format!("{name}.rs")), dir.join(name).join("mod.rs")];
                let file: &PathBuf = candidates.iter().find(|it| it.is_file()).unwrap();
                module(file, &dir.join(name))
            };
            into.children.insert(name.to_owned(), (public.is_some(), child));
        } else if public.is_some_and(|it| it.starts_with("use ")) {
            let mut tree = String::new();
            for more in &lines[at - 1..] {
                tree.push_str(more.trim());
                if more.ends_with(';') {
                    break;
                }
            }
            let tree = tree.trim_start_matches("pub use ").trim_end_matches(';');
            leaves(tree, &[], &mut into.exports);
        } else if item.starts_with("impl") && !item.contains(" for ") {
            let end = end_of_block(lines, at, indent);
            let of = of_impl(item);
            let methods = into.items.entry(of).or_default();
            for line in &lines[at..end] {
                let inner = line.strip_prefix(&" ".repeat(indent + 4)).unwrap_or_default();
                methods.extend(inner.strip_prefix("pub ").and_then(function).map(str::to_owned));
            }
        } else if let Some(name) = public.and_then(|it| function(it).or_else(|| type_name(it))) {
            into.items.entry(name.to_owned()).or_default();
        }
    }
}

/// The line that ends a block which the line before `at` begins.
fn end_of_block(lines: &[&str], at: usize, indent: usize) -> usize {
    let end = format!("{}}}", " ".repeat(indent));
    let one_line = lines[at - 1].ends_with('}');
    if one_line { at } else { at + lines[at..].iter().position(|line| *line == end).unwrap() }
}

fn word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap()
}

fn function(item: &str) -> Option<&str> {
    let item = item.trim_start_matches("const ").trim_start_matches("unsafe ");
    item.strip_prefix("fn ").map(word)
}

fn type_name(item: &str) -> Option<&str> {
    let kinds = ["struct ", "enum ", "type "];
    kinds.iter().find_map(|kind| item.strip_prefix(kind)).map(word)
}

/// The type of an `impl`: `impl<'a, T: Into<U>> Name<'a, T> {`.
fn of_impl(item: &str) -> String {
    let item = item.replace("->", "");
    let mut rest = item.trim_start_matches("impl");
    let mut depth = 0_i32;
    if rest.starts_with('<') {
        let end = rest.find(|c: char| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        rest = &rest[end.unwrap() + 1..];
    }
    word(rest.trim_start()).to_owned()
}

/// The paths of a `use` tree, and the names that they get.
fn leaves(tree: &str, prefix: &[String], into: &mut Vec<(Vec<String>, String)>) {
    let (path, group) = match tree.split_once('{') {
        Some((path, group)) => (path, group.strip_suffix('}')),
        None => (tree, None),
    };
    let (path, alias) = path.split_once(" as ").map_or((path, None), |(a, b)| (a, Some(b)));
    let segments = path.split("::").filter(|it| !it.is_empty()).map(str::to_owned);
    let path: Vec<String> = prefix.iter().cloned().chain(segments).collect();
    if let Some(group) = group {
        let mut depth = 0_i32;
        let parts = group.split(|c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        });
        for part in parts.map(str::trim).filter(|it| !it.is_empty()) {
            leaves(part, &path, into);
        }
    } else if let Some((last, module)) = path.split_last() {
        let path = if last == "*" { module.to_vec() } else { path.clone() };
        into.push((path, alias.unwrap_or(last).to_owned()));
    }
}

/// Adds what a public module offers under the path `public`; `defined` is its own path in the crate.
fn list(
    module: &Module,
    (defined, public): (&[String], &mut Vec<String>),
    root: (&str, &Module),
    found: &mut Offered,
) {
    for name in module.items.keys() {
        offer(module, (defined, name), (public, name), root, found);
    }
    for (name, (is_public, child)) in &module.children {
        if *is_public {
            let defined = [defined, std::slice::from_ref(name)].concat();
            public.push(name.clone());
            list(child, (&defined, &mut *public), root, found);
            public.pop();
        }
    }
    for (path, alias) in &module.exports {
        let Some((at, target, name)) = resolve(path, defined, root.1) else { continue };
        match name {
            None if alias == "*" => list(target, (&at, &mut *public), root, found),
            None => {
                public.push(alias.clone());
                list(target, (&at, &mut *public), root, found);
                public.pop();
            }
            Some(name) => offer(target, (&at, &name), (public, alias), root, found),
        }
    }
}

/// Adds an item, its functions with it.
fn offer(
    module: &Module,
    (defined, name): (&[String], &str),
    (public, alias): (&[String], &str),
    (library, root): (&str, &Module),
    found: &mut Offered,
) {
    let Some(methods) = module.items.get(name) else {
        // It is re-exported there too.
        for (path, other) in module.exports.iter().filter(|(_, other)| other == name) {
            assert_eq!(other, name);
            match resolve(path, defined, root) {
                Some((at, target, Some(name))) => {
                    offer(target, (&at, &name), (public, alias), (library, root), found);
                }
                // A module.
                Some((at, target, None)) => {
                    let mut public = [public, &[alias.to_owned()]].concat();
                    list(target, (&at, &mut public), (library, root), found);
                }
                None => {}
            }
        }
        return;
    };
    let is_type = name.starts_with(char::is_uppercase);
    let defined = [&[library.to_owned()], defined, &[name.to_owned()]].concat().join("::");
    let public = [public, &[alias.to_owned()]].concat().join("::");
    if !is_type {
        found.entry(defined).or_default().insert(public);
        return;
    }
    for method in methods {
        let path = format!("{public}::{method}");
        found.entry(format!("{defined}::{method}")).or_default().insert(path);
    }
}

/// The module that a path leads to from the module at `from`, and the item in it; `None` in place of
/// the item where the path is a module's. Nothing where it leads out of the crate.
fn resolve<'a>(
    path: &[String],
    from: &[String],
    root: &'a Module,
) -> Option<(Vec<String>, &'a Module, Option<String>)> {
    let mut at: Vec<String> = from.to_vec();
    // Paths of a library begin at its own root.
    let library = usize::from(at.first().is_some_and(|it| root.libraries.contains_key(it)));
    if path.first().is_some_and(|it| root.libraries.contains_key(it)) {
        at.clear();
    }
    let mut rest = path;
    while let Some((first, more)) = rest.split_first() {
        match first.as_str() {
            "crate" => at.truncate(library),
            "self" => {}
            "super" => drop(at.pop()),
            _ => break,
        }
        rest = more;
    }
    let mut module =
        at.iter().try_fold(root, |module, name| module.child(name).map(|(_, child)| child))?;
    for (place, name) in rest.iter().enumerate() {
        // A function may be called as the private module is that it comes from.
        let is_item = module.exports.iter().any(|(_, other)| other == name);
        match module.child(name) {
            Some((is_public, child)) if is_public || place + 1 < rest.len() || !is_item => {
                module = child;
                at.push(name.clone());
            }
            Some(_) => return Some((at, module, Some(name.clone()))),
            None if place + 1 == rest.len() => return Some((at, module, Some(name.clone()))),
            None => return None,
        }
    }
    Some((at, module, None))
}
