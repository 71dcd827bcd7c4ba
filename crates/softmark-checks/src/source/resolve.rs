//! Follows paths through a crate's imports to the library item that they may mean.

use std::collections::BTreeSet;

use crate::source::scope::{
    Crate, InMacro, Item, Namespace, Occurrence, Path, ROOT, ScopeId, ScopeKind,
};

/// Limits: the declarations examined for all occurrences together, and the paths followed through one
/// another. Imports that lead in circles, or through very many globs, exceed a limit and are refused.
const MAX_WORK: usize = 2_000_000;
const MAX_DEPTH: usize = 32;

/// A possible meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A module of the crate.
    Module(ScopeId),
    /// Another item of the crate or of the standard library.
    Own,
    /// An item of a library.
    Library {
        path: Vec<String>,
        /// True if a glob import of the library is all that may bring the name in.
        by_glob: bool,
    },
    /// Cannot be told without expanding macros or knowing the compiler's configuration.
    Unknown,
}

impl<'a> Resolver<'a> {
    /// Resolves names of a crate that may use `libraries`.
    pub(super) fn new(krate: &'a Crate, libraries: &'a [&'a str]) -> Self {
        // A path to itself, `use kit as kit;`, takes nobody's name.
        let imports = krate.scopes.iter().flat_map(|scope| &scope.imports);
        let others = imports.filter(|it| !it.path.segments.iter().all(|part| *part == it.name));
        let items = krate.scopes.iter().flat_map(|scope| scope.items.keys().map(|(_, name)| name));
        let taken: BTreeSet<&str> =
            items.chain(others.map(|it| &it.name)).map(String::as_str).collect();
        Self { krate, libraries, taken, work: 0, depth: 0, globs: Vec::new() }
    }

    /// Everything that an occurrence may mean; empty where only a local variable can be meant.
    pub(super) fn meanings(&mut self, occurrence: &Occurrence) -> Vec<Meaning> {
        let hidden = match occurrence.in_macro {
            InMacro::No => false,
            // The crate's own macros may take its name.
            InMacro::Expression => self.krate.defines_macros,
            InMacro::Other => true,
        };
        if hidden || self.krate.macros_import || occurrence.path.from_macro {
            return vec![Meaning::Unknown];
        }
        let mut found = Vec::new();
        for space in occurrence.spaces {
            found.extend(self.path(occurrence.scope, (&occurrence.path, *space)));
        }
        found
    }
}

/// A name and where it is looked for.
type Name<'a> = (Namespace, &'a str);

/// Follows the paths of a crate.
pub(super) struct Resolver<'a> {
    krate: &'a Crate,
    libraries: &'a [&'a str],
    /// All names that anything in the crate is declared or imported under.
    taken: BTreeSet<&'a str>,
    work: usize,
    depth: usize,
    /// The globs whose own paths are being followed; none of them leads to itself.
    globs: Vec<(ScopeId, usize)>,
}

impl Resolver<'_> {
    /// Returns the possible meanings of a path whose last segment is in that namespace.
    fn path(&mut self, scope: ScopeId, path: (&Path, Namespace)) -> Vec<Meaning> {
        self.work += 1;
        if self.work > MAX_WORK || self.depth == MAX_DEPTH {
            return vec![Meaning::Unknown];
        }
        self.depth += 1;
        let mut found = self.follow(scope, path);
        self.depth -= 1;
        if path.1 == Namespace::Value {
            found.retain(|meaning| !matches!(meaning, Meaning::Module(_)));
        }
        found
    }

    fn follow(&mut self, scope: ScopeId, (path, space): (&Path, Namespace)) -> Vec<Meaning> {
        let Some((first, rest)) = path.segments.split_first() else {
            let module = Meaning::Module(self.krate.module_around(scope));
            return vec![module];
        };
        let space_of = |left: usize| if left == 0 { space } else { Namespace::Type };
        let mut found = if path.global {
            self.external(first)
        } else {
            self.first(scope, (space_of(rest.len()), first))
        };
        for (at, segment) in rest.iter().enumerate() {
            let name = (space_of(rest.len() - 1 - at), segment.as_str());
            let before = std::mem::take(&mut found);
            for meaning in before {
                found.extend(self.step(meaning, name));
            }
        }
        found
    }

    fn first(&mut self, scope: ScopeId, name: Name<'_>) -> Vec<Meaning> {
        match name.1 {
            "crate" => vec![Meaning::Module(ROOT)],
            "self" => vec![Meaning::Module(self.krate.module_around(scope))],
            "super" => self.parent(self.krate.module_around(scope)),
            "Self" => vec![Meaning::Own],
            // No glob brings in a library's name that nothing of the crate has.
            library if self.libraries.contains(&library) && !self.taken.contains(library) => {
                self.external(library)
            }
            _ => {
                let mut found = Vec::new();
                if !self.visible(scope, name, &mut found) {
                    found.extend(self.external(name.1));
                }
                found
            }
        }
    }

    fn parent(&self, module: ScopeId) -> Vec<Meaning> {
        let parent = self.krate.scope(module).and_then(|it| it.parent);
        parent.map(|it| Meaning::Module(self.krate.module_around(it))).into_iter().collect()
    }

    fn external(&self, name: &str) -> Vec<Meaning> {
        if self.libraries.contains(&name) {
            return vec![Meaning::Library { path: vec![name.to_owned()], by_glob: false }];
        }
        let standard = ["std", "core", "alloc"].contains(&name);
        standard.then_some(Meaning::Own).into_iter().collect()
    }

    /// Adds what `name` may mean in `scope` and those around it, up to the module; true if nothing
    /// further out can be meant.
    fn visible(&mut self, scope: ScopeId, name: Name<'_>, found: &mut Vec<Meaning>) -> bool {
        let mut at = Some(scope);
        while let Some(scope) = at.and_then(|id| self.krate.scope(id).map(|it| (id, it))) {
            let (id, scope) = scope;
            if self.within(id, name, found) {
                return true;
            }
            at = scope.parent.filter(|_| scope.kind != ScopeKind::Module);
        }
        false
    }

    /// Adds what `name` may mean in this scope alone; true if it is declared there for certain.
    fn within(&mut self, id: ScopeId, (space, name): Name<'_>, found: &mut Vec<Meaning>) -> bool {
        let krate = self.krate;
        let Some(scope) = krate.scope(id) else { return false };
        match scope.items.get(&(space, name.to_owned())) {
            Some(Item::Module(module)) => {
                found.push(Meaning::Module(*module));
                return true;
            }
            Some(Item::Own) => {
                found.push(Meaning::Own);
                return true;
            }
            Some(Item::Uncertain) => found.push(Meaning::Unknown),
            None => {}
        }
        self.work += scope.imports.len() + scope.globs.len();
        for import in scope.imports.iter().filter(|import| import.name == name) {
            // An import may have the name that its own path begins with: `use nn::nn`.
            let own = import.path.segments.first().is_some_and(|it| it == name);
            found.extend(if own && !import.path.global && import.path.segments.len() == 1 {
                self.external(name)
            } else {
                self.path(id, (&import.path, space))
            });
        }
        // No import hides a glob: it may bring in a type and no function, and of its own modules rustc
        // leaves out the namespace in which the name is private.
        for (at, glob) in scope.globs.iter().enumerate() {
            if self.globs.contains(&(id, at)) {
                continue;
            }
            self.globs.push((id, at));
            for target in self.path(id, (glob, Namespace::Type)) {
                found.extend(self.through_glob(target, (space, name)));
            }
            self.globs.pop();
        }
        false
    }

    fn through_glob(&mut self, target: Meaning, name: Name<'_>) -> Vec<Meaning> {
        match target {
            Meaning::Module(module) => {
                let mut found = Vec::new();
                self.within(module, name, &mut found);
                found
            }
            Meaning::Library { mut path, .. } => {
                path.push(name.1.to_owned());
                vec![Meaning::Library { path, by_glob: true }]
            }
            // The variants of an enum.
            Meaning::Own => Vec::new(),
            Meaning::Unknown => vec![Meaning::Unknown],
        }
    }

    fn step(&mut self, from: Meaning, segment: Name<'_>) -> Vec<Meaning> {
        match from {
            Meaning::Module(module) => match segment.1 {
                "self" => vec![Meaning::Module(module)],
                "super" => self.parent(module),
                _ => {
                    let mut found = Vec::new();
                    self.within(module, segment, &mut found);
                    found
                }
            },
            Meaning::Library { mut path, by_glob } => {
                path.push(segment.1.to_owned());
                vec![Meaning::Library { path, by_glob }]
            }
            Meaning::Own => vec![Meaning::Own],
            Meaning::Unknown => vec![Meaning::Unknown],
        }
    }
}
