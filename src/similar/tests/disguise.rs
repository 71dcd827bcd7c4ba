//! Disguises of a copy: changes of a program's text that leave what it does.

use std::collections::{BTreeMap, BTreeSet};

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, tokenize};

/// Files by path.
pub(super) type Files = BTreeMap<String, String>;

/// Change of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disguise {
    /// Every name that the file declares is replaced.
    Renamed,
    /// Functions, types and methods stand in the opposite order.
    Reordered,
    /// Blanks and line breaks are others, and imports stand in the code.
    Reformatted,
    /// Comments are replaced, and so is every literal.
    Reworded,
}

impl Disguise {
    /// All disguises.
    pub(super) const ALL: [Self; 4] =
        [Self::Renamed, Self::Reordered, Self::Reformatted, Self::Reworded];

    fn apply(self, text: &str) -> String {
        match self {
            Self::Renamed => renamed(text),
            Self::Reordered => reordered(text),
            Self::Reformatted => reformatted(text),
            Self::Reworded => reworded(text),
        }
    }
}

/// Returns the files with these disguises, one upon the other. Each has to change every file.
pub(super) fn disguised(files: &Files, disguises: &[Disguise]) -> Files {
    let mut files = files.clone();
    for disguise in disguises {
        for (path, text) in &mut files {
            let changed = disguise.apply(text);
            assert_ne!(*text, changed, "{disguise:?} changes nothing in {path}");
            *text = changed;
        }
    }
    files
}

/// Token with its text.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    kind: TokenKind,
    text: &'a str,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut rest = text;
    let mut found = Vec::new();
    for token in tokenize(text, FrontmatterAllowed::No) {
        let (text, after) = rest.split_at(token.len as usize);
        found.push(Piece { kind: token.kind, text });
        rest = after;
    }
    found
}

fn is_comment(piece: &Piece<'_>) -> bool {
    matches!(piece.kind, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. })
}

/// Names after these words or before a colon are declared.
const DECLARING: [&str; 5] = ["fn", "let", "mut", "struct", "const"];

fn renamed(text: &str) -> String {
    let all = pieces(text);
    let code: Vec<&Piece<'_>> =
        all.iter().filter(|it| it.kind != TokenKind::Whitespace && !is_comment(it)).collect();
    let mut declared = BTreeSet::new();
    for three in code.windows(3) {
        let [before, name, after] = three else { continue };
        let is_field = after.text == ":" && before.text != ":";
        let is_declared = DECLARING.contains(&before.text) || is_field;
        if name.kind == TokenKind::Ident && is_declared && !matches!(name.text, "mut" | "self") {
            declared.insert(name.text);
        }
    }
    let names: BTreeMap<&str, String> =
        declared.into_iter().enumerate().map(|(at, name)| (name, format!("thing_{at}"))).collect();
    let new = |it: &Piece<'_>| match names.get(it.text) {
        Some(new) if it.kind == TokenKind::Ident => new.clone(),
        _ => it.text.to_owned(),
    };
    all.iter().map(new).collect()
}

/// The items of a list of tokens, each with what stands before it: an item ends with a semicolon, or with the bracket
/// that closes its braces.
fn items<'a, 'b>(pieces: &'b [Piece<'a>]) -> Vec<&'b [Piece<'a>]> {
    let (mut found, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, piece) in pieces.iter().enumerate() {
        match piece.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(piece.text, ";" | "}") {
            found.push(&pieces[from..=at]);
            from = at + 1;
        }
    }
    found.push(&pieces[from..]);
    found
}

fn reordered(text: &str) -> String {
    let all = pieces(text);
    let mut items: Vec<String> = items(&all).into_iter().map(reordered_item).collect();
    items.reverse();
    items.join("\n")
}

/// An item with its methods in the opposite order, if it is an `impl`.
fn reordered_item(item: &[Piece<'_>]) -> String {
    let join = |pieces: &[Piece<'_>]| pieces.iter().map(|it| it.text).collect::<String>();
    let (open, close) =
        (item.iter().position(|it| it.text == "{"), item.iter().rposition(|it| it.text == "}"));
    match (open, close) {
        (Some(open), Some(close)) if item.iter().any(|it| it.text == "impl") => {
            let mut methods: Vec<String> =
                items(&item[open + 1..close]).into_iter().map(join).collect();
            methods.reverse();
            format!("{}{}{}", join(&item[..=open]), methods.join("\n"), join(&item[close..]))
        }
        _ => join(item),
    }
}

/// Each token but a few on a line of its own, a comma before each closing bracket that allows one, and no documentation.
fn reformatted(text: &str) -> String {
    let all = pieces(text);
    let code: Vec<&Piece<'_>> =
        all.iter().filter(|it| it.kind != TokenKind::Whitespace && !is_comment(it)).collect();
    let mut new = String::from("use std::fmt::{self, Debug};\n");
    for (at, piece) in code.iter().enumerate() {
        new.push_str(piece.text);
        // What belongs to one operator stays together.
        let next = code.get(at + 1).map_or("", |it| it.text);
        let is_operator = |text: &str| text.chars().all(|it| "=<>!&|:+-*/%.".contains(it));
        if !(is_operator(piece.text) && is_operator(next)) && piece.text != "'" {
            new.push_str(if at % 5 == 0 { "\n\t" } else { " " });
        }
    }
    new
}

/// Other literals, other comments.
fn reworded(text: &str) -> String {
    pieces(text).iter().map(reworded_piece).collect()
}

fn reworded_piece(piece: &Piece<'_>) -> String {
    let new = if matches!(piece.kind, TokenKind::LineComment { .. }) {
        "// said in other words"
    } else if matches!(piece.kind, TokenKind::Literal { kind: LiteralKind::Str { .. }, .. }) {
        "\"another text\""
    } else if matches!(piece.kind, TokenKind::Literal { kind: LiteralKind::Int { .. }, .. }) {
        "0x2a"
    } else if matches!(piece.kind, TokenKind::Literal { .. }) {
        "4.25e-1"
    } else if piece.kind == TokenKind::OpenBrace {
        "{ /* begins here */"
    } else {
        piece.text
    };
    new.to_owned()
}
