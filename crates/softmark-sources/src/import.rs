//! Imports: which names a `use` brings in, and from which module.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::token::{Token, after};

/// Names that a file or an item imports.
#[derive(Debug, Default, Clone)]
pub(crate) struct Imports {
    /// Names of the modules that a name may come from, by the name as it is used; an empty one if that is not known.
    pub(crate) names: BTreeMap<String, BTreeSet<String>>,
    /// Names in a `use … as name`, with the names of the items.
    pub(crate) aliases: BTreeSet<(String, String)>,
    /// True if all names of a module are imported that may be one of ours.
    pub(crate) all: bool,
}

impl Imports {
    /// Adds the import whose `use` is at `at`; `external` are the crates whose names can be none of ours. Returns the index
    /// after it.
    pub(crate) fn add(&mut self, tokens: &[Token], at: usize, external: &BTreeSet<String>) -> usize {
        let mut end = at;
        while end < tokens.len() && !tokens.get(end).is_some_and(|token| token.is(";")) {
            end = after(tokens, end);
        }
        self.tree(tokens, at + 1..end, None, external);
        end + 1
    }

    /// Reads one path with what it ends in; `parent` is the name before it, `None` at the root.
    fn tree(
        &mut self,
        tokens: &[Token],
        range: Range<usize>,
        parent: Option<&str>,
        external: &BTreeSet<String>,
    ) {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let mut parent = parent.map(str::to_owned);
        let mut at = range.start;
        while at < range.end {
            if is(at, ":") || is(at, "crate") && parent.is_none() && is(at, "extern") {
                at += 1;
            } else if is(at, "*") {
                self.all = true;
                return;
            } else if is(at, "{") {
                let close = tokens.get(at).and_then(|token| token.close).unwrap_or(range.end);
                let mut start = at + 1;
                while start < close {
                    let mut end = start;
                    while end < close && !is(end, ",") {
                        end = after(tokens, end);
                    }
                    self.tree(tokens, start..end, parent.as_deref(), external);
                    start = end + 1;
                }
                return;
            } else if let Some(name) = tokens.get(at).and_then(Token::name) {
                // Nothing in a crate of others is one of our items.
                if parent.is_none() && external.contains(name) {
                    return;
                }
                if is(at + 1, ":") {
                    parent = Some(name.to_owned());
                    at += 1;
                    continue;
                }
                let name = if name == "self" { parent.clone().unwrap_or_default() } else { name.to_owned() };
                let alias = tokens.get(at + 2).and_then(Token::name).filter(|_| is(at + 1, "as"));
                if let Some(alias) = alias {
                    self.aliases.insert((alias.to_owned(), name.clone()));
                }
                let used = alias.map_or_else(|| name.clone(), str::to_owned);
                self.names.entry(used).or_default().insert(parent.unwrap_or_default());
                return;
            } else {
                // Nothing else is part of an import.
                self.all = true;
                return;
            }
        }
    }
}
