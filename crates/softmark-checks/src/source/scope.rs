//! The modules and blocks of a crate, and the names that each brings in.

use std::collections::BTreeMap;

/// The number of a scope in its [`Crate`].
pub(super) type ScopeId = usize;

/// The scope of the crate's root module.
pub(super) const ROOT: ScopeId = 0;

/// A path as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Path {
    /// True if it begins with `::`: its first segment is a crate.
    pub(super) global: bool,
    /// True if a macro's argument is one of its segments, so that nobody knows where it leads.
    pub(super) from_macro: bool,
    pub(super) segments: Vec<String>,
}

/// A name that a `use` or `extern crate` declaration brings into a scope, in those namespaces in which
/// the path leads to something that may be used there.
#[derive(Debug, Clone)]
pub(super) struct Import {
    pub(super) name: String,
    pub(super) path: Path,
}

/// The namespace of a name: types and functions do not hide one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Namespace {
    /// Modules, types and traits.
    Type,
    /// Functions, constants and statics.
    Value,
}

impl Namespace {
    pub(super) const BOTH: &'static [Self] = &[Self::Type, Self::Value];
}

/// The item that a declared name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    /// A module of the crate, whose scope this is.
    Module(ScopeId),
    /// Any other item of the crate.
    Own,
    /// An item that is declared twice, or whose attributes may remove it.
    Uncertain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScopeKind {
    Module,
    /// A block of statements, or braces that hold no declarations.
    Block,
    /// The braces of an `impl`, a trait or a type: what is declared there has no name of its own.
    Associated,
}

/// A module, or a pair of braces in one.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    pub(super) parent: Option<ScopeId>,
    pub(super) items: BTreeMap<(Namespace, String), Item>,
    pub(super) imports: Vec<Import>,
    pub(super) globs: Vec<Path>,
}

/// The macro that a name stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InMacro {
    /// None.
    No,
    /// One of the standard library that leaves an expression where it stands, such as `vec!`.
    Expression,
    /// One that may put the name anywhere, or a definition.
    Other,
}

/// A place where a name of interest stands.
#[derive(Debug, Clone)]
pub(super) struct Occurrence {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) scope: ScopeId,
    /// The path up to the name, which is its last segment.
    pub(super) path: Path,
    pub(super) in_macro: InMacro,
    /// The namespaces that the name may be of.
    pub(super) spaces: &'static [Namespace],
}

/// The scopes of a crate.
#[derive(Debug, Clone)]
pub(super) struct Crate {
    pub(super) scopes: Vec<Scope>,
    pub(super) occurrences: Vec<Occurrence>,
    /// True if macros may bring in names: one holds or is handed a `use`.
    pub(super) macros_import: bool,
    /// True if the crate defines macros.
    pub(super) defines_macros: bool,
}

impl Crate {
    /// A crate with nothing in it.
    pub(super) fn new() -> Self {
        let mut empty = Self {
            scopes: Vec::new(),
            occurrences: Vec::new(),
            macros_import: false,
            defines_macros: false,
        };
        empty.add(ScopeKind::Module, None);
        empty
    }

    /// Adds an empty scope.
    pub(super) fn add(&mut self, kind: ScopeKind, parent: Option<ScopeId>) -> ScopeId {
        let (items, imports, globs) = (BTreeMap::new(), Vec::new(), Vec::new());
        self.scopes.push(Scope { kind, parent, items, imports, globs });
        self.scopes.len() - 1
    }

    pub(super) fn scope(&self, id: ScopeId) -> Option<&Scope> {
        self.scopes.get(id)
    }

    /// Changes a scope; one that is not there is left out.
    pub(super) fn change(&mut self, id: ScopeId, change: impl FnOnce(&mut Scope)) {
        if let Some(scope) = self.scopes.get_mut(id) {
            change(scope);
        }
    }

    /// Declares a name; a second declaration makes it uncertain.
    pub(super) fn declare(&mut self, scope: ScopeId, (space, name): (Namespace, &str), item: Item) {
        let Some(scope) = self.scopes.get_mut(scope) else { return };
        let known = scope.items.entry((space, name.to_owned())).or_insert(item);
        if *known != item {
            *known = Item::Uncertain;
        }
    }

    /// Changes what the name of `module` stands for in the module around it.
    pub(super) fn change_module(&mut self, module: ScopeId, item: Item) {
        let Some(parent) = self.scope(module).and_then(|it| it.parent) else { return };
        self.change(parent, |parent| {
            for known in parent.items.values_mut().filter(|it| **it == Item::Module(module)) {
                *known = item;
            }
        });
    }

    /// The module of the file at `path` below `src/`: `a.rs` and `a/mod.rs` are `crate::a`.
    pub(super) fn module_of_file(&mut self, path: &str) -> ScopeId {
        let stem = path.strip_suffix(".rs").unwrap_or(path);
        let stem = stem.strip_suffix("/mod").unwrap_or(stem);
        if stem == "lib" {
            return ROOT;
        }
        let mut module = ROOT;
        for name in stem.split('/') {
            let key = (Namespace::Type, name.to_owned());
            let known = self.scope(module).and_then(|scope| scope.items.get(&key)).copied();
            module = match known {
                Some(Item::Module(child)) => child,
                Some(Item::Own | Item::Uncertain) | None => {
                    let child = self.add(ScopeKind::Module, Some(module));
                    self.declare(module, (Namespace::Type, name), Item::Module(child));
                    child
                }
            };
        }
        module
    }

    /// The module that a scope belongs to.
    pub(super) fn module_around(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while let Some(found) = self.scope(at) {
            match (found.kind, found.parent) {
                (ScopeKind::Module, _) | (_, None) => return at,
                (ScopeKind::Block | ScopeKind::Associated, Some(parent)) => at = parent,
            }
        }
        ROOT
    }
}
