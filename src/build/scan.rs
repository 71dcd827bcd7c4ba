//! What a submission's text asks of the machine that compiles it.
//!
//! The sandbox keeps a compiler from every file that is not the submission's own; this says so in
//! words, by file and line, where the compiler would speak of a path that does not exist. Only at
//! level [`Strict`](crate::sandbox::Level::Strict), where a compiler can read what the user can, is it
//! what keeps files away. Identifiers cannot be made up by the macros that a submission may use, so
//! what is not in its text it does not call.

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

use crate::build::compile::Source;
use crate::build::fault::{BuildFault, BuildFaultKind};
use crate::model::Usage;

/// The file that an assignment provides, and that says which files there are.
const ROOT: &str = "lib.rs";

/// What is asked, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    /// For the student.
    pub(crate) message: String,
    /// Whether it may also be something innocent, such as a variable of that name.
    pub(crate) maybe: bool,
}

/// A token that means something, with the line that it stands in.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    kind: TokenKind,
    text: &'a str,
    line: usize,
}

/// The first thing that a submission asks of the machine; what it certainly asks comes before what it
/// may ask.
pub(crate) fn asked(source: &Source) -> Option<Asked> {
    let texts = source.iter().filter(|(name, _)| *name != ROOT);
    let found: Vec<Asked> = texts
        .filter_map(|(name, bytes)| Some((name, std::str::from_utf8(bytes).ok()?)))
        .flat_map(|(name, text)| in_file(name, text))
        .collect();
    let certain = found.iter().find(|asked| !asked.maybe);
    certain.or(found.first()).cloned()
}

/// The first of the names in `forbidden` that a file uses: each stands for what the assignment asks to
/// be built, ready-made, and whoever calls it has not built it.
///
/// Only whole identifiers count, whichever way they are written; comments and texts in quotes do not.
/// There is no telling whether a name is the library's or the submission's own, since a glob brings
/// in names unseen: so neither may have it.
pub fn forbidden(source: &Source, forbidden: &[String]) -> Option<BuildFault> {
    let texts =
        source.iter().filter_map(|(name, bytes)| Some((name, std::str::from_utf8(bytes).ok()?)));
    let is_forbidden = |word: &Word<'_>| {
        let is_name = matches!(word.kind, TokenKind::Ident | TokenKind::RawIdent);
        is_name && forbidden.iter().any(|name| name == word.text)
    };
    let found: Vec<String> = texts
        .flat_map(|(name, text)| {
            let used = words(text).into_iter().filter(is_forbidden);
            used.map(|Word { text, line, .. }| {
                format!(
                    "src/{name}:{line}: `{text}` may not be used here: it does what this assignment \
                     asks you to build. Build it from simpler operations; if it is a name of your own, \
                     choose another."
                )
            })
            .collect::<Vec<_>>()
        })
        .collect();
    let message = found.first()?.clone();
    let kind = BuildFaultKind::Forbidden;
    Some(BuildFault { kind, message, errors: found.len(), usage: Usage::default() })
}

fn in_file(name: &str, text: &str) -> Vec<Asked> {
    let words = words(text);
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let kind = |offset: usize| words.get(at + offset).map(|word| word.kind);
        let called = kind(1) == Some(TokenKind::Bang);
        let why = match (word.text, called) {
            ("include" | "include_str" | "include_bytes", _) => {
                "reads a file while the code is compiled. A submission is compiled from its own files \
                 alone: write what it needs into the code"
            }
            ("env" | "option_env", true) => {
                "reads the environment of the machine that compiles the code, and a submission is \
                 compiled without one: write what it needs into the code"
            }
            ("mod", _) if !is_inline([kind(1), kind(2), kind(3)]) => {
                "names a module that lies in another file. Only the assignment's own files are \
                 compiled: write the module here, as `mod name { … }`"
            }
            _ => continue,
        };
        let maybe = word.text == "include" && !called;
        let bang = if called { "!" } else { "" };
        let (line, text) = (word.line, word.text);
        found.push(Asked { message: format!("src/{name}:{line}: `{text}{bang}` {why}."), maybe });
    }
    found
}

/// Whether a module has its body here; a macro may be handed its name.
fn is_inline(after: [Option<TokenKind>; 3]) -> bool {
    matches!(
        after,
        [Some(TokenKind::Ident | TokenKind::RawIdent), Some(TokenKind::OpenBrace), _]
            | [Some(TokenKind::Dollar), Some(TokenKind::Ident), Some(TokenKind::OpenBrace)]
    )
}

/// The tokens of a text, without blanks and comments; a raw identifier is the one that it spells.
fn words(text: &str) -> Vec<Word<'_>> {
    let (mut rest, mut line) = (text, 1);
    let mut words = Vec::new();
    for token in tokenize(text, FrontmatterAllowed::No) {
        let length = usize::try_from(token.len).unwrap_or(usize::MAX);
        let Some((text, after)) = rest.split_at_checked(length) else {
            break;
        };
        let (kind, at) = (token.kind, line);
        line += text.matches('\n').count();
        rest = after;
        let blank = matches!(
            kind,
            TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }
        );
        if !blank {
            words.push(Word { kind, text: text.strip_prefix("r#").unwrap_or(text), line: at });
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked_by(text: &str) -> Option<(String, bool)> {
        let files = [("lib.rs", "mod attention;"), ("attention.rs", text)];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        asked(&files.into()).map(|asked| (asked.message, asked.maybe))
    }

    #[test]
    fn what_reads_files_is_refused_by_file_and_line() {
        let (message, maybe) =
            asked_by("\n/* a\n */ const X: &str =\ninclude_str!(\"x\");").unwrap();
        assert!(!maybe);
        assert!(
            message.starts_with("src/attention.rs:4: `include_str!` reads a file"),
            "{message}"
        );
    }

    #[test]
    fn no_way_of_writing_it_is_missed() {
        for text in [
            "include!(\"x\");",
            "std::include! { \"x\" }",
            "include /* here */ !(\"x\")",
            "r#include!(\"x\")",
            "use std::include_str as read;",
            "use core::{option, include_bytes as read};",
            "macro_rules! m { ($a:ident) => { $a!(\"x\") } } m!(include_bytes);",
            "#![doc = include_str!(\"x\")]",
            "const X: Option<&str> = option_env!(\"X\");",
            "env!(\"X\")",
            "mod other;",
            "pub(crate) mod r#other ;",
            "#[path = \"/x\"] mod other;",
            "macro_rules! m { ($k:tt, $n:ident) => { $k $n; } } m!(mod, other);",
            "macro_rules! m { ($n:ident) => { mod $n; } } m!(other);",
        ] {
            assert!(asked_by(text).is_some_and(|(_, maybe)| !maybe), "{text}");
        }
    }

    #[test]
    fn what_may_be_a_name_is_told_apart() {
        for text in [
            "let include = mask;",
            "macro_rules! m { ($a:ident) => { $a!(\"x\") } } m!(include);",
            "use std::{include as read};",
            "use ::std::include as read;",
            "Rows { mask: include }",
        ] {
            assert!(asked_by(text).is_some_and(|(_, maybe)| maybe), "{text}");
        }
        // What is certain is told first.
        assert_eq!(asked_by("let include = 1;\nmod x;").map(|(_, maybe)| maybe), Some(false));
    }

    #[test]
    fn honest_code_is_let_be() {
        for text in [
            "// include_str!(\"x\") is not allowed; neither is mod x;",
            "/// `env!` and /* include! */\nfn f() {}",
            "const X: &str = \"include!(x)\"; const Y: &str = r#\"mod x;\"#;",
            "use std::env; fn f() { env::args(); }",
            "mod tests { use super::*; }",
            "#[cfg(test)] mod r#tests {}",
            "macro_rules! m { ($n:ident) => { mod $n { pub fn f() {} } } } m!(other);",
            "let modulo = 7 % 2; let model = included(include_rows);",
            "let env = 3; let path = \"x\"; f(env, path);",
            "'r' b'm' 'mod",
        ] {
            assert_eq!(asked_by(text), None, "{text}");
        }
    }

    fn forbidden_in(text: &str) -> Option<String> {
        let files = [("lib.rs", "mod pooling;"), ("pooling.rs", text)];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let names = ["masked_mean", "sdpa"].map(str::to_owned);
        forbidden(&files.into(), &names).map(|fault| {
            assert_eq!(fault.kind, BuildFaultKind::Forbidden);
            fault.message
        })
    }

    #[test]
    fn a_ready_made_part_is_refused_by_file_and_line() {
        let message = forbidden_in("use kit::*;\n\nfn f() { masked_mean(x, m) }").unwrap();
        assert!(
            message.starts_with("src/pooling.rs:3: `masked_mean` may not be used"),
            "{message}"
        );
    }

    #[test]
    fn a_forbidden_name_is_found_however_it_is_written() {
        for text in [
            "use kit::nn::pooling::masked_mean as mean;",
            "use kit::nn::{pooling::{self, masked_mean}};",
            "let f = kit::nn::pooling::r#masked_mean;",
            "candle_nn::ops:: /* here */ sdpa(&q, &k, &v)",
            "macro_rules! m { ($f:ident) => { $f(x) } } m!(masked_mean);",
            "macro_rules! m { () => { sdpa } }",
            "fn masked_mean() {}",
            "x.sdpa()",
        ] {
            assert!(forbidden_in(text).is_some(), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_forbidden_name_is_let_be() {
        for text in [
            "// masked_mean is what we build, and sdpa what we do not call",
            "/// `masked_mean`\n/* sdpa */ fn f() {}",
            "const X: &str = \"masked_mean\"; const Y: &[u8] = br#\"sdpa\"#;",
            "fn my_masked_mean() {} let masked_means = 1; let mask = masked + mean;",
            "'s' b's' 'sdpa: loop {}",
            "",
        ] {
            assert_eq!(forbidden_in(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC*") {
            asked_by(&text);
        }
    }
}
