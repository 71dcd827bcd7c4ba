//! Digests of what each check, and each other part of an exam, can run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::chunk::{Macros, SourceFile, read};
use crate::declared::{Declared, What};
use crate::graph::{Graph, View};
use crate::import::Imports;
use crate::mention::{Form, Mention};
use crate::package::{ENGINE, Packages, packages, rust_files};

/// Fields of an exam that decide which mistakes are named.
const DIAGNOSIS: [&str; 7] =
    ["battery", "diagnosed_in", "halves", "mistakes", "pairs", "rests", "truth"];

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
    let sources = Sources::read(&packages, engine)?;
    sources.slices(&packages)
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
        for path in &packages.settings {
            let bytes = sources.open(path)?;
            add(&mut sources.common, &bytes);
        }
        for name in ENGINE {
            for path in rust_files(&engine.join(name).join("src"))?.into_values() {
                sources.graph.macros.add(&fs::read_to_string(path).ok()?)?;
            }
        }
        sources.reading_macros = sources.graph.macros.reading();
        sources.graph.crates.clone_from(&packages.names);
        for (krate, folder) in packages.folders.iter().enumerate() {
            sources.read_package(folder, krate, &packages.external)?;
        }
        let Self { graph, common, .. } = &mut sources;
        graph.index();
        for file in &graph.files {
            add(common, file.public_uses.as_bytes());
        }
        let mistakes = packages.folders.first()?.parent()?.join("mistakes");
        sources.mistakes = sources.digest_of_folder(&mistakes);
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
            let (file, chunks) =
                read(&text, &path, (self.graph.files.len() + read_files.len(), krate), module, external);
            let parent = parent_of(&file.module);
            for_tests.extend(file.test_modules.iter().map(|name| format!("{parent}{name}")));
            let mut macros = Macros::default();
            // A file that cannot be read is opaque.
            macros.add(&text).unwrap_or_default();
            read_files.push((file, chunks, macros));
        }
        for (mut file, chunks, macros) in read_files {
            let is_test = for_tests.iter().any(|it| {
                file.module == *it || file.module.starts_with(&format!("{it}/"))
            });
            if is_test {
                // Its imports are seen by no code that is graded with.
                file.public_uses.clear();
                file.imports = Imports::default();
                file.is_opaque = false;
            } else {
                self.graph.chunks.extend(chunks);
                self.graph.macros.bodies.extend(macros.bodies);
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

    /// Returns the digest of the pages and recorded answers in a folder of mistakes; `None` if there is none.
    fn digest_of_folder(&mut self, folder: &Path) -> Option<String> {
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

    fn slices(mut self, packages: &Packages) -> Option<Slices> {
        let is_opaque = self.graph.files.iter().any(|file| file.is_opaque);
        let (mut checks, mut fields, mut exams) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (at, chunk) in self.graph.chunks.iter().enumerate() {
            let of_exam = self.graph.files.get(chunk.file).is_some_and(|file| file.krate == 0);
            for declared in &chunk.declared {
                match &declared.what {
                    What::Checks(ids) => checks.push((at, ids.clone(), declared.clone())),
                    What::Field(name) if of_exam => {
                        fields.insert(name.clone(), (at, declared.clone()));
                    }
                    What::Exam { is_whole } if of_exam => exams.push((at, *is_whole)),
                    What::Field(_) | What::Exam { .. } => {}
                }
            }
        }
        let reads: Vec<PathBuf> =
            self.graph.chunks.iter().flat_map(|it| it.reads.iter().cloned()).collect();
        let mut contents = BTreeMap::new();
        for path in reads {
            let bytes = self.open(&path)?;
            add(&mut self.all, &bytes);
            contents.insert(path, bytes);
        }
        let all_opaque = is_opaque || self.graph.chunks.iter().any(|chunk| chunk.is_opaque);
        let mut whole = self.common.clone();
        add(&mut whole, &self.all.clone().finalize());
        add(&mut whole, self.mistakes.as_deref().unwrap_or_default().as_bytes());
        let mut slices = Slices {
            whole: (!all_opaque).then(|| hex(whole)),
            files: self.files.clone(),
            ..Slices::default()
        };
        let [(exam, true)] = exams.as_slice() else { return Some(slices) };
        if is_opaque || packages.folders.is_empty() {
            return Some(slices);
        }
        let texts = Digester { sources: &self, contents: &contents };
        let exam = self.graph.chunks.get(*exam)?;
        let assembly =
            self.graph.reachable(&exam.outline_mentions, exam.file, View::Outline);
        let chunks = || assembly.iter().filter_map(|at| self.graph.chunks.get(*at));
        if chunks().any(|chunk| chunk.takes_checks_apart) {
            return Some(slices);
        }
        let mut of_checks: BTreeMap<String, Vec<(usize, Declared)>> = BTreeMap::new();
        for (at, ids, declared) in checks {
            for id in ids {
                of_checks.entry(id).or_default().push((at, declared.clone()));
            }
        }
        for (id, declared) in of_checks {
            let digest = texts.of_parts(&declared, &assembly);
            slices.checks.extend(digest.map(|digest| (id, digest)));
        }
        let parts = |names: &[&str]| -> Option<Vec<(usize, Declared)>> {
            names.iter().map(|name| fields.get(*name).cloned()).collect()
        };
        let none = BTreeSet::new();
        slices.diagnosis =
            parts(&DIAGNOSIS).and_then(|parts| texts.of_parts(&parts, &none));
        slices.training = parts(&["trainings", "uploads", "battery", "diagnosed_in"])
            .and_then(|parts| texts.of_parts(&parts, &none));
        Some(slices)
    }

    /// True if an item calls a macro that reads the folder of mistakes.
    fn reads_mistakes(&self, mentions: &[Mention]) -> bool {
        mentions.iter().any(|it| it.form == Form::Macro && self.reading_macros.contains(&it.name))
    }

    /// Adds the files of the modules around these.
    fn with_ancestors(&self, files: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut all = files.clone();
        for file in files.iter().filter_map(|at| self.graph.files.get(*at)) {
            let is_around = |other: &SourceFile| {
                let folder = other.module.strip_suffix("mod").unwrap_or(&other.module);
                let folder = folder.trim_end_matches('/');
                let is_root = matches!(folder, "" | "lib" | "main");
                let is_above = file.module.strip_prefix(folder).is_some_and(|it| it.starts_with('/'));
                other.krate == file.krate && (is_root || is_above)
            };
            let files = self.graph.files.iter().enumerate();
            all.extend(files.filter(|(_, other)| is_around(other)).map(|(at, _)| at));
        }
        all
    }
}

/// Digests of sets of items.
struct Digester<'a> {
    sources: &'a Sources,
    contents: &'a BTreeMap<PathBuf, Vec<u8>>,
}

impl Digester<'_> {
    /// Returns the digest of what some declarations can run, and of the outlines of `assembly`; `None` if something else than
    /// sources decides.
    fn of_parts(&self, parts: &[(usize, Declared)], assembly: &BTreeSet<usize>) -> Option<String> {
        let graph = &self.sources.graph;
        let mut digest = self.sources.common.clone();
        let mut reached = BTreeSet::new();
        let mut files = BTreeSet::new();
        for (at, declared) in parts {
            let chunk = graph.chunks.get(*at)?;
            add(&mut digest, declared.text.as_bytes());
            files.insert(chunk.file);
            reached.extend(graph.reachable(&declared.mentions, chunk.file, View::Whole));
        }
        let mut reads_mistakes =
            parts.iter().any(|(_, declared)| self.sources.reads_mistakes(&declared.mentions));
        for (set, view) in [(&reached, View::Whole), (assembly, View::Outline)] {
            add(&mut digest, b"items");
            for at in set {
                let chunk = graph.chunks.get(*at)?;
                let (text, mentions) = match view {
                    View::Whole => (&chunk.text, &chunk.mentions),
                    View::Outline => (&chunk.outline, &chunk.outline_mentions),
                };
                if chunk.is_opaque {
                    return None;
                }
                add(&mut digest, text.as_bytes());
                files.insert(chunk.file);
                for path in &chunk.reads {
                    add(&mut digest, self.contents.get(path)?);
                }
                reads_mistakes |= self.sources.reads_mistakes(mentions);
            }
        }
        if reads_mistakes {
            add(&mut digest, self.sources.mistakes.as_deref().unwrap_or_default().as_bytes());
        }
        for file in self.sources.with_ancestors(&files) {
            let source = graph.files.get(file)?;
            add(&mut digest, source.module.as_bytes());
            add(&mut digest, source.private_uses.as_bytes());
        }
        Some(hex(digest))
    }
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
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
