//! Checks and parts of an exam that a piece of source declares.
//!
//! Three forms are known. A check that is declared in another form has no key of its own.
//!
//! ```text
//! Check { id: "task/check", title: "…", run: function }
//! hidden_checks!(Formula, "task": matches_reference, refuses)        public_checks! alike
//! Suite { id: …, checks: …, battery: …, mistakes: …, trainings: …, … }
//! ```

use std::ops::Range;

use crate::mention::{Mention, mentions};
use crate::token::{Token, after, written};

/// Declaration of a check, of several, or of a part of an exam.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) what: What,
    /// Tokens of the declaration.
    pub(crate) range: Range<usize>,
    /// Text of the declaration, without a title, which no verdict depends on.
    pub(crate) text: String,
    /// Names that it mentions.
    pub(crate) mentions: Vec<Mention>,
}

impl Declared {
    fn new(tokens: &[Token], what: What, range: Range<usize>, title: Option<Range<usize>>) -> Self {
        let holes: Vec<Range<usize>> = title.into_iter().collect();
        let text = written(tokens, range.clone(), &holes);
        let mentions = mentions(tokens, range.clone(), &holes, false);
        Self { what, range, text, mentions }
    }
}

/// Subject of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum What {
    /// Checks, by their ids.
    Checks(Vec<String>),
    /// Field of the exam.
    Field(String),
    /// Exam; whole if all of its fields stand in one place.
    Exam { is_whole: bool },
}

/// Returns what the tokens in `range` declare.
pub(crate) fn declared(tokens: &[Token], range: Range<usize>) -> Vec<Declared> {
    let mut found = Vec::new();
    for at in range {
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        match tokens.get(at).and_then(Token::name) {
            Some("Check") if is(at + 1, "{") => found.extend(check(tokens, at)),
            Some("hidden_checks" | "public_checks") if is(at + 1, "!") => {
                found.extend(standard_checks(tokens, at));
            }
            Some("Suite") if is(at + 1, "{") => found.extend(exam(tokens, at)),
            _ => {}
        }
    }
    found
}

/// Field of a struct literal.
struct Field<'a> {
    name: &'a str,
    /// Tokens of the name and the value.
    range: Range<usize>,
    /// Tokens of the value.
    value: Range<usize>,
}

/// Returns the fields of the struct literal whose brace is at `open`; `None` if it takes others from another value.
fn fields(tokens: &[Token], open: usize) -> Option<Vec<Field<'_>>> {
    let close = tokens.get(open)?.close?;
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let mut fields = Vec::new();
    let mut at = open + 1;
    while at < close {
        let name = tokens.get(at)?.name()?;
        let start = at;
        let is_short = !is(at + 1, ":");
        let value = if is_short { at } else { at + 2 };
        at = value;
        while at < close && !is(at, ",") {
            at = after(tokens, at);
        }
        fields.push(Field { name, range: start..at, value: value..at });
        at += 1;
    }
    Some(fields)
}

/// Reads `Check { id: "…", title: "…", run: … }`.
fn check(tokens: &[Token], at: usize) -> Option<Declared> {
    let fields = fields(tokens, at + 1)?;
    let of = |name: &str| fields.iter().find(|field| field.name == name);
    let text = |field: &Field<'_>| -> Option<&str> {
        let token = tokens.get(field.value.start)?;
        token.string().filter(|_| field.value.len() == 1)
    };
    let id = of("id").and_then(text)?.to_owned();
    of("run")?;
    let title = of("title").filter(|it| text(it).is_some()).map(|it| it.range.clone());
    Some(Declared::new(tokens, What::Checks(vec![id]), at..after(tokens, at + 1), title))
}

/// Reads `hidden_checks!(Formula, "task": names)`, whose macro makes the ids `task/name`.
fn standard_checks(tokens: &[Token], at: usize) -> Option<Declared> {
    let (open, end) = (at + 2, after(tokens, at + 2));
    let colon = (open + 1..end).find(|at| {
        let text = at.checked_sub(1).and_then(|at| tokens.get(at)).and_then(Token::string);
        text.is_some() && tokens.get(*at).is_some_and(|token| token.is(":"))
    })?;
    let task = tokens.get(colon.checked_sub(1)?)?.string()?;
    let names = (colon + 1..end).filter_map(|at| tokens.get(at)?.name());
    let ids = names.map(|name| format!("{task}/{}", name.replace('_', "-"))).collect();
    Some(Declared::new(tokens, What::Checks(ids), at..end, None))
}

/// Reads `Suite { … }`.
fn exam(tokens: &[Token], at: usize) -> Vec<Declared> {
    let fields = fields(tokens, at + 1);
    let exam = What::Exam { is_whole: fields.is_some() };
    let mut found = vec![Declared::new(tokens, exam, at..at, None)];
    // The id and the checks stay in the outline: they lead to how checks are put together.
    let parts = fields.into_iter().flatten().filter(|it| !matches!(it.name, "id" | "checks"));
    found.extend(parts.map(|field| {
        let what = What::Field(field.name.to_owned());
        Declared::new(tokens, what, field.range, None)
    }));
    found
}
