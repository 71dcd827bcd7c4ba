//! Imports: which names a `use` brings in, and from which module.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::mention::{Form, Mention};
use crate::token::{Token, after};

/// Names that a file or an item imports.
#[derive(Debug, Default, Clone)]
pub(crate) struct Imports {
    /// Names of the modules that a name of ours may come from, by the name as it is used; an empty one for the root.
    pub(crate) names: BTreeMap<String, BTreeSet<String>>,
    /// Names in a `use … as name`, with the names of the items.
    pub(crate) aliases: BTreeSet<(String, String)>,
    /// True if all names of a module are imported that may be one of ours.
    pub(crate) all: bool,
    /// Paths of all imports, whosever they are, by the name as it is used; `*` for all names of a module.
    pub(crate) paths: BTreeMap<String, BTreeSet<String>>,
}

/// Part of an import that is read: what stands before it.
#[derive(Debug, Clone)]
struct Place {
    path: String,
    /// Name before it; empty at the root.
    parent: String,
    /// True if it begins with a crate whose names can be none of ours.
    is_external: bool,
}

impl Imports {
    /// Adds the import whose `use` is at `at`; `external` are the crates whose names can be none of ours.
    pub(crate) fn add(&mut self, tokens: &[Token], at: usize, external: &BTreeSet<String>) {
        let mut end = at;
        while end < tokens.len() && !tokens.get(end).is_some_and(|token| token.is(";")) {
            end = after(tokens, end);
        }
        let root = Place { path: String::new(), parent: String::new(), is_external: false };
        self.tree(tokens, at + 1..end, root, external);
    }

    /// Returns the paths of imports that names of an item can depend on: those of its names, and of traits if it calls methods.
    pub(crate) fn paths_for(&self, mentions: &[Mention]) -> BTreeSet<&String> {
        let calls_methods = mentions.iter().any(|it| it.form == Form::Method);
        let names: BTreeSet<&str> = mentions.iter().map(|it| it.name.as_str()).collect();
        let may_be_trait =
            |name: &str| name.starts_with(|first: char| first == '_' || first.is_uppercase());
        let is_used = |name: &str| {
            name == "*" || names.contains(name) || (calls_methods && may_be_trait(name))
        };
        let used = self.paths.iter().filter(|(name, _)| is_used(name));
        used.flat_map(|(_, paths)| paths).collect()
    }

    /// Reads one path with what it ends in.
    fn tree(
        &mut self,
        tokens: &[Token],
        range: Range<usize>,
        mut place: Place,
        external: &BTreeSet<String>,
    ) {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let mut at = range.start;
        while at < range.end {
            if is(at, ":") {
                place.path.push(':');
            } else if is(at, "{") {
                self.group(tokens, at, &place, external);
                return;
            } else if let Some(name) = tokens.get(at).and_then(Token::name) {
                place.is_external |= place.parent.is_empty() && external.contains(name);
                if !is(at + 1, ":") {
                    let alias = tokens.get(at + 2).and_then(Token::name);
                    self.leaf(name, alias.filter(|_| is(at + 1, "as")), place);
                    return;
                }
                place.path.push_str(name);
                name.clone_into(&mut place.parent);
            } else {
                // All names, or nothing that is known of an import.
                self.all |= !place.is_external;
                self.paths.entry("*".to_owned()).or_default().insert(place.path);
                return;
            }
            at += 1;
        }
    }

    /// Reads the paths in the group whose brace is at `open`.
    fn group(&mut self, tokens: &[Token], open: usize, place: &Place, external: &BTreeSet<String>) {
        let close = tokens.get(open).and_then(|token| token.close).unwrap_or(tokens.len());
        let mut start = open + 1;
        while start < close {
            let mut end = start;
            while end < close && !tokens.get(end).is_some_and(|token| token.is(",")) {
                end = after(tokens, end);
            }
            self.tree(tokens, start..end, place.clone(), external);
            start = end + 1;
        }
    }

    fn leaf(&mut self, name: &str, alias: Option<&str>, place: Place) {
        let Place { path, parent, is_external } = place;
        let name = if name == "self" { parent.as_str() } else { name };
        let used = alias.unwrap_or(name).to_owned();
        self.paths.entry(used.clone()).or_default().insert(format!("{path}{name} as {used}"));
        if is_external {
            return;
        }
        if alias.is_some() {
            self.aliases.insert((used.clone(), name.to_owned()));
        }
        self.names.entry(used).or_default().insert(parent);
    }
}
