//! Macros that are defined by `macro_rules!`, in the exam's packages and in the engine.

use std::collections::{BTreeMap, BTreeSet};

use crate::mention::STANDARD_MACROS;
use crate::names::may_be_item;
use crate::token::{Token, after, tokens};

/// Keyword of imports, which is kept among the names in the bodies of macros.
const USE: &str = "use";

/// Macros of other crates that import no name for the code around them.
const FOREIGN_MACROS: [&str; 6] =
    ["prop_assert", "prop_assert_eq", "prop_compose", "prop_oneof", "proptest", "sources"];

/// Names in the bodies of macros, by the macro's name.
#[derive(Debug, Default)]
pub(crate) struct Macros {
    pub(crate) bodies: BTreeMap<String, BTreeSet<String>>,
}

impl Macros {
    /// Adds the macros that a file defines.
    pub(crate) fn add(&mut self, text: &str) -> Option<()> {
        let tokens = tokens(text)?;
        let word = |at: usize| tokens.get(at).and_then(Token::name);
        for at in 0..tokens.len() {
            if word(at) != Some("macro_rules") {
                continue;
            }
            let Some(name) = word(at + 2) else { continue };
            let end = after(&tokens, at + 3);
            let body = self.bodies.entry(name.to_owned()).or_default();
            let words = (at + 3..end).filter_map(word);
            body.extend(words.filter(|word| may_be_item(word)).map(str::to_owned));
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

    /// Adds to the body of each macro those of the macros that it calls.
    pub(crate) fn close(&mut self) {
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

    /// True if nothing is known of a macro.
    pub(crate) fn is_foreign(&self, name: &str) -> bool {
        !self.bodies.contains_key(name) && !STANDARD_MACROS.contains(&name)
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
