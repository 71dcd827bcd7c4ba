//! Reachability: which items a piece of source can lead to.
//!
//! The graph is larger than what the compiler would find, and never smaller: a name leads to every item of that name,
//! whatever the module. Only a name that stands alone, and that its file neither declares nor imports, leads nowhere: it is a
//! local variable, or a field.
//!
//! | mention | leads to |
//! |---|---|
//! | `name`, declared in the file and not imported | the items of that name in the file, and `impl`s |
//! | `name`, imported, or where all names of a module of ours are | all items of that name |
//! | `name`, neither declared nor imported | nothing |
//! | `module::name`, a name in the call of a macro | all items of that name |
//! | `Type::name`, where `Type` is none of ours | also traits and `impl`s with an associated item of that name |
//! | `.name` | traits and `impl`s with an associated item of that name |
//! | `name!` | the macro, and what its body mentions |
//!
//! A name that an import or an alias of a type gives to an item leads to that item as well, through any number of aliases.
//! Nobody names an `impl` of a trait. So a type or a trait leads to every `impl` that has its name in its header, whatever the
//! file. A `static` that is not plain data leads to all items that mention it, because they may change it.

use std::collections::{BTreeMap, BTreeSet};

use crate::chunk::{Chunk, SourceFile};
use crate::import::Imports;
use crate::item::ItemKind;
use crate::macros::Macros;
use crate::mention::{Form, Mention};

/// Items of all crates of an exam.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) files: Vec<SourceFile>,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) macros: Macros,
    /// Items that each item leads to.
    whole: Vec<Vec<usize>>,
    /// Items that the outline of each item leads to.
    outline: Vec<Vec<usize>>,
    by_name: BTreeMap<String, Vec<usize>>,
    by_member: BTreeMap<String, Vec<usize>>,
    by_mention: BTreeMap<String, Vec<usize>>,
    /// Names of modules and crates of ours.
    modules: BTreeSet<String>,
    /// Names of the items that a name may stand for, through any number of aliases.
    aliases: BTreeMap<String, BTreeSet<String>>,
    /// Names of the crates, as they are written in code.
    pub(crate) crates: Vec<String>,
}

/// View of an item that declares checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// With the checks, and the parts of an exam, that it declares.
    Whole,
    /// Without them.
    Outline,
}

impl Graph {
    /// Prepares the look-up of names.
    pub(crate) fn index(&mut self) {
        self.macros.close();
        for chunk in &mut self.chunks {
            let Some(called) = &chunk.calls else { continue };
            // The call may declare what the macro's body names.
            if let Some(body) = self.macros.bodies.get(called) {
                chunk.declares.extend(body.iter().cloned());
                chunk.members.extend(body.iter().cloned());
            }
            if self.macros.is_foreign(called)
                && let Some(file) = self.files.get_mut(chunk.file)
            {
                file.is_opaque = true;
            }
        }
        for chunk in &mut self.chunks {
            let mut called = chunk.mentions.iter().filter(|it| it.form == Form::Macro);
            chunk.is_opaque |= called.any(|it| self.macros.is_foreign_inside(&it.name));
        }
        self.find_aliases();
        for chunk in self.chunks.iter_mut().filter(|chunk| chunk.kind == ItemKind::Impl) {
            let aliased = chunk.declares.iter().filter_map(|name| self.aliases.get(name));
            let aliased: Vec<String> = aliased.flatten().cloned().collect();
            chunk.declares.extend(aliased);
        }
        for (at, chunk) in self.chunks.iter().enumerate() {
            for name in &chunk.declares {
                self.by_name.entry(name.clone()).or_default().push(at);
            }
            for name in &chunk.members {
                self.by_member.entry(name.clone()).or_default().push(at);
            }
            for mention in &chunk.mentions {
                let places = self.by_mention.entry(mention.name.clone()).or_default();
                if places.last() != Some(&at) {
                    places.push(at);
                }
            }
        }
        for chunk in &mut self.chunks {
            let mut called = chunk.mentions.iter().filter(|it| it.form == Form::Macro);
            if called.any(|it| self.macros.may_import(&it.name)) {
                chunk.imports.all = true;
                // What the call of a macro at the top of a file imports, the whole file sees.
                let file = self.files.get_mut(chunk.file);
                if let Some(file) = file.filter(|_| chunk.kind == ItemKind::Unknown) {
                    file.imports.all = true;
                }
            }
        }
        self.modules = self.files.iter().map(|file| last_of(&file.module).to_owned()).collect();
        self.modules.extend(self.crates.iter().cloned());
        let edges = |mentions: &dyn Fn(&Chunk) -> Vec<Mention>| -> Vec<Vec<usize>> {
            self.chunks.iter().map(|chunk| self.edges(chunk, &mentions(chunk))).collect()
        };
        let whole = edges(&|chunk| chunk.mentions.clone());
        let outline = edges(&|chunk| chunk.outline_mentions.clone());
        (self.whole, self.outline) = (whole, outline);
    }

    /// Collects the names that imports and aliases of types give to items, through any number of steps.
    fn find_aliases(&mut self) {
        let of_files = self.files.iter().map(|file| &file.imports);
        let of_chunks = self.chunks.iter().map(|chunk| &chunk.imports);
        for (alias, name) in of_files.chain(of_chunks).flat_map(|imports| &imports.aliases) {
            self.aliases.entry(alias.clone()).or_default().insert(name.clone());
        }
        for chunk in self.chunks.iter().filter(|chunk| chunk.kind == ItemKind::Alias) {
            let names = chunk.mentions.iter().map(|mention| mention.name.clone());
            self.aliases.entry(chunk.name.clone()).or_default().extend(names);
        }
        loop {
            let mut grown = BTreeMap::new();
            for (alias, names) in &self.aliases {
                let further = names.iter().filter_map(|name| self.aliases.get(name)).flatten();
                let all: BTreeSet<String> = names.iter().chain(further).cloned().collect();
                if all.len() > names.len() {
                    grown.insert(alias.clone(), all);
                }
            }
            if grown.is_empty() {
                return;
            }
            self.aliases.extend(grown);
        }
    }

    /// Returns the items that these mentions in an item lead to, directly or not.
    pub(crate) fn reachable(
        &self,
        mentions: &[Mention],
        chunk: &Chunk,
        view: View,
    ) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let resolved = mentions.iter().flat_map(|it| self.resolve(it, chunk.file, &chunk.imports));
        let mut open: Vec<usize> = resolved.collect();
        while let Some(at) = open.pop() {
            if !reached.insert(at) {
                continue;
            }
            let edges = match view {
                View::Whole => &self.whole,
                View::Outline => &self.outline,
            };
            open.extend(edges.get(at).into_iter().flatten());
        }
        reached
    }

    fn edges(&self, chunk: &Chunk, mentions: &[Mention]) -> Vec<usize> {
        let resolve = |it| self.resolve(it, chunk.file, &chunk.imports);
        let named: BTreeSet<usize> = mentions.iter().flat_map(resolve).collect();
        named.into_iter().chain(self.attached(chunk)).collect()
    }

    /// Returns the items that belong to an item without being named: its `impl`s, and for a variable whatever may write it.
    fn attached(&self, chunk: &Chunk) -> Vec<usize> {
        let is_kind = |at: &usize, kinds: &[ItemKind]| {
            self.chunks.get(*at).is_some_and(|chunk| kinds.contains(&chunk.kind))
        };
        let named = |name: &String| self.by_name.get(name).into_iter().flatten().copied();
        let holders = [ItemKind::Impl, ItemKind::Unknown];
        let mut found: Vec<usize> = match chunk.kind {
            ItemKind::Struct
            | ItemKind::Enum
            | ItemKind::Trait
            | ItemKind::Alias
            | ItemKind::Value
            | ItemKind::Static => named(&chunk.name).filter(|at| is_kind(at, &holders)).collect(),
            // It may declare types.
            ItemKind::Unknown => {
                let all = chunk.declares.iter().flat_map(named);
                all.filter(|at| is_kind(at, &holders)).collect()
            }
            ItemKind::Impl | ItemKind::Macro | ItemKind::Use | ItemKind::Header => Vec::new(),
        };
        if chunk.is_variable {
            let users = chunk.declares.iter().filter_map(|name| self.by_mention.get(name));
            found.extend(users.flatten());
        }
        found
    }

    fn resolve(&self, mention: &Mention, file: usize, own: &Imports) -> Vec<usize> {
        let Mention { name, form, is_prefix } = mention;
        let mut found = match form {
            Form::Method => return self.by_member.get(name).cloned().unwrap_or_default(),
            Form::Anywhere => self.all(name),
            Form::Macro => {
                let bodies = self.macros.bodies.get(name).into_iter().flatten();
                self.all(name).into_iter().chain(bodies.flat_map(|name| self.all(name))).collect()
            }
            Form::In(parent) => self.inside(parent, name),
            Form::Plain => self.plain(name, file, own),
        };
        for name in self.aliases.get(name).into_iter().flatten() {
            found.extend(self.all(name));
        }
        let is_value = |at: &usize| {
            let kind = self.chunks.get(*at).map(|chunk| chunk.kind);
            matches!(kind, Some(ItemKind::Value | ItemKind::Static))
        };
        found.retain(|at| !*is_prefix || !is_value(at));
        found
    }

    fn all(&self, name: &String) -> Vec<usize> {
        self.by_name.get(name).cloned().unwrap_or_default()
    }

    /// Returns the items that `parent::name` can mean: by that name alone, and if `parent` is no module and no type of ours also
    /// `impl`s with such an associated item, for it may be a type of others, or a parameter.
    fn inside(&self, parent: &str, name: &String) -> Vec<usize> {
        let mut found = self.all(name);
        let is_ours = self.modules.contains(parent)
            || self.by_name.contains_key(parent)
            || matches!(parent, "self" | "super" | "crate");
        if !is_ours {
            found.extend(self.by_member.get(name).into_iter().flatten());
        }
        found
    }

    /// Returns the items that a name alone can mean in a file; `own` is what the item around it imports.
    fn plain(&self, name: &String, file: usize, own: &Imports) -> Vec<usize> {
        let Some(source) = self.files.get(file) else { return Vec::new() };
        let imports = [&source.imports, own];
        if imports.iter().any(|it| it.all || it.names.contains_key(name)) {
            return self.all(name);
        }
        let chunk = |at: &usize| self.chunks.get(*at);
        let is_here = |at: &usize| chunk(at).is_some_and(|chunk| chunk.file == file);
        let is_impl = |at: &usize| chunk(at).is_some_and(|chunk| chunk.kind == ItemKind::Impl);
        let all = self.all(name);
        if !all.iter().any(|at| is_here(at) && !is_impl(at)) {
            return Vec::new();
        }
        all.into_iter().filter(|at| is_here(at) || is_impl(at)).collect()
    }
}

/// Returns the name of a module by its path.
fn last_of(module: &str) -> &str {
    let module = module.strip_suffix("/mod").unwrap_or(module);
    module.rsplit('/').next().unwrap_or(module)
}
