//! Code that reads files or the environment while it is compiled.
//!
//! The grader's compiler cannot reach other files, and the grader refuses code that reads one, according to the
//! compiler's own list of files. This module reports the same by file and line, before compilation.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::source::token::{Kind, MacroUse, Token, around, end_of_group, macro_uses, tokens};
use crate::source::{Files, Refusal};

const READS_FILE: &str = "reads a file while the code is compiled. A submission is compiled from its \
                          own files alone: write what it needs into the code";
const READS_ENVIRONMENT: &str = "reads the environment of the machine that compiles the code, and a \
                                 submission is compiled without one: write what it needs into the code";
const NAMES_A_FILE: &str = "names a module that lies in another file. Only the assignment's own files \
                            are compiled: write the module here, as `mod name { … }`";
const FROM_A_MACRO: &str = "is handed to a macro, which may make it a module that lies in another \
                            file. Only the assignment's own files are compiled: write the module \
                            without the macro";
const NAMES_A_PATH: &str = "names the file of a module. Only the assignment's own files are compiled: \
                            write the module here, as `mod name { … }`";

/// Root file of the crate, which the assignment provides and which declares the modules.
const ROOT: &str = "lib.rs";

/// Returns every place in `files` that reads a file or the environment at compile time, in the order of
/// the files. Files that are not text are ignored, because the compiler refuses them.
pub fn compile_time_reads(files: &Files) -> Vec<Refusal> {
    let texts = files.iter().filter(|(name, _)| *name != ROOT);
    texts
        .filter_map(|(name, bytes)| Some((name, std::str::from_utf8(bytes).ok()?)))
        .flat_map(|(name, text)| in_file(name, text))
        .collect()
}

/// Returns every place in `files` with `unsafe`. The grader's compiler refuses it; a student's `cargo test`,
/// which compiles without that flag, calls this function.
pub fn unsafe_code(files: &Files) -> Vec<Refusal> {
    let mut found = Vec::new();
    for (name, bytes) in files {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        for token in tokens(text).iter().filter(|token| token.is("unsafe")) {
            let why = "`unsafe` is not allowed in a submission: the grader compiles it with `-F \
                       unsafe_code`.";
            found.push(Refusal::new(name, token.line, why));
        }
    }
    found
}

fn in_file(name: &str, text: &str) -> Vec<Refusal> {
    let tokens = tokens(text);
    let macros = macro_uses(&tokens);
    let places = Places {
        attributes: attributes(&tokens),
        uses: uses(&tokens),
        called: called(&tokens),
        tokens: &tokens,
    };
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = token.name() else { continue };
        let called = places.is(at + 1, "!");
        let raw = token.kind == Kind::RawName;
        let why = match word {
            "include_str" | "include_bytes" => READS_FILE,
            "include" if called || places.imports_from_std(at, word) => READS_FILE,
            "option_env" if called || places.imports_from_std(at, word) => READS_ENVIRONMENT,
            "env" if called || places.calls_alias_of(at) => READS_ENVIRONMENT,
            "mod" if !raw && !places.is_inline(at) => NAMES_A_FILE,
            "mod" if !raw && is_handed_over(&macros, at) => FROM_A_MACRO,
            "path" if places.is_attribute(at) => NAMES_A_PATH,
            _ => continue,
        };
        let bang = if called { "!" } else { "" };
        found.push(Refusal::new(name, token.line, &format!("`{word}{bang}` {why}.")));
    }
    found
}

/// True if the token at `at` is an argument of a macro call.
fn is_handed_over(macros: &[MacroUse], at: usize) -> bool {
    around(macros, at, |it| &it.body).is_some_and(|it| it.name != "macro_rules")
}

/// Tokens of a file, with its attributes and `use` declarations.
struct Places<'a> {
    tokens: &'a [Token<'a>],
    attributes: Vec<Range<usize>>,
    uses: Vec<Range<usize>>,
    /// The names that a `!` follows.
    called: BTreeSet<&'a str>,
}

impl Places<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).and_then(Token::name)
    }

    /// True if the `mod` at `at` has its body behind its name, which a macro may be handed.
    fn is_inline(&self, at: usize) -> bool {
        let dollar = usize::from(self.is(at + 1, "$"));
        self.name(at + 1 + dollar).is_some() && self.is(at + 2 + dollar, "{")
    }

    /// True if the name at `at` is one of an attribute that has a value: `path = …`.
    fn is_attribute(&self, at: usize) -> bool {
        let inside = around(&self.attributes, at, |it| it);
        inside.is_some() && self.is(at + 1, "=") && !self.is(at + 2, "=")
    }

    /// The `use` declaration that the token at `at` stands in, if it imports from the standard library
    /// or imports `word` itself.
    fn import(&self, at: usize, word: &str) -> Option<&Range<usize>> {
        let range = around(&self.uses, at, |it| it)?;
        let root = range.clone().find_map(|at| self.name(at).filter(|name| *name != "use"))?;
        (["std", "core", word].contains(&root)).then_some(range)
    }

    fn imports_from_std(&self, at: usize, word: &str) -> bool {
        self.import(at, word).is_some()
    }

    /// True if the `env` at `at` gets another name, by which a macro is called.
    fn calls_alias_of(&self, at: usize) -> bool {
        if self.import(at, "env").is_none() || !self.is(at + 1, "as") {
            return false;
        }
        self.name(at + 2).is_some_and(|alias| self.called.contains(alias))
    }
}

/// The names of a file that a `!` follows.
fn called<'a>(tokens: &'a [Token<'_>]) -> BTreeSet<&'a str> {
    let pairs = tokens.iter().zip(tokens.iter().skip(1));
    pairs.filter(|(_, next)| next.is("!")).filter_map(|(token, _)| token.name()).collect()
}

/// The attributes of a file.
fn attributes(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|it| it.is(text));
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let open = at + 1 + usize::from(is(at + 1, "!"));
        if is(at, "#") && is(open, "[") {
            let end = end_of_group(tokens, open);
            found.push(open..end);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// The `use` declarations of a file, each up to its semicolon.
fn uses(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(token) = tokens.get(at) {
        if token.is("use") {
            let length = tokens.iter().skip(at).position(|it| it.is(";"));
            let end = length.map_or(tokens.len(), |length| at + length);
            found.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refused(text: &str) -> Vec<String> {
        let files = [("lib.rs", "mod attention;"), ("attention.rs", text)];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        compile_time_reads(&files.into()).into_iter().map(|it| it.message).collect()
    }

    #[test]
    fn says_which_file_and_line() {
        let messages = refused("\n/* a\n */ const X: &str =\ninclude_str!(\"x\");");
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].starts_with("src/attention.rs:4: `include_str!` reads a file"));
    }

    #[test]
    fn finds_every_way_of_writing_it() {
        for text in [
            "include!(\"x\");",
            "std::include! { \"x\" }",
            "core::include!(concat!(\"/x\", \"y\"))",
            "include /* here */ !(\"x\")",
            "r#include!(\"x\")",
            "use std::include_str as read;",
            "use std::{include as read};",
            "use ::std::include as read;",
            "use core::{option, include_bytes as read};",
            "macro_rules! m { ($a:ident) => { $a!(\"x\") } } m!(include_bytes);",
            "#![doc = include_str!(\"x\")]",
            "#[doc = include_str!(\"x\")] fn f() {}",
            "const X: Option<&str> = option_env!(\"X\");",
            "use std::option_env as o;",
            "env!(\"X\")",
            "use std::env as e; const X: &str = e!(\"X\");",
            "use std::{fmt, env as e};\nconst X: &str = e ! [\"X\"];",
            "mod other;",
            "pub(crate) mod r#other ;",
            "#[path = \"/x\"] mod other;",
            "#[path = \"/x\"] mod other { pub mod inner { } }",
            "#[cfg_attr(all(), path = \"/x\")] mod other { }",
            "macro_rules! m { ($k:tt, $n:ident) => { $k $n; } } m!(mod, other);",
            "macro_rules! m { ($n:ident) => { mod $n; } } m!(other);",
            "macro_rules! m { ($k:tt $n:tt $b:tt) => { #[path = \"/x\"] $k $n; } } m! { mod x {} }",
            "macro_rules! m { ($k:tt $n:tt $b:tt) => { $k $n; } } m!(mod x {});",
            "macro_rules! m { ($i:item) => { $i } } m!(mod x;);",
            "#!/usr/bin/env x /*\ninclude!(\"x\"); // */",
            "\u{feff}#!/usr/bin/env x \"\nmod x;\n// \"",
            "#!r#\"\r\nmod x;\r\n// \"#",
        ] {
            assert!(!refused(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn accepts_innocent_code() {
        for text in [
            "// include_str!(\"x\") is not allowed; neither is mod x;",
            "/// `env!` and /* include! */\nfn f() {}",
            "const X: &str = \"include!(x)\"; const Y: &str = r#\"mod x;\"#;",
            "use std::env; fn f() { env::args(); std::env::var(\"X\").ok(); }",
            "use std::env as environment; fn f() { environment::args(); }",
            "mod tests { use super::*; }",
            "#[cfg(test)] mod r#tests {}",
            "macro_rules! m { ($n:ident) => { mod $n { pub fn f() {} } } } m!(other);",
            "let modulo = 7 % 2; let model = included(include_rows);",
            "let env = 3; let path = \"x\"; f(env, path);",
            "let include = mask; Rows { mask: include }; use crate::mask::include;",
            "struct Read { path: String } #[derive(Debug)] struct S; if path == \"x\" {}",
            "if !(include) { return } 'r' b'm' 'mod",
            "#![allow(dead_code)]\nfn f() {}",
        ] {
            assert_eq!(refused(text), [""; 0], "{text}");
        }
    }

    proptest! {
        #[test]
        fn reads_any_text(text in "\\PC*") {
            refused(&text);
        }

        /// A shebang does not hide the code after it, whatever it contains.
        #[test]
        fn a_shebang_hides_nothing(line in "[ -~]*") {
            prop_assume!(!line.trim_start().starts_with(['[', '/']));
            let found = refused(&format!("#!{line}\nmod x;"));
            prop_assert_eq!(found.len(), 1);
        }
    }
}
