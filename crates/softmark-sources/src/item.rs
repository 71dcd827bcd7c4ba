//! Items of a file: the smallest pieces of source that keys tell apart.

use std::ops::Range;

use crate::token::{Token, after};

/// Kind of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// `use`, `extern crate`.
    Use,
    /// `mod name;`, or an attribute of the file.
    Header,
    /// Function or constant.
    Value,
    /// Alias of a type.
    Alias,
    Static,
    /// `struct` or `union`.
    Struct,
    Enum,
    Trait,
    Impl,
    /// Definition of a macro.
    Macro,
    /// Anything whose names are not known: the call of a macro, a module in braces, a file that cannot be split.
    Unknown,
}

/// Item, as ranges of the tokens of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    /// All tokens, attributes included.
    pub(crate) range: Range<usize>,
    /// Name; `None` where there is none, or where it is not known.
    pub(crate) name: Option<String>,
    /// Tokens between the keyword and the body.
    pub(crate) header: Range<usize>,
    /// Tokens of the body in braces; empty if there is none.
    pub(crate) body: Range<usize>,
    /// True for `pub`, with or without a scope.
    pub(crate) is_public: bool,
    /// True for the call of a macro, whose name it has.
    pub(crate) is_call: bool,
}

/// Items of a file.
#[derive(Debug, Default)]
pub(crate) struct Split {
    pub(crate) items: Vec<Item>,
    /// Names of modules that are compiled for tests alone.
    pub(crate) test_modules: Vec<String>,
}

/// Splits a file into its items, those for tests alone left out. A file that cannot be split is one item of an
/// [unknown](ItemKind::Unknown) kind.
pub(crate) fn split(tokens: &[Token]) -> Split {
    let mut split = Split::default();
    let mut at = 0;
    while at < tokens.len() {
        let Some(found) = item(tokens, at) else {
            let range = 0..tokens.len();
            let whole = Item {
                kind: ItemKind::Unknown,
                name: None,
                header: 0..0,
                body: range.clone(),
                range,
                is_public: true,
                is_call: false,
            };
            return Split { items: vec![whole], test_modules: split.test_modules };
        };
        let Found { item, is_test } = found;
        at = item.range.end;
        if !is_test {
            split.items.push(item);
        } else if item.kind == ItemKind::Header {
            split.test_modules.extend(item.name);
        }
    }
    split
}

struct Found {
    item: Item,
    is_test: bool,
}

/// Reads the item that begins at `start`.
fn item(tokens: &[Token], start: usize) -> Option<Found> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let (mut at, mut is_test) = (start, false);
    while is(at, "#") {
        if is(at + 1, "!") && is(at + 2, "[") {
            let range = start..after(tokens, at + 2);
            let item = Item {
                kind: ItemKind::Header,
                name: None,
                header: range.clone(),
                body: 0..0,
                range,
                is_public: true,
                is_call: false,
            };
            return (start == at).then_some(Found { item, is_test: false });
        }
        let end = after(tokens, at + 1);
        let words = tokens.get(at + 2..end.checked_sub(1)?)?;
        is_test |= words.iter().map(|token| token.text.as_str()).eq(["cfg", "(", "test", ")"]);
        at = if is(at + 1, "[") { end } else { return None };
    }
    let is_public = is(at, "pub");
    if is_public {
        at += 1;
        if is(at, "(") {
            at = after(tokens, at);
        }
    }
    let keyword = keyword(tokens, at)?;
    let Keyword { kind, at: place, name } = keyword;
    let end = end(tokens, kind, place)?;
    let (header, body) = match end.body {
        Some(open) => (place..open, open..end.at),
        None => (place..end.at, 0..0),
    };
    let is_module = is(place, "mod");
    let kind = if is_module && end.body.is_none() { ItemKind::Header } else { kind };
    let is_call = kind == ItemKind::Unknown && !is_module;
    let item = Item { kind, range: start..end.at, name, header, body, is_public, is_call };
    Some(Found { item, is_test })
}

/// Keyword of an item, without the words before it.
struct Keyword {
    kind: ItemKind,
    at: usize,
    name: Option<String>,
}

fn keyword(tokens: &[Token], mut at: usize) -> Option<Keyword> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let word = |at: usize| tokens.get(at).and_then(Token::name);
    loop {
        let next = word(at + 1).map(str::to_owned);
        let kind = match word(at)? {
            "use" => ItemKind::Use,
            "extern" if is(at + 1, "crate") => ItemKind::Use,
            "fn" => ItemKind::Value,
            "type" => ItemKind::Alias,
            "static" if is(at + 1, "mut") => return None,
            "static" => ItemKind::Static,
            "struct" => ItemKind::Struct,
            "union" if next.is_some() => ItemKind::Struct,
            "enum" => ItemKind::Enum,
            "trait" => ItemKind::Trait,
            "impl" => return Some(Keyword { kind: ItemKind::Impl, at, name: None }),
            "mod" => ItemKind::Unknown,
            "macro_rules" if is(at + 1, "!") => {
                let name = word(at + 2).map(str::to_owned);
                return Some(Keyword { kind: ItemKind::Macro, at, name });
            }
            "const" if !matches!(next.as_deref(), Some("fn" | "unsafe" | "extern" | "async")) => {
                ItemKind::Value
            }
            "const" | "unsafe" | "async" | "auto" | "default" => {
                at += 1;
                continue;
            }
            _ => {
                // A path that ends in `!` calls a macro.
                let mut end = at + 1;
                while is(end, ":") && is(end + 1, ":") && word(end + 2).is_some() {
                    end += 3;
                }
                let name = word(end.checked_sub(1)?).map(str::to_owned);
                let is_call = is(end, "!");
                return is_call.then_some(Keyword { kind: ItemKind::Unknown, at, name });
            }
        };
        return Some(Keyword { kind, at, name: next });
    }
}

/// End of an item, and the opening brace of its body if it has one.
struct End {
    at: usize,
    body: Option<usize>,
}

fn end(tokens: &[Token], kind: ItemKind, start: usize) -> Option<End> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    // An initial value may have braces in it.
    let has_value = is(start, "const") || is(start, "static") || is(start, "type");
    let ends_at_brace = !has_value && kind != ItemKind::Use;
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        if token.is(";") {
            return Some(End { at: at + 1, body: None });
        }
        if token.is("{") && ends_at_brace {
            return Some(End { at: after(tokens, at), body: Some(at) });
        }
        at = after(tokens, at);
    }
    None
}
