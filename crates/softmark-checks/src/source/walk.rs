//! Reads a file's tokens into the scopes of its crate.

use std::collections::BTreeMap;

use crate::source::scope::{Crate, Import, InMacro, Item, Namespace, Path, ScopeId, ScopeKind};
use crate::source::token::{Kind, MacroUse, Token, around, end_of_group, macro_uses};

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
const BEFORE_ITEM: [&str; 9] =
    ["pub", "unsafe", "async", "const", "extern", "default", "auto", "safe", "gen"];

/// Most tokens before the body of an item. Nobody writes so many; what is declared behind more is treated as
/// if a macro made it.
const MAX_HEAD: usize = 4096;

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
    let walk = Walk {
        krate,
        file,
        tokens,
        names,
        macros,
        scope: module,
        open: Vec::new(),
        bodies: BTreeMap::new(),
        starts: true,
        strange: false,
    };
    if walk.has_strange_inner(0) {
        walk.krate.change_module(module, Item::Uncertain);
    }
    walk.run();
}

/// The kind of block that a brace opens.
#[derive(Debug, Clone)]
enum Body {
    Associated,
    Module { name: String, certain: bool },
}

/// An open delimiter.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// The scope around it.
    scope: ScopeId,
    is_brace: bool,
    /// True if an item may begin after the delimiter is closed.
    starts: bool,
}

/// A file on its way into the scopes of its crate.
pub(super) struct Walk<'a> {
    pub(super) krate: &'a mut Crate,
    pub(super) file: &'a str,
    pub(super) tokens: &'a [Token<'a>],
    pub(super) names: &'a [&'a str],
    pub(super) macros: Vec<MacroUse>,
    pub(super) scope: ScopeId,
    open: Vec<Open>,
    /// Index of an opening brace → the block that it opens, where it is not a block of statements.
    bodies: BTreeMap<usize, Body>,
    /// True if an item may begin here: at most its attributes and [`BEFORE_ITEM`] have been read.
    starts: bool,
    /// True if one of those attributes is not known to be harmless, so that it may remove the item.
    strange: bool,
}

impl Walk<'_> {
    fn run(mut self) {
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            at = self.token(token, at).max(at + 1);
        }
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn name(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).and_then(Token::name)
    }

    /// Reads one token, or the declaration that it begins; the answer is where to go on.
    fn token(&mut self, token: &Token<'_>, at: usize) -> usize {
        if around(&self.macros, at, |it| &it.body).is_some() {
            self.occurrence(token, at);
            // An item may follow a macro call in braces; behind others stands a `;`.
            self.begin(token.is("}"));
            return at + 1;
        }
        if token.is("#")
            && let Some(open) = self.attribute(at)
        {
            self.strange |= self.is_strange(open);
            return end_of_group(self.tokens, open);
        }
        if token.is("{") {
            self.open.push(Open { scope: self.scope, is_brace: true, starts: true });
            self.enter(at);
            self.begin(true);
        } else if token.is("(") || token.is("[") {
            let is_visibility =
                self.starts && at.checked_sub(1).is_some_and(|before| self.is(before, "pub"));
            self.open.push(Open { scope: self.scope, is_brace: false, starts: is_visibility });
        } else if token.is("}") || token.is(")") || token.is("]") {
            let open = self.open.pop();
            self.scope = open.map_or(self.scope, |open| open.scope);
            if token.is("}") {
                self.begin(true);
            } else {
                self.starts = open.is_some_and(|open| open.starts);
            }
        } else if self.open.last().is_some_and(|open| !open.is_brace) {
            // In parentheses and brackets nothing is declared: arguments, array types.
            self.occurrence(token, at);
        } else if token.is(";") {
            self.begin(true);
        } else if token.is("use") && !self.is(at + 1, "<") {
            self.begin(false);
            return self.declared_use(at + 1, &Path::default(), 0);
        } else if let Some(end) = self.item(token, at) {
            self.begin(false);
            return end;
        } else {
            self.occurrence(token, at);
            let is_before_item = token.kind == Kind::Other
                && self.is(at.saturating_sub(1), "extern")
                || BEFORE_ITEM.iter().any(|word| token.is(word));
            if !(self.starts && is_before_item) {
                self.starts = false;
            }
        }
        at + 1
    }

    /// Sets whether an item may begin here, before any of its attributes.
    fn begin(&mut self, starts: bool) {
        self.starts = starts;
        self.strange = false;
    }

    fn enter(&mut self, at: usize) {
        let around = self.scope;
        self.scope = match self.bodies.remove(&at) {
            None => self.krate.add(ScopeKind::Block, Some(around)),
            Some(Body::Associated) => self.krate.add(ScopeKind::Associated, Some(around)),
            Some(Body::Module { name, certain }) => {
                let module = self.krate.add(ScopeKind::Module, Some(around));
                let item = if certain { Item::Module(module) } else { Item::Uncertain };
                self.krate.declare(around, (Namespace::Type, &name), item);
                module
            }
        };
    }

    /// Reads what declares an item; `None` if `token` declares none.
    fn item(&mut self, token: &Token<'_>, at: usize) -> Option<usize> {
        if !self.starts {
            return None;
        }
        let keyword = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"]
            .into_iter()
            .find(|word| token.is(word));
        if token.is("impl") {
            let body = self.body(at + 1)?;
            self.bodies.insert(body, Body::Associated);
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
        let body = match keyword {
            "fn" | "struct" | "enum" | "union" | "trait" => self.body(place + 1),
            "mod" => Some(place + 1).filter(|open| self.is(*open, "{")),
            _ => None,
        };
        // Attributes inside of the body are the item's as well.
        let certain = !self.strange && !body.is_some_and(|open| self.has_strange_inner(open + 1));
        if keyword == "mod" {
            match body {
                Some(open) => drop(self.bodies.insert(open, Body::Module { name, certain })),
                None if certain => {}
                None => self.krate.declare(self.scope, (Namespace::Type, &name), Item::Uncertain),
            }
            return Some(place + 1);
        }
        if let Some(open) = body.filter(|_| keyword != "fn") {
            self.bodies.insert(open, Body::Associated);
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

    /// The brace that opens the body of the item whose head goes on at `at`; `None` if it has none.
    ///
    /// In a head, `<` and `>` enclose generics wherever they are no arrow's, and a brace between them
    /// is a constant argument's: `impl S<{ 1 }> {}`.
    fn body(&mut self, at: usize) -> Option<usize> {
        let end = at.saturating_add(MAX_HEAD).min(self.tokens.len());
        let tokens = self.tokens.get(..end)?;
        let (mut at, mut depth) = (at, 0_usize);
        loop {
            let Some(token) = tokens.get(at) else {
                self.krate.macros_import |= end < self.tokens.len();
                return None;
            };
            let is_macro = around(&self.macros, at, |it| &it.body).is_some();
            if token.is("(") || token.is("[") || (token.is("{") && (depth > 0 || is_macro)) {
                at = end_of_group(tokens, at);
                continue;
            }
            if token.is("{") {
                return Some(at);
            }
            if token.is(";") || token.is("}") || token.is(")") || token.is("]") {
                return None;
            }
            let is_arrow = at.checked_sub(1).is_some_and(|before| self.is(before, "-"));
            if token.is("<") {
                depth += 1;
            } else if token.is(">") && !is_arrow {
                depth = depth.saturating_sub(1);
            }
            at += 1;
        }
    }

    /// The bracket of the attribute that begins at `at`.
    fn attribute(&self, at: usize) -> Option<usize> {
        let open = at + 1 + usize::from(self.is(at + 1, "!"));
        (self.is(at, "#") && self.is(open, "[")).then_some(open)
    }

    /// True if the attribute whose bracket is at `open` may remove its item, as `cfg` and `test` do.
    fn is_strange(&self, open: usize) -> bool {
        let name = self.name(open + 1).unwrap_or_default();
        !HARMLESS_ATTRIBUTES.contains(&name) || self.is(open + 2, ":")
    }

    /// True if one of the inner attributes that begin at `at` may remove what they stand in.
    fn has_strange_inner(&self, mut at: usize) -> bool {
        while self.is(at + 1, "!")
            && let Some(open) = self.attribute(at)
        {
            if self.is_strange(open) {
                return true;
            }
            at = end_of_group(self.tokens, open);
        }
        false
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
        let import = Import { name, path };
        self.krate.change(self.scope, |scope| scope.imports.push(import));
        at + 3
    }

    /// Reads a `use` tree that begins at `at`, below `prefix` and in `nested` braces; the answer is where it
    /// ends.
    fn declared_use(&mut self, at: usize, prefix: &Path, nested: usize) -> usize {
        let (mut at, mut path) = (at, prefix.clone());
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
                    at = self.declared_use(at, &path, nested + 1).max(at + 1);
                    at += usize::from(self.is(at, ","));
                }
                return end;
            } else if let Some(name) = self.name(at).map(str::to_owned) {
                path.segments.push(name);
                self.keep(at, &path, InMacro::No, Namespace::BOTH);
                at += 1;
                if !(self.is(at, ":") && self.is(at + 1, ":")) {
                    return self.imported(at, path);
                }
            } else {
                return at;
            }
        }
    }

    /// A name of a `use` tree, whose path ends before `at`.
    fn imported(&mut self, at: usize, mut path: Path) -> usize {
        if path.segments.len() > 1 && path.segments.last().is_some_and(|it| it == "self") {
            path.segments.pop();
        }
        let renamed = self.is(at, "as");
        let alias = if renamed { self.name(at + 1).map(str::to_owned) } else { None };
        let own = path.segments.last().cloned();
        if let Some(name) = alias.or(own) {
            let import = Import { name, path };
            self.krate.change(self.scope, |scope| scope.imports.push(import));
        }
        at + usize::from(renamed) * 2
    }
}
