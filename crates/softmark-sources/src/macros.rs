//! Macros that are defined by `macro_rules!`, in the exam's packages and in the engine.

use std::collections::{BTreeMap, BTreeSet};

use crate::mention::{STANDARD_MACROS, is_call_of_macro};
use crate::names::may_be_item;
use crate::token::{Token, after, tokens};

/// Keyword of imports, which is kept among the names in the bodies of macros.
const USE: &str = "use";

/// Macros of other crates that import no name for the code around them, and make nothing of anything but their arguments.
const FOREIGN_MACROS: [&str; 6] =
    ["prop_assert", "prop_assert_eq", "prop_compose", "prop_oneof", "proptest", "sources"];

/// Names in the bodies of macros, by the macro's name.
#[derive(Debug, Default)]
pub(crate) struct Macros {
    pub(crate) bodies: BTreeMap<String, BTreeSet<String>>,
    /// Macros whose bodies call a macro of others: what they make is not known.
    foreign_bodies: BTreeSet<String>,
    /// Macros that the bodies call, by the macro's name.
    calls: BTreeMap<String, BTreeSet<String>>,
}

impl Macros {
    /// Adds the macros that a file of the engine defines. What they call is part of the engine, whose digest is in each key.
    pub(crate) fn add_engine(&mut self, text: &str) -> Option<()> {
        self.add(text)?;
        self.calls.clear();
        Some(())
    }

    /// Adds the macros that a file defines.
    pub(crate) fn add(&mut self, text: &str) -> Option<()> {
        let tokens = tokens(text)?;
        let word = |at: usize| tokens.get(at).and_then(Token::name);
        let item = |at: &usize| word(*at).filter(|word| may_be_item(word)).map(str::to_owned);
        let is_called = |at: &usize| is_call_of_macro(&tokens, *at);
        for at in 0..tokens.len() {
            if word(at) != Some("macro_rules") {
                continue;
            }
            let Some(name) = word(at + 2) else { continue };
            let body = at + 3..after(&tokens, at + 3);
            let names = body.clone().filter_map(|at| item(&at));
            self.bodies.entry(name.to_owned()).or_default().extend(names);
            let called = body.filter(is_called).filter_map(|at| item(&at));
            self.calls.entry(name.to_owned()).or_default().extend(called);
        }
        Some(())
    }

    /// True if a call of the macro may import names: its body does, or is not known.
    pub(crate) fn may_import(&self, name: &str) -> bool {
        let is_harmless = STANDARD_MACROS.contains(&name) || FOREIGN_MACROS.contains(&name);
        match self.bodies.get(name) {
            Some(body) => body.contains(USE),
            None => !is_harmless,
        }
    }

    /// Adds the macros of a file.
    pub(crate) fn extend(&mut self, other: Self) {
        for (name, body) in other.bodies {
            self.bodies.entry(name).or_default().extend(body);
        }
        for (name, called) in other.calls {
            self.calls.entry(name).or_default().extend(called);
        }
    }

    /// Adds to the body of each macro those of the macros that it calls, and finds the macros that call one of others.
    pub(crate) fn close(&mut self) {
        loop {
            let calls_foreign =
                |called: &BTreeSet<String>| called.iter().any(|name| self.is_foreign_inside(name));
            let found = self.calls.iter().filter(|(_, called)| calls_foreign(called));
            let found: BTreeSet<String> = found.map(|(name, _)| name.clone()).collect();
            if found == self.foreign_bodies {
                break;
            }
            self.foreign_bodies = found;
        }
        loop {
            let mut grown = BTreeMap::new();
            for (name, body) in &self.bodies {
                let called = body.iter().filter_map(|word| self.bodies.get(word)).flatten();
                let all: BTreeSet<String> = body.iter().chain(called).cloned().collect();
                if all.len() > body.len() {
                    grown.insert(name.clone(), all);
                }
            }
            if grown.is_empty() {
                return;
            }
            self.bodies.extend(grown);
        }
    }

    /// True if it is not known what the call of a macro beside items declares.
    pub(crate) fn is_foreign(&self, name: &str) -> bool {
        let is_known = self.bodies.contains_key(name) || STANDARD_MACROS.contains(&name);
        !is_known || self.foreign_bodies.contains(name)
    }

    /// True if it is not known what the call of a macro inside of an item makes.
    pub(crate) fn is_foreign_inside(&self, name: &str) -> bool {
        self.is_foreign(name) && !FOREIGN_MACROS.contains(&name)
    }

    /// Returns the macros that read files, or the environment, where they are called.
    pub(crate) fn reading(&self) -> BTreeSet<String> {
        let reads = |body: &BTreeSet<String>| {
            ["include_str", "include_bytes"].iter().any(|name| body.contains(*name))
        };
        let found = self.bodies.iter().filter(|(_, body)| reads(body));
        found.map(|(name, _)| name.clone()).collect()
    }
}
