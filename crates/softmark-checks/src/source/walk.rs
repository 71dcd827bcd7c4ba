//! Reads a file's tokens into the scopes of its crate.

use crate::source::scope::{
    Crate, Import, InMacro, Item, Namespace, Occurrence, Path, ScopeId, ScopeKind,
};
use crate::source::token::{MacroUse, Token, around, end_of_group, macro_uses};

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

/// Attributes that leave an item where it is.
const HARMLESS_ATTRIBUTES: [&str; 13] = [
    "allow",
    "cold",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "inline",
    "must_use",
    "non_exhaustive",
    "repr",
    "track_caller",
    "warn",
];

/// Words that may stand between the beginning of an item and its keyword.
const BEFORE_ITEM: [&str; 13] = [
    ";", "{", "}", "]", ")", "pub", "unsafe", "async", "const", "extern", "default", "auto", "safe",
];

/// Most tokens in the attributes of an item; nobody writes so many, and more may hide anything.
const MAX_ATTRIBUTES: usize = 2000;

/// Deepest nesting of braces in a `use` declaration; nobody writes so many, and deeper imports are treated
/// as if a macro made them.
const MAX_NESTED: usize = 32;

/// Reads a file into `krate`: its module is `module`, and `names` are those whose occurrences are kept.
pub(super) fn read(
    krate: &mut Crate,
    (file, module): (&str, ScopeId),
    tokens: &[Token<'_>],
    names: &[&str],
) {
    let macros = macro_uses(tokens);
    for found in &macros {
        krate.defines_macros |= found.name == "macro_rules";
        let mut body = tokens.get(found.body.clone()).unwrap_or_default().iter();
        krate.macros_import |= body.any(|it| it.is("use") || it.is("extern"));
    }
    let scope = module;
    Walk { krate, file, tokens, names, macros, scope, open: Vec::new(), next: Next::Block }.run();
}

/// The kind of block that the next brace opens.
#[derive(Debug, Clone)]
enum Next {
    Block,
    Associated,
    Module { name: String, certain: bool },
}

struct Walk<'a> {
    krate: &'a mut Crate,
    file: &'a str,
    tokens: &'a [Token<'a>],
    names: &'a [&'a str],
    macros: Vec<MacroUse>,
    scope: ScopeId,
    /// Each open delimiter: the scope around it, and whether it is a brace.
    open: Vec<(ScopeId, bool)>,
    next: Next,
}

impl Walk<'_> {
    fn run(mut self) {
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            at = self.token(token, at).max(at + 1);
        }
    }

    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).and_then(Token::name)
    }

    /// Reads one token, or the declaration that it begins; the answer is where to go on.
    fn token(&mut self, token: &Token<'_>, at: usize) -> usize {
        if around(&self.macros, at, |it| &it.body).is_some() {
            self.occurrence(token, at);
            return at + 1;
        }
        if token.is("{") {
            self.open.push((self.scope, true));
            self.enter();
        } else if token.is("(") || token.is("[") {
            self.open.push((self.scope, false));
        } else if token.is("}") || token.is(")") || token.is("]") {
            self.scope = self.open.pop().map_or(self.scope, |(scope, _)| scope);
        } else if self.open.last().is_some_and(|(_, brace)| !brace) {
            // In parentheses and brackets nothing is declared: arguments, attributes, array types.
            self.occurrence(token, at);
        } else if token.is(";") {
            self.next = Next::Block;
        } else if token.is("use") && !self.is(at + 1, "<") {
            let certain = !self.may_be_removed(at);
            return self.declared_use(at + 1, &Path::default(), (certain, 0));
        } else if let Some(end) = self.item(token, at) {
            return end;
        } else {
            self.occurrence(token, at);
        }
        at + 1
    }

    fn enter(&mut self) {
        let around = self.scope;
        self.scope = match std::mem::replace(&mut self.next, Next::Block) {
            Next::Block => self.krate.add(ScopeKind::Block, Some(around)),
            Next::Associated => self.krate.add(ScopeKind::Associated, Some(around)),
            Next::Module { name, certain } => {
                let module = self.krate.add(ScopeKind::Module, Some(around));
                let item = if certain { Item::Module(module) } else { Item::Uncertain };
                self.krate.declare(around, (Namespace::Type, &name), item);
                module
            }
        };
    }

    /// Reads what declares an item; `None` if `token` declares none.
    fn item(&mut self, token: &Token<'_>, at: usize) -> Option<usize> {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before));
        if !before.is_none_or(|it| BEFORE_ITEM.iter().any(|word| it.is(word))) {
            return None;
        }
        let keyword = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"]
            .into_iter()
            .find(|word| token.is(word));
        if token.is("impl") {
            self.next = Next::Associated;
            return Some(at + 1);
        }
        if token.is("extern") && self.is(at + 1, "crate") {
            return Some(self.extern_crate(at));
        }
        let keyword = keyword?;
        let mutable = usize::from(keyword == "static" && self.is(at + 1, "mut"));
        let place = at + 1 + mutable;
        let name = self.name(place)?.to_owned();
        if keyword == "const" && ["fn", "unsafe", "extern", "async", "_"].contains(&&*name) {
            return None;
        }
        let certain = !self.may_be_removed(at);
        if keyword == "mod" {
            if self.is(place + 1, "{") {
                let certain = certain && !self.may_be_removed_from_within(place + 1);
                self.next = Next::Module { name, certain };
            }
            return Some(place + 1);
        }
        if ["struct", "enum", "union", "trait"].contains(&keyword) {
            self.next = Next::Associated;
        }
        let has_names = |kind| kind != ScopeKind::Associated;
        if self.krate.scope(self.scope).is_some_and(|it| has_names(it.kind)) {
            let item = if certain { Item::Own } else { Item::Uncertain };
            let is_value = ["fn", "const", "static"].contains(&keyword);
            let space = if is_value { Namespace::Value } else { Namespace::Type };
            self.krate.declare(self.scope, (space, &name), item);
        }
        Some(place + 1)
    }

    /// True if an attribute of the item whose keyword is at `at` may remove it, as `cfg` and `test` do.
    fn may_be_removed(&self, at: usize) -> bool {
        let before = self.tokens.get(..at).unwrap_or_default();
        // Back to where the declaration before this one ends.
        let ends = |token: &Token<'_>| token.is(";") || token.is("{") || token.is("}");
        let back = before.iter().rev().take(MAX_ATTRIBUTES).position(ends);
        match back {
            Some(back) => self.has_strange_attribute(at - back, at),
            None => at > MAX_ATTRIBUTES || self.has_strange_attribute(0, at),
        }
    }

    /// The same for the attributes inside of a module, whose brace is at `open`.
    fn may_be_removed_from_within(&self, open: usize) -> bool {
        let mut at = open + 1;
        while self.is(at, "#") && self.is(at + 1, "!") && self.is(at + 2, "[") {
            at = end_of_group(self.tokens, at + 2);
        }
        self.has_strange_attribute(open + 1, at)
    }

    /// True if there is an attribute between two places that is not known to be harmless.
    fn has_strange_attribute(&self, from: usize, to: usize) -> bool {
        (from..to).filter(|at| self.is(*at, "#")).any(|at| {
            let open = at + 1 + usize::from(self.is(at + 1, "!"));
            let name = self.name(open + 1).unwrap_or_default();
            !HARMLESS_ATTRIBUTES.contains(&name) || self.is(open + 2, ":")
        })
    }

    fn extern_crate(&mut self, at: usize) -> usize {
        let Some(of) = self.name(at + 2).map(str::to_owned) else { return at + 2 };
        let alias = if self.is(at + 3, "as") { self.name(at + 4) } else { None };
        let name = alias.unwrap_or(&of).to_owned();
        let own = of == "self";
        let path = Path {
            global: !own,
            from_macro: false,
            segments: vec![if own { "crate".to_owned() } else { of }],
        };
        let import = Import { name, path, certain: true };
        self.krate.change(self.scope, |scope| scope.imports.push(import));
        at + 3
    }

    /// Reads a `use` tree that begins at `at`, below `prefix`; the answer is where it ends. `flags` say
    /// whether the declaration is certain to be there, and how many braces are around the tree.
    fn declared_use(&mut self, at: usize, prefix: &Path, flags: (bool, usize)) -> usize {
        let ((certain, nested), mut at, mut path) = (flags, at, prefix.clone());
        loop {
            if self.is(at, ":") && self.is(at + 1, ":") {
                path.global |= path.segments.is_empty();
                at += 2;
            } else if self.is(at, "*") {
                self.krate.change(self.scope, |scope| scope.globs.push(path));
                return at + 1;
            } else if self.is(at, "{") {
                let end = end_of_group(self.tokens, at);
                if nested == MAX_NESTED {
                    self.krate.macros_import = true;
                    return end;
                }
                at += 1;
                while at + 1 < end {
                    at = self.declared_use(at, &path, (certain, nested + 1)).max(at + 1);
                    at += usize::from(self.is(at, ","));
                }
                return end;
            } else if let Some(name) = self.name(at).map(str::to_owned) {
                path.segments.push(name);
                self.keep(at, &path, InMacro::No, Namespace::BOTH);
                at += 1;
                if !(self.is(at, ":") && self.is(at + 1, ":")) {
                    return self.imported(at, path, certain);
                }
            } else {
                return at;
            }
        }
    }

    /// A name of a `use` tree, whose path ends before `at`.
    fn imported(&mut self, at: usize, mut path: Path, certain: bool) -> usize {
        if path.segments.len() > 1 && path.segments.last().is_some_and(|it| it == "self") {
            path.segments.pop();
        }
        let renamed = self.is(at, "as");
        let alias = if renamed { self.name(at + 1).map(str::to_owned) } else { None };
        let own = path.segments.last().cloned();
        if let Some(name) = alias.or(own) {
            let import = Import { name, path, certain };
            self.krate.change(self.scope, |scope| scope.imports.push(import));
        }
        at + usize::from(renamed) * 2
    }

    /// Keeps the name at `at` if it is one of interest and no field, method or associated item.
    fn occurrence(&mut self, token: &Token<'_>, at: usize) {
        let Some(name) = token.name().filter(|name| self.names.contains(name)) else { return };
        let mut path = Path { segments: vec![name.to_owned()], ..Path::default() };
        let mut first = at;
        while first >= 2 && self.is(first - 1, ":") && self.is(first - 2, ":") {
            let Some(before) = first.checked_sub(3) else {
                path.global = true;
                break;
            };
            if self.is(before, ">") {
                // Of a type: `Vec::<T>::name`, `<T as Trait>::name`.
                return;
            }
            match self.name(before) {
                Some(segment) if !is_keyword(segment) => {
                    path.segments.insert(0, segment.to_owned());
                    first = before;
                }
                Some(_) | None => {
                    path.global = true;
                    break;
                }
            }
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

    fn keep(&mut self, at: usize, path: &Path, in_macro: InMacro, spaces: &'static [Namespace]) {
        let is_of_interest =
            path.segments.last().is_some_and(|name| self.names.contains(&name.as_str()));
        let Some(token) = self.tokens.get(at).filter(|_| is_of_interest) else { return };
        let (file, line, scope, path) =
            (self.file.to_owned(), token.line, self.scope, path.clone());
        self.krate.occurrences.push(Occurrence { file, line, scope, path, in_macro, spaces });
    }
}

/// True for keywords that may stand before a path that begins with `::`.
fn is_keyword(name: &str) -> bool {
    matches!(
        name,
        "as" | "break"
            | "dyn"
            | "else"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "match"
            | "move"
            | "mut"
            | "ref"
            | "return"
            | "static"
            | "use"
            | "where"
            | "while"
    )
}
