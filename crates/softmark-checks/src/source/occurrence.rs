//! The places of a file where a name of interest stands.

use crate::source::scope::{InMacro, Namespace, Occurrence, Path};
use crate::source::token::{Kind, Token, around};
use crate::source::walk::Walk;

/// Macros of the standard library and of candle that put what they are handed where they stand, as
/// expressions. They count only in a crate that defines no macros, since those may take these names.
const EXPRESSION_MACROS: [&str; 23] = [
    "anyhow",
    "assert",
    "assert_eq",
    "assert_ne",
    "bail",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Keywords that are no segment of a path, unless they are written `r#word`.
const KEYWORDS: [&str; 39] = [
    "as", "async", "await", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut",
    "priv", "pub", "ref", "return", "static", "struct", "trait", "try", "type", "unsafe", "use",
    "where", "while", "yield", "become",
];

impl Walk<'_> {
    /// Keeps the name at `at` if it is one of interest and no field, method or associated item.
    pub(super) fn occurrence(&mut self, token: &Token<'_>, at: usize) {
        let Some(name) = token.name().filter(|name| self.names.contains(name)) else { return };
        let mut path = Path { segments: vec![name.to_owned()], ..Path::default() };
        let mut first = at;
        while first >= 2 && self.is(first - 1, ":") && self.is(first - 2, ":") {
            // Where no segment stands before it, the path begins with `::`. Behind a `>` it may go on
            // from a type, `Vec::<T>::name`; read as a path that begins so, it leads nowhere then.
            let before = first.checked_sub(3).and_then(|at| Some((at, self.tokens.get(at)?)));
            let before = before.filter(|(_, token)| !is_keyword(token));
            let Some((at, segment)) = before.and_then(|(at, token)| Some((at, token.name()?)))
            else {
                path.global = true;
                break;
            };
            path.segments.insert(0, segment.to_owned());
            first = at;
        }
        let behind = |text: &str| first.checked_sub(1).is_some_and(|at| self.is(at, text));
        path.from_macro = behind("$");
        let range = first.checked_sub(2).is_some_and(|at| self.is(at, "."));
        if behind(".") && !range {
            return;
        }
        let in_macro = match around(&self.macros, at, |it| &it.body) {
            None => InMacro::No,
            Some(it) if EXPRESSION_MACROS.contains(&it.name.as_str()) => InMacro::Expression,
            Some(_) => InMacro::Other,
        };
        let goes_on = self.is(at + 1, ":") && self.is(at + 2, ":") && !self.is(at + 3, "<");
        let spaces: &[Namespace] = if goes_on {
            &[Namespace::Type]
        } else if name.starts_with(|first: char| first.is_ascii_lowercase()) {
            // By convention, and in all libraries here, no type is called so.
            &[Namespace::Value]
        } else {
            Namespace::BOTH
        };
        self.keep(at, &path, in_macro, spaces);
    }

    pub(super) fn keep(
        &mut self,
        at: usize,
        path: &Path,
        in_macro: InMacro,
        spaces: &'static [Namespace],
    ) {
        let is_of_interest =
            path.segments.last().is_some_and(|name| self.names.contains(&name.as_str()));
        let Some(token) = self.tokens.get(at).filter(|_| is_of_interest) else { return };
        let (file, line, scope, path) =
            (self.file.to_owned(), token.line, self.scope, path.clone());
        self.krate.occurrences.push(Occurrence { file, line, scope, path, in_macro, spaces });
    }
}

/// True if the token cannot be a segment of a path, so that a `::` after it begins one.
fn is_keyword(token: &Token<'_>) -> bool {
    token.kind == Kind::Name && KEYWORDS.contains(&&*token.text)
}
