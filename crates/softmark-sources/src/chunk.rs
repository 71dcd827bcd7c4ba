//! Chunks: items with the names that they declare and mention.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::declared::{self, Declared};
use crate::import::Imports;
use crate::item::{Item, ItemKind, split};
use crate::mention::{Mention, mentions};
use crate::names::may_be_item;
use crate::token::{Token, after, tokens, written};

/// Item of a crate, with all that decides which other items it can lead to.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "they are facts that have nothing to do with one another"
)]
pub(crate) struct Chunk {
    pub(crate) kind: ItemKind,
    /// Index of its file.
    pub(crate) file: usize,
    /// Text of all tokens.
    pub(crate) text: String,
    /// Text without the checks and the parts of the exam that it declares.
    pub(crate) outline: String,
    /// Name; empty if it has none, or several.
    pub(crate) name: String,
    /// Names by which a mention of any form leads here.
    pub(crate) declares: BTreeSet<String>,
    /// Names of associated items, by which the call of a method leads here.
    pub(crate) members: BTreeSet<String>,
    pub(crate) mentions: Vec<Mention>,
    /// Mentions in the outline.
    pub(crate) outline_mentions: Vec<Mention>,
    /// Checks and parts of an exam that it declares.
    pub(crate) declared: Vec<Declared>,
    /// Names that are imported in it.
    pub(crate) imports: Imports,
    /// Macro whose call it is; `None` if it is no call.
    pub(crate) calls: Option<String>,
    /// True if others may have changed it while the grader runs.
    pub(crate) is_variable: bool,
    /// True if it may give a check the function or the id of another.
    pub(crate) takes_checks_apart: bool,
    /// Files that it includes.
    pub(crate) reads: Vec<PathBuf>,
    /// True if what it compiles to depends on more than sources.
    pub(crate) is_opaque: bool,
}

/// File of a crate.
#[derive(Debug)]
pub(crate) struct SourceFile {
    /// Path below `src/`, without its ending.
    pub(crate) module: String,
    /// Index of its crate.
    pub(crate) krate: usize,
    pub(crate) imports: Imports,
    /// Text of what the whole crate, or others, see: public imports, and attributes of the file and of modules.
    pub(crate) public_uses: String,
    pub(crate) is_opaque: bool,
    /// Modules that are compiled for tests alone.
    pub(crate) test_modules: Vec<String>,
}

/// Attributes that make no code but what the compiler, the standard library and serde make.
const ATTRIBUTES: [&str; 22] = [
    "allow",
    "automatically_derived",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "ignore",
    "inline",
    "macro_export",
    "macro_use",
    "must_use",
    "non_exhaustive",
    "repr",
    "serde",
    "test",
    "warn",
];

/// Traits that are derived by the compiler or by serde.
const DERIVED: [&str; 12] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deserialize",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "serde",
];

/// True if some tokens have an attribute that may declare items, or read the documentation.
fn has_foreign_attribute(tokens: &[Token], range: Range<usize>) -> bool {
    range.into_iter().any(|at| is_foreign_attribute(tokens, at))
}

/// True if an attribute begins at a token, and it may declare items.
fn is_foreign_attribute(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let open = if is(at + 1, "!") { at + 2 } else { at + 1 };
    if !is(at, "#") || !is(open, "[") {
        return false;
    }
    let end = after(tokens, open);
    let name = tokens.get(open + 1).and_then(Token::name).unwrap_or_default();
    let mut derived = (open + 2..end).filter_map(|at| tokens.get(at)?.name());
    // These make a piece of source opaque by themselves.
    let is_opaque = OPAQUE_WORDS.contains(&name) || name == "path";
    !(ATTRIBUTES.contains(&name) || is_opaque)
        || (name == "derive" && derived.any(|name| !DERIVED.contains(&name)))
}

/// Words that make a piece of source depend on more than sources: features, the environment, the place in a file.
const OPAQUE_MACROS: [&str; 7] =
    ["include", "env", "option_env", "line", "column", "file", "module_path"];
const OPAQUE_WORDS: [&str; 3] = ["track_caller", "Location", "asm"];

/// Reads a file; `external` are the crates whose names can be none of ours.
pub(crate) fn read(
    text: &str,
    path: &Path,
    place: (usize, usize),
    module: String,
    external: &BTreeSet<String>,
) -> (SourceFile, Vec<Chunk>) {
    let (file, krate) = place;
    let mut source = SourceFile {
        module,
        krate,
        imports: Imports::default(),
        public_uses: String::new(),
        is_opaque: false,
        test_modules: Vec::new(),
    };
    let Some(tokens) = tokens(text) else {
        source.is_opaque = true;
        return (source, Vec::new());
    };
    let split = split(&tokens);
    source.test_modules = split.test_modules;
    let mut chunks = Vec::new();
    for item in &split.items {
        let all = written(&tokens, item.range.clone(), &[]);
        source.is_opaque |= has_foreign_attribute(&tokens, item.range.clone());
        let mut item = item.clone();
        if has_inner_impl(&tokens, &item) {
            item.kind = ItemKind::Unknown;
        }
        let item = &item;
        match item.kind {
            ItemKind::Use => {
                source.imports.add(&tokens, item.header.start, external);
                source.is_opaque |= is_opaque(&tokens, item.range.clone());
                // An external crate may get another name.
                let is_crate = tokens.get(item.header.start).is_some_and(|it| it.is("extern"));
                source.imports.all |= is_crate;
                if item.is_public || is_crate {
                    source.public_uses.push_str(&all);
                }
            }
            ItemKind::Header => {
                // A module without attributes adds nothing but its items.
                let is_bare = item.name.is_some() && all.split(' ').all(|word| word != "#");
                if !is_bare {
                    source.public_uses.push_str(&all);
                    source.is_opaque |= is_opaque(&tokens, item.range.clone())
                        || all.split(' ').any(|word| word == "path");
                }
            }
            ItemKind::Value
            | ItemKind::Alias
            | ItemKind::Static
            | ItemKind::Struct
            | ItemKind::Enum
            | ItemKind::Trait
            | ItemKind::Impl
            | ItemKind::Macro
            | ItemKind::Unknown => {
                let mut chunk = Chunk::new(&tokens, item, file, path, all);
                for at in item.range.clone().skip(1) {
                    if tokens.get(at).is_some_and(|token| token.is("use")) {
                        chunk.imports.add(&tokens, at, external);
                    }
                }
                chunks.push(chunk);
            }
        }
    }
    (source, chunks)
}

impl Chunk {
    fn new(tokens: &[Token], item: &Item, file: usize, path: &Path, text: String) -> Self {
        let declared = declared::declared(tokens, item.range.clone());
        let holes: Vec<Range<usize>> = declared.iter().map(|it| it.range.clone()).collect();
        let names = |range: Range<usize>| -> BTreeSet<String> {
            let all = range.filter_map(|at| tokens.get(at)?.name());
            all.filter(|name| may_be_item(name)).map(str::to_owned).collect()
        };
        let is_unknown = item.kind == ItemKind::Unknown;
        let mut declares: BTreeSet<String> = item.name.iter().cloned().collect();
        match item.kind {
            ItemKind::Enum => declares.extend(names(item.body.clone())),
            ItemKind::Impl => declares.extend(names(item.header.clone())),
            ItemKind::Unknown => declares.extend(names(item.range.clone())),
            ItemKind::Use
            | ItemKind::Header
            | ItemKind::Value
            | ItemKind::Alias
            | ItemKind::Static
            | ItemKind::Struct
            | ItemKind::Trait
            | ItemKind::Macro => {}
        }
        let members = match item.kind {
            ItemKind::Trait | ItemKind::Impl => associated(tokens, item.body.clone()),
            ItemKind::Unknown => declares.clone(),
            ItemKind::Use
            | ItemKind::Header
            | ItemKind::Value
            | ItemKind::Alias
            | ItemKind::Static
            | ItemKind::Struct
            | ItemKind::Enum
            | ItemKind::Macro => BTreeSet::new(),
        };
        let is_open = is_unknown || item.kind == ItemKind::Macro;
        let (reads, is_readable) = reads(tokens, item.range.clone(), path);
        let name = item.name.clone().filter(|_| !is_unknown).unwrap_or_default();
        Self {
            kind: item.kind,
            file,
            outline: written(tokens, item.range.clone(), &holes),
            name,
            mentions: mentions(tokens, item.range.clone(), &[], is_open),
            outline_mentions: mentions(tokens, item.range.clone(), &holes, is_open),
            is_opaque: !is_readable || is_opaque(tokens, item.range.clone()),
            text,
            declares,
            members,
            imports: Imports::default(),
            calls: item.name.clone().filter(|_| is_unknown && item.is_call),
            is_variable: is_variable(tokens, item),
            takes_checks_apart: takes_checks_apart(tokens, item.range.clone(), &holes),
            declared,
            reads,
        }
    }
}

/// True if an item has an `impl` in its body or value, which belongs to a type and not to the item.
fn has_inner_impl(tokens: &[Token], item: &Item) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let value = (item.header.start..item.header.end).find(|at| is(*at, "="));
    let start = if item.body.is_empty() { value } else { Some(item.body.start) };
    let may_have = matches!(item.kind, ItemKind::Value | ItemKind::Static);
    may_have && start.is_some_and(|start| (start..item.range.end).any(|at| is(at, "impl")))
}

/// Types of data that nothing changes once it is there.
const CONSTANT_TYPES: [&str; 8] =
    ["Signature", "bool", "char", "f64", "static", "str", "u64", "usize"];

/// True if a `static` may be changed: if it has any type but the plainest.
fn is_variable(tokens: &[Token], item: &Item) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    match item.kind {
        // It may declare one.
        ItemKind::Unknown => item.range.clone().any(|at| is(at, "static")),
        ItemKind::Static => {
            let start = item.header.start + 2;
            let end = (start..item.header.end).find(|at| is(*at, "=")).unwrap_or(item.header.end);
            let mut words = (start..end).filter_map(|at| tokens.get(at)?.name());
            words.any(|word| !CONSTANT_TYPES.contains(&word))
        }
        // One in a function.
        ItemKind::Value | ItemKind::Trait | ItemKind::Impl => {
            let is_name = |at: usize| tokens.get(at).and_then(Token::name).is_some();
            let declares = |at: usize| is(at, "static") && is_name(at + 1) && is(at + 2, ":");
            item.range.clone().any(declares)
        }
        ItemKind::Use
        | ItemKind::Header
        | ItemKind::Alias
        | ItemKind::Struct
        | ItemKind::Enum
        | ItemKind::Macro => false,
    }
}

/// True if some tokens read the function of a check, or write its id or its function: `.run`, `.id =`, a pattern.
///
/// A function whose whole body is `Check { id, title, run }` makes a check of its arguments.
fn takes_checks_apart(tokens: &[Token], range: Range<usize>, holes: &[Range<usize>]) -> bool {
    let kept = |at: &usize| !holes.iter().any(|hole| hole.contains(at));
    range.filter(kept).any(|at| takes_check_apart(tokens, at))
}

fn takes_check_apart(tokens: &[Token], at: usize) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let is_id = is(at, ".") && is(at + 1, "id");
    let writes_id = is_id && ((is(at + 2, "=") && !is(at + 3, "=")) || is_borrowed(tokens, at));
    let reads_run = is(at, ".") && is(at + 1, "run");
    let end = after(tokens, at + 1);
    let is_result = at.checked_sub(1).is_some_and(|before| is(before, "{")) && is(end, "}");
    let is_type = at.checked_sub(1).is_some_and(|before| is(before, ">"));
    // `Check` may have another name here.
    let name = tokens.get(at).and_then(Token::name).unwrap_or_default();
    let is_struct = name.starts_with(char::is_uppercase) && is(at + 1, "{");
    let is_check = is_struct && !is_type;
    let names_run = is_check && (at + 2..end).any(|at| is(at, "run"));
    writes_id || reads_run || (names_run && !is_result)
}

/// True if the place that the dot at `at` leads to is borrowed to be changed: `&mut it.id`.
fn is_borrowed(tokens: &[Token], at: usize) -> bool {
    let is = |at: &usize, text: &str| tokens.get(*at).is_some_and(|token| token.is(text));
    let mut before = (0..at).rev().skip_while(|at| {
        let is_name = tokens.get(*at).and_then(Token::name).is_some_and(|name| name != "mut");
        is_name || [".", "[", "]"].iter().any(|text| is(at, text))
    });
    before.next().is_some_and(|at| is(&at, "mut"))
}

/// Returns the names of the associated items in the body of a trait or an `impl`.
fn associated(tokens: &[Token], body: Range<usize>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for at in body.clone() {
        let word = |at: usize| tokens.get(at).and_then(Token::name);
        if let (Some("fn" | "const" | "type"), Some(name)) = (word(at), word(at + 1)) {
            names.insert(name.to_owned());
        }
        // The call of a macro may make any.
        if tokens.get(at).is_some_and(|token| token.is("!")) {
            let end = after(tokens, at + 1).min(body.end);
            names.extend((at..end).filter_map(word).map(str::to_owned));
        }
    }
    names
}

fn is_opaque(tokens: &[Token], range: Range<usize>) -> bool {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    range.into_iter().any(|at| match tokens.get(at).and_then(Token::name) {
        Some("cfg" | "cfg_attr") => !is_about_tests(tokens, at),
        Some(name) => {
            OPAQUE_WORDS.contains(&name) || (OPAQUE_MACROS.contains(&name) && is(at + 1, "!"))
        }
        None => false,
    })
}

/// True if the condition of the `cfg` at `at` is about tests alone, which are not compiled in a grader.
fn is_about_tests(tokens: &[Token], at: usize) -> bool {
    let end = after(tokens, at + 1);
    let condition = (at + 2..end).filter_map(|at| tokens.get(at));
    let condition = condition.take_while(|token| !token.is(","));
    let mut words = condition.filter_map(Token::name).peekable();
    words.peek().is_some() && words.all(|word| matches!(word, "test" | "not"))
}

/// Returns the files that some tokens include, and false if one of them cannot be told.
fn reads(tokens: &[Token], range: Range<usize>, path: &Path) -> (Vec<PathBuf>, bool) {
    let (mut files, mut is_readable) = (Vec::new(), true);
    for at in range {
        let name = tokens.get(at).and_then(Token::name);
        let is_call = tokens.get(at + 1).is_some_and(|token| token.is("!"));
        if !is_call || !matches!(name, Some("include_str" | "include_bytes")) {
            continue;
        }
        let open = at + 2;
        let is_alone = tokens.get(open).and_then(|it| it.close) == Some(open + 2);
        match tokens.get(open + 1).and_then(Token::string).filter(|_| is_alone) {
            Some(file) => files.push(path.parent().unwrap_or(path).join(file)),
            None => is_readable = false,
        }
    }
    (files, is_readable)
}
