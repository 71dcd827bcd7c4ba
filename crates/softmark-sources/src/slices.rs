//! Digests of what each check, and each other part of an exam, can run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::chunk::{Chunk, SourceFile, read};
use crate::declared::{Declared, What};
use crate::graph::{Graph, View};
use crate::import::Imports;
use crate::macros::Macros;
use crate::mention::{Form, Mention};
use crate::package::{ENGINE, Packages, packages, rust_files};

/// Fields of an exam that decide which mistakes are named.
const DIAGNOSIS: [&str; 7] =
    ["battery", "diagnosed_in", "halves", "mistakes", "pairs", "rests", "truth"];

/// Fields of an exam that decide what is trained, and whether a component was written.
const TRAINING: [&str; 4] = ["battery", "diagnosed_in", "trainings", "uploads"];

/// Digests of the sources of an exam.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Slices {
    /// Digest of each check whose declaration is understood, by its id.
    pub(crate) checks: BTreeMap<String, String>,
    /// Digest of what decides which mistakes are named.
    pub(crate) diagnosis: Option<String>,
    /// Digest of what is trained, and what finds out if a component was written.
    pub(crate) training: Option<String>,
    /// Digest of all sources; `None` if something else decides as well.
    pub(crate) whole: Option<String>,
    /// Files that were read.
    pub(crate) files: BTreeSet<PathBuf>,
}

/// Reads the exam in `folder`, whose engine lies in `engine`; `None` if its packages are not understood.
pub(crate) fn slices(folder: &Path, engine: &Path) -> Option<Slices> {
    let packages = packages(folder)?;
    Sources::read(&packages, engine)?.slices()
}

struct Sources {
    graph: Graph,
    files: BTreeSet<PathBuf>,
    /// Digest of all files of the packages.
    all: Sha256,
    /// Digest of the settings, and of what is seen by all items.
    common: Sha256,
    /// Digest of the folder of mistakes, which `mistake!` reads.
    mistakes: Option<String>,
    /// Macros of the engine that read it.
    reading_macros: BTreeSet<String>,
}

impl Sources {
    fn read(packages: &Packages, engine: &Path) -> Option<Self> {
        let mut sources = Self {
            graph: Graph::default(),
            files: BTreeSet::new(),
            all: Sha256::new(),
            common: Sha256::new(),
            mistakes: None,
            reading_macros: BTreeSet::new(),
        };
        add(&mut sources.common, packages.profile.as_bytes());
        sources.open(&packages.root)?;
        for path in &packages.settings {
            let bytes = sources.open(path)?;
            add(&mut sources.common, &bytes);
        }
        for name in ENGINE {
            for path in rust_files(&engine.join(name).join("src"))?.into_values() {
                sources.graph.macros.add_engine(&fs::read_to_string(path).ok()?)?;
            }
        }
        sources.graph.crates.clone_from(&packages.names);
        for (krate, folder) in packages.folders.iter().enumerate() {
            sources.read_package(folder, krate, &packages.external)?;
        }
        let Self { graph, common, reading_macros, .. } = &mut sources;
        graph.index();
        *reading_macros = graph.macros.reading();
        for file in &graph.files {
            add(common, file.public_uses.as_bytes());
        }
        let mistakes = packages.folders.first()?.parent()?.join("mistakes");
        sources.mistakes = digest_of_mistakes(&mistakes);
        Some(sources)
    }

    fn read_package(
        &mut self,
        folder: &Path,
        krate: usize,
        external: &BTreeSet<String>,
    ) -> Option<()> {
        let source_folder = folder.join("src");
        let files = rust_files(&source_folder)?;
        let mut for_tests = BTreeSet::new();
        let mut read_files = Vec::new();
        for (below, path) in files {
            let text = String::from_utf8(self.open(&path)?).ok()?;
            add(&mut self.all, below.as_bytes());
            add(&mut self.all, text.as_bytes());
            let module = below.trim_end_matches(".rs").to_owned();
            let (file, chunks) = read(
                &text,
                &path,
                (self.graph.files.len() + read_files.len(), krate),
                module,
                external,
            );
            let parent = parent_of(&file.module);
            for_tests.extend(file.test_modules.iter().map(|name| format!("{parent}{name}")));
            let mut macros = Macros::default();
            // A file that cannot be read is opaque.
            macros.add(&text).unwrap_or_default();
            read_files.push((file, chunks, macros));
        }
        for (mut file, chunks, macros) in read_files {
            let is_test = for_tests
                .iter()
                .any(|it| file.module == *it || file.module.starts_with(&format!("{it}/")));
            if is_test {
                // Its imports are seen by no code that is graded with.
                file.public_uses.clear();
                file.imports = Imports::default();
                file.is_opaque = false;
            } else {
                self.graph.chunks.extend(chunks);
                self.graph.macros.extend(macros);
            }
            self.graph.files.push(file);
        }
        Some(())
    }

    /// Reads a file, and keeps its path.
    fn open(&mut self, path: &Path) -> Option<Vec<u8>> {
        let bytes = fs::read(path).ok()?;
        self.files.insert(path.to_owned());
        Some(bytes)
    }

    /// Computes the digests.
    fn slices(mut self) -> Option<Slices> {
        let reads: Vec<PathBuf> =
            self.graph.chunks.iter().flat_map(|it| it.reads.iter().cloned()).collect();
        let mut contents = BTreeMap::new();
        for path in reads {
            let bytes = self.open(&path)?;
            add(&mut self.all, &bytes);
            contents.insert(path, bytes);
        }
        let is_opaque = self.graph.files.iter().any(|file| file.is_opaque);
        let is_whole_known = !is_opaque && self.graph.chunks.iter().all(|chunk| !chunk.is_opaque);
        let mut whole = self.common.clone();
        add(&mut whole, &self.all.clone().finalize());
        add(&mut whole, self.mistakes.as_deref().unwrap_or_default().as_bytes());
        let mut slices = Slices {
            whole: is_whole_known.then(|| hex(whole)),
            files: self.files.clone(),
            ..Slices::default()
        };
        let Declarations { checks, fields, exams } = Declarations::of(&self.graph);
        let ([Some(exam)], false) = (exams.as_slice(), is_opaque) else { return Some(slices) };
        let exam = self.graph.chunks.get(*exam)?;
        let assembly = self.graph.reachable(&exam.outline_mentions, exam, View::Outline);
        let mut put_together = assembly.iter().filter_map(|at| self.graph.chunks.get(*at));
        if put_together.any(|chunk| chunk.takes_checks_apart) {
            return Some(slices);
        }
        let digester = Digester::new(&self, &contents);
        for (id, places) in checks {
            let places: Vec<&Place> = places.iter().collect();
            let digest = digester.of_parts(&places, &assembly);
            slices.checks.extend(digest.map(|digest| (id, digest)));
        }
        let of_fields = |names: &[&str]| {
            let places: Vec<&Place> =
                names.iter().map(|name| fields.get(*name)).collect::<Option<_>>()?;
            digester.of_parts(&places, &BTreeSet::new())
        };
        slices.diagnosis = of_fields(&DIAGNOSIS);
        slices.training = of_fields(&TRAINING);
        Some(slices)
    }

    /// True if an item calls a macro that reads the folder of mistakes.
    fn reads_mistakes(&self, mentions: &[Mention]) -> bool {
        mentions.iter().any(|it| it.form == Form::Macro && self.reading_macros.contains(&it.name))
    }

    /// Returns the imports that names of an item in a file can depend on: those of the file and of the modules around it, which
    /// it sees through `super`. Each has the path of its module with it.
    fn imports_of(&self, file: usize, mentions: &[Mention]) -> Vec<(&str, &str)> {
        let Some(source) = self.graph.files.get(file) else { return Vec::new() };
        let around = self.graph.files.iter().filter(|other| is_around(other, source));
        let files = around.chain([source]);
        let paths = files.flat_map(|file| {
            let paths = file.imports.paths_for(mentions).into_iter();
            paths.map(|path| (file.module.as_str(), path.as_str()))
        });
        paths.collect()
    }
}

/// Digests of items, and of sets of them.
struct Digester<'a> {
    sources: &'a Sources,
    contents: &'a BTreeMap<PathBuf, Vec<u8>>,
    /// Digests of all items; `None` where something else than sources decides.
    whole: Vec<Option<[u8; 32]>>,
    /// Digests of their outlines.
    outlines: Vec<Option<[u8; 32]>>,
}

impl<'a> Digester<'a> {
    fn new(sources: &'a Sources, contents: &'a BTreeMap<PathBuf, Vec<u8>>) -> Self {
        let mut digester = Self { sources, contents, whole: Vec::new(), outlines: Vec::new() };
        let chunks = sources.graph.chunks.iter();
        digester.whole =
            chunks.clone().map(|it| digester.of_chunk(it, (&it.text, &it.mentions))).collect();
        digester.outlines =
            chunks.map(|it| digester.of_chunk(it, (&it.outline, &it.outline_mentions))).collect();
        digester
    }

    fn of_chunk(&self, chunk: &Chunk, (text, mentions): (&str, &[Mention])) -> Option<[u8; 32]> {
        let mut digest = self.of_text(chunk.file, text, mentions);
        for path in &chunk.reads {
            add(&mut digest, self.contents.get(path)?);
        }
        (!chunk.is_opaque).then(|| digest.finalize().into())
    }

    /// Returns the digest of a piece of source, with the imports that its names depend on, and the folder of mistakes if it
    /// reads that.
    fn of_text(&self, file: usize, text: &str, mentions: &[Mention]) -> Sha256 {
        let mut digest = Sha256::new();
        add(&mut digest, text.as_bytes());
        for (module, path) in self.sources.imports_of(file, mentions) {
            add(&mut digest, module.as_bytes());
            add(&mut digest, path.as_bytes());
        }
        if self.sources.reads_mistakes(mentions) {
            add(&mut digest, self.sources.mistakes.as_deref().unwrap_or_default().as_bytes());
        }
        digest
    }

    /// Returns the digest of what some declarations can run, and of the outlines of `assembly`; `None` if something else than
    /// sources decides.
    fn of_parts(&self, parts: &[&Place], assembly: &BTreeSet<usize>) -> Option<String> {
        let graph = &self.sources.graph;
        let mut digest = self.sources.common.clone();
        let mut reached = BTreeSet::new();
        for Place { chunk, declared } in parts {
            let chunk = graph.chunks.get(*chunk)?;
            // The item around a declaration may be opaque, or read a file, because the declaration does.
            let of_chunk = self.of_chunk(chunk, (&declared.text, &declared.mentions))?;
            add(&mut digest, &of_chunk);
            reached.extend(graph.reachable(&declared.mentions, chunk, View::Whole));
        }
        for (set, digests) in [(&reached, &self.whole), (assembly, &self.outlines)] {
            add(&mut digest, b"items");
            for at in set {
                add(&mut digest, digests.get(*at)?.as_ref()?);
            }
        }
        Some(hex(digest))
    }
}

/// Declaration, and the item that it is in.
#[derive(Clone)]
struct Place {
    chunk: usize,
    declared: Declared,
}

/// Declarations in the packages of an exam.
#[derive(Default)]
struct Declarations {
    /// Declarations of checks, by their ids.
    checks: BTreeMap<String, Vec<Place>>,
    /// Fields of the exam.
    fields: BTreeMap<String, Place>,
    /// Items in which an exam begins; `None` if it takes fields from another one.
    exams: Vec<Option<usize>>,
}

impl Declarations {
    fn of(graph: &Graph) -> Self {
        let mut all = Self::default();
        for (at, chunk) in graph.chunks.iter().enumerate() {
            let of_exam = graph.files.get(chunk.file).is_some_and(|file| file.krate == 0);
            for declared in &chunk.declared {
                all.add(Place { chunk: at, declared: declared.clone() }, of_exam);
            }
        }
        all
    }

    /// Adds a declaration; `of_exam` is true if it is in the exam's own package.
    fn add(&mut self, place: Place, of_exam: bool) {
        match place.declared.what.clone() {
            What::Checks(ids) => {
                for id in ids {
                    self.checks.entry(id).or_default().push(place.clone());
                }
            }
            What::Field(name) if of_exam => {
                self.fields.insert(name, place);
            }
            What::Exam { is_whole } if of_exam => {
                self.exams.push(is_whole.then_some(place.chunk));
            }
            What::Field(_) | What::Exam { .. } => {}
        }
    }
}

/// Returns the digest of the pages and recorded answers in a folder of mistakes; `None` if there is none.
fn digest_of_mistakes(folder: &Path) -> Option<String> {
    let mut digest = Sha256::new();
    let mut open = vec![folder.to_owned()];
    let mut paths = BTreeSet::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).ok()? {
            let path = entry.ok()?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "md" || it == "json") {
                paths.insert(path);
            }
        }
    }
    for path in paths {
        add(&mut digest, path.strip_prefix(folder).ok()?.to_str()?.as_bytes());
        add(&mut digest, &fs::read(&path).ok()?);
    }
    Some(hex(digest))
}

/// True if a module is around another one.
fn is_around(outer: &SourceFile, inner: &SourceFile) -> bool {
    let folder = outer.module.strip_suffix("mod").unwrap_or(&outer.module).trim_end_matches('/');
    let is_root = matches!(folder, "" | "lib" | "main");
    let is_above = inner.module.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
    outer.krate == inner.krate && (is_root || is_above) && outer.module != inner.module
}

/// Returns the path of the modules beside a module, with a slash at its end unless it is empty.
fn parent_of(module: &str) -> String {
    let folder = match module.strip_suffix("mod") {
        Some(folder) => folder.trim_end_matches('/').to_owned(),
        None if matches!(module, "lib" | "main") => String::new(),
        None => module.to_owned(),
    };
    if folder.is_empty() { folder } else { format!("{folder}/") }
}

/// Adds a piece to a digest, so that no two lists of pieces read the same.
pub(crate) fn add(digest: &mut Sha256, piece: &[u8]) {
    digest.update(u64::try_from(piece.len()).unwrap_or(u64::MAX).to_le_bytes());
    digest.update(piece);
}

/// Returns a digest in hexadecimal.
pub(crate) fn hex(digest: Sha256) -> String {
    let mut text = String::new();
    for byte in digest.finalize() {
        // Writing to a string does not fail.
        write!(text, "{byte:02x}").ok();
    }
    text
}
