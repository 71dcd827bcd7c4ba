//! Names that a piece of source mentions.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::names::may_be_item;
use crate::token::{Kind, Token, after};

/// Form in which a name is mentioned, which says where the item can be.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    /// After a dot: a method, or a field.
    Method,
    /// Before `!`.
    Macro,
    /// Alone: an item of the file, or one that is imported.
    Plain,
    /// After `::`; holds the name before that.
    In(String),
    /// In the call of a macro, or where imports are not known: an item of any file.
    Anywhere,
}

/// Mention of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mention {
    pub(crate) name: String,
    pub(crate) form: Form,
    /// True if `::` and another name follow: then it is no function and no constant.
    pub(crate) is_prefix: bool,
}

/// Macros of the standard library, which name no item but those in their arguments.
pub(crate) const STANDARD_MACROS: [&str; 20] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "concat",
    "debug_assert",
    "debug_assert_eq",
    "eprintln",
    "format",
    "format_args",
    "include_bytes",
    "include_str",
    "matches",
    "panic",
    "println",
    "thread_local",
    "todo",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Returns the names that the tokens in `range` mention, those in `holes` left out.
///
/// A name in the call of a macro that is not of the standard library may be part of any path; so may every name if `is_open`.
pub(crate) fn mentions(
    tokens: &[Token],
    range: Range<usize>,
    holes: &[Range<usize>],
    is_open: bool,
) -> Vec<Mention> {
    let mut found = BTreeSet::new();
    let mut macro_end = 0;
    for at in range.clone() {
        if holes.iter().any(|hole| hole.contains(&at)) {
            continue;
        }
        let Some(token) = tokens.get(at) else { continue };
        let is_open = is_open || at < macro_end;
        if token.kind == Kind::Text {
            let in_attribute = is_in_attribute(tokens, range.start, at);
            // Attributes name functions by whole paths.
            let form = if is_open || in_attribute { Form::Anywhere } else { Form::Plain };
            let names = names_in(&token.text, in_attribute);
            found.extend(names.map(|name| Mention { name, form: form.clone(), is_prefix: false }));
        }
        let Some(name) = token.name() else { continue };
        let mention = mention(tokens, at, name, is_open);
        if mention.form == Form::Macro && !STANDARD_MACROS.contains(&name) {
            macro_end = macro_end.max(after(tokens, at + 2));
        }
        found.insert(mention);
    }
    found.into_iter().collect()
}

fn mention(tokens: &[Token], at: usize, name: &str, is_open: bool) -> Mention {
    let is = |at: Option<usize>, text: &str| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| token.is(text))
    };
    let before = |n: usize| at.checked_sub(n);
    let leads_on = is(Some(at + 1), ":") && is(Some(at + 2), ":");
    let is_prefix = leads_on && !is(Some(at + 3), "<") && !is_open;
    let form = if is_call_of_macro(tokens, at) {
        Form::Macro
    } else if is_open && !is(before(1), ".") {
        Form::Anywhere
    } else if is(before(1), ":") && is(before(2), ":") {
        // After `>::`, the name belongs to a type that is named before it.
        let parent = before(3).and_then(|at| tokens.get(at)?.name());
        parent.map_or(Form::Anywhere, |parent| Form::In(parent.to_owned()))
    } else if is(before(1), ".") && !is(before(2), ".") {
        Form::Method
    } else if is_open {
        Form::Anywhere
    } else {
        Form::Plain
    };
    Mention { name: name.to_owned(), form, is_prefix }
}

/// True if the name at `at` is that of a macro which is called: `name!(…)`, and not `if !(…)`.
pub(crate) fn is_call_of_macro(tokens: &[Token], at: usize) -> bool {
    let is_bang = tokens.get(at + 1).is_some_and(|token| token.is("!"));
    let is_name = tokens.get(at).and_then(Token::name).is_some_and(may_be_item);
    is_name && is_bang && tokens.get(at + 2).is_some_and(|token| token.close.is_some())
}

/// True if the token at `at` is part of an attribute of the item that begins at `start`, or of one in its body.
fn is_in_attribute(tokens: &[Token], start: usize, at: usize) -> bool {
    let opens = |open: &usize| {
        let token = tokens.get(*open);
        let hash = open.checked_sub(1).and_then(|at| tokens.get(at));
        token.is_some_and(|token| token.is("[") && token.close.is_some_and(|close| close > at))
            && hash.is_some_and(|token| token.is("#") || token.is("!"))
    };
    (start..at).rev().any(|open| opens(&open))
}

/// Returns the names in a string: those in braces, which a macro may read as variables, or all of them in an attribute.
fn names_in(text: &str, in_attribute: bool) -> impl Iterator<Item = String> {
    let mut words = Vec::new();
    let (mut word, mut depth) = (String::new(), 0_usize);
    for character in text.chars().chain([' ']) {
        if character.is_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        if !word.is_empty() {
            let ended = std::mem::take(&mut word);
            if in_attribute || depth > 0 {
                words.push(ended);
            }
        }
        match character {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    words.into_iter()
}
