//! Decisions about every public function of the libraries: does an assignment give it to its students?
//!
//! The table records decisions, made by people, and nobody forgets to decide: about functions and functions
//! of types (`support::library`), and about implementations of the kit's own traits, which may be what a task
//! asks for. Methods are not listed apart from their types: who calls one has to get a value of the type
//! first, by a function that is listed. Functions that make a tensor of tensors are tried as well (`tried`).
//!
//! `SOFTMARK_READY_MADE=write` writes the table anew from what the assignments give. A new line in it
//! is a decision: does that function do what a task asks for, alone or nearly so?

mod functions;
mod gradients;
mod tried;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use softmark::build::{Compiled, ProgramSpec, Source};
use softmark::fixtures::{self, Fixture};
use softmark_checks::source::compile_time_reads;

use crate::support::exams::{project, suites};
use crate::support::library::{Offered, functions};
use crate::support::pack::{HOME, files, pack};

const ASSIGNMENTS: [&str; 5] = ["attention", "encoder", "debugging", "modern", "prefix-tuning"];

/// The sources of the kit, and of the crate whose items it re-exports.
const KIT: [(&str, &str); 2] = [
    ("softmark_kit", "crates/softmark-kit/src"),
    ("softmark_common", "crates/softmark-common/src"),
];

/// The specification of the assignment that `debugging` builds on.
const BELOW: (&str, &str) = ("encoder_spec", "assignments/encoder/spec/src");

/// The crate that students call `candle_nn`, if their assignment has none of its own.
const CANDLE_NN: (&str, &str) = ("softmark_candle_nn", "crates/softmark-candle-nn/src");

/// Returns the folder with the sources of an assignment's specification, which its students call `softmark_kit`.
fn spec(id: &str) -> PathBuf {
    Path::new(HOME).join("assignments").join(id).join("spec/src")
}

/// Returns the folder with the sources of the crate that an assignment's students call `candle_nn`.
fn candle_nn(id: &str) -> PathBuf {
    let own = Path::new(HOME).join("assignments").join(id).join("candle-nn/src");
    if own.is_dir() { own } else { Path::new(HOME).join(CANDLE_NN.1) }
}

const TABLE: &str = "fixtures/ready-made.txt";

const HEAD: &str = "\
# Every public function of candle-nn, the kit and the specifications, and which assignments give it to their students:
# x where one does not, because the function does what a task asks for, or an attention for GPUs. The columns are
# attention, encoder, debugging, modern and prefix-tuning. `tests/it/ready_made.rs` holds the assignments to it.
";

/// The sources of a crate that cargo has fetched, in the version of the lockfile.
fn fetched(name: &str) -> PathBuf {
    let lock = fs::read_to_string(Path::new(HOME).join("Cargo.lock")).unwrap();
    let entry = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split(&entry).nth(1).unwrap().split('"').next().unwrap();
    let cargo = std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap()).join(".cargo"),
        PathBuf::from,
    );
    let registries = fs::read_dir(cargo.join("registry/src")).unwrap();
    let of = |registry: PathBuf| registry.join(format!("{name}-{version}/src"));
    let mut found = registries.map(|it| of(it.unwrap().path())).filter(|it| it.is_dir());
    found.next().unwrap()
}

/// The libraries whose items other ones re-export.
fn libraries() -> Vec<(&'static str, PathBuf)> {
    let ours =
        [KIT[0], KIT[1], BELOW, CANDLE_NN].map(|(name, dir)| (name, Path::new(HOME).join(dir)));
    [("candle_nn", fetched("candle-nn"))].into_iter().chain(ours).collect()
}

/// Every public function of the library `name` in `dir`, by where it is defined.
fn functions_of(name: &str, dir: &Path) -> Offered {
    let libraries = libraries();
    let others: Vec<(&str, &Path)> =
        libraries.iter().map(|(name, dir)| (*name, dir.as_path())).collect();
    let mut found = Offered::new();
    for (defined, paths) in functions(name, dir, &others) {
        // An item of another library is defined there.
        let defined = match defined.split_once("::") {
            Some((_, there)) if others.iter().any(|(other, _)| begins_with(there, other)) => there,
            _ => &defined,
        };
        found.entry(defined.to_owned()).or_default().extend(paths);
    }
    found
}

/// True if the path begins with the library `name`.
fn begins_with(path: &str, name: &str) -> bool {
    path.strip_prefix(name).is_some_and(|rest| rest.starts_with("::"))
}

/// The functions that the students of an assignment get.
fn given(id: &str) -> Offered {
    let mut found = functions_of("softmark_kit", &spec(id));
    add(&mut found, functions_of("candle_nn", &candle_nn(id)));
    found
}

/// Adds functions to others, with all their paths.
fn add(found: &mut Offered, more: Offered) {
    for (defined, paths) in more {
        found.entry(defined).or_default().extend(paths);
    }
}

/// Every public function of candle-nn and of the kit.
fn offered_by_libraries() -> Offered {
    let mut found = functions_of("candle_nn", &fetched("candle-nn"));
    add(&mut found, functions_of("softmark_kit", &Path::new(HOME).join(KIT[0].1)));
    found
}

/// Every public function of candle-nn, of the kit, and of the specifications.
fn offered() -> Offered {
    let mut found = offered_by_libraries();
    for id in ASSIGNMENTS {
        add(&mut found, functions_of("softmark_kit", &spec(id)));
    }
    found
}

/// Functions of each kind of item that the kit re-exports are found under the paths of the kit.
#[test]
fn what_the_kit_re_exports_is_listed() {
    let paths: BTreeSet<String> = offered().into_values().flatten().collect();
    for path in [
        "softmark_kit::compare::Tolerance::f32",
        "softmark_kit::data::questions::generate",
        "softmark_kit::data::Vocabulary::new",
        "softmark_kit::data::vocabulary::Vocabulary::new",
        "softmark_kit::debugging::Allowance::count",
        "softmark_kit::encoder::EncoderConfig::reference",
        "softmark_kit::prelude::EncoderConfig::reference",
        "softmark_kit::pretrained::published_name",
        "softmark_kit::rng::Stream::derive",
        "softmark_kit::train::Examples::subset",
    ] {
        assert!(paths.contains(path), "{path} is not listed");
    }
}

/// Functions of the libraries, and of those that each assignment gives.
struct Libraries {
    all: Offered,
    /// Functions of candle-nn and the kit.
    shared: Offered,
    given: BTreeMap<&'static str, Offered>,
}

impl Libraries {
    fn read() -> Self {
        let given = ASSIGNMENTS.map(|id| (id, given(id))).into();
        Self { all: offered(), shared: offered_by_libraries(), given }
    }

    /// True if the students of an assignment get a function: it, or another one by one of its names.
    fn gives(&self, id: &str, defined: &str) -> bool {
        let given = &self.given[id];
        let names = &self.all[defined];
        given.contains_key(defined) || given.values().flatten().any(|path| names.contains(path))
    }

    /// True if the function with this path does not reach the students of an assignment.
    fn withholds(&self, id: &str, path: &str) -> bool {
        let mut functions = self.all.iter().filter(|(_, paths)| paths.contains(path));
        functions.all(|(defined, _)| !self.gives(id, defined))
    }

    /// The functions that an assignment does not give, but for those of other specifications.
    fn withheld(&self, id: &str) -> impl Iterator<Item = &BTreeSet<String>> {
        let functions = self.shared.keys().filter(move |defined| !self.gives(id, defined));
        functions.map(|defined| &self.all[defined])
    }
}

#[test]
fn every_public_function_is_decided_about() {
    let libraries = Libraries::read();
    assert!(libraries.all.len() > 200, "only {} functions were found", libraries.all.len());
    let mut table = HEAD.to_owned();
    let mut lines = BTreeMap::new();
    for (defined, paths) in &libraries.all {
        let shortest = paths.iter().min_by_key(|path| (path.matches("::").count(), *path)).unwrap();
        let mark = |id: &str| match libraries.gives(id, defined) {
            true => '.',
            false if libraries.shared.contains_key(defined) => 'x',
            false => '-',
        };
        lines.insert(shortest, ASSIGNMENTS.map(mark).iter().collect::<String>());
    }
    for (path, marks) in lines {
        writeln!(table, "{marks}  {path}").unwrap();
    }
    let file = Path::new(HOME).join(TABLE);
    let write = std::env::var_os("SOFTMARK_READY_MADE").is_some_and(|it| it == "write");
    if write {
        fs::write(&file, &table).unwrap();
    }
    let known = fs::read_to_string(&file).unwrap();
    let differ: Vec<&str> = table
        .lines()
        .filter(|line| !known.lines().any(|it| it == *line))
        .chain(known.lines().filter(|line| !table.lines().any(|it| it == *line)))
        .collect();
    assert!(
        differ.is_empty(),
        "{TABLE} does not decide about these as the assignments do:\n{differ:#?}"
    );
}

/// Implementations of the traits of the kit and of the specifications, none of which does what a task asks for.
const IMPLEMENTED: [(&str, &str); 25] = [
    // Hand a student's parts on.
    ("AttentionParts", "AttentionPartsOf<A>"),
    ("BlockParts", "PartsOf<A>"),
    ("ClassifierParts", "PartsOf<A>"),
    ("ClassifierParts", "Wiring<A, L>"),
    ("EncoderParts", "PartsOf<A>"),
    ("EncoderParts", "Wiring<A, L>"),
    ("LayerParts", "PartsOf<A>"),
    ("LayerParts", "Wiring<A, L>"),
    // What training runs on, and what looks on.
    ("Model", "F"),
    ("Observer", "()"),
    ("Observer", "TerminalObserver"),
    ("Suspect", "RemoteSuspect<'_>"),
    ("Suspect", "Specimen"),
    ("TuningProblem", "Given"),
    // Stand-ins: they are wrong, or negate what a student's own part computes.
    ("AttentionParts", "StandIns<R>"),
    ("ClassifierParts", "OppositeParts<'_, P>"),
    ("Encoder", "Opposite<dyn Encoder>"),
    ("EncoderLayer", "Opposite<dyn EncoderLayer>"),
    ("EncoderParts", "OppositeParts<'_, P>"),
    ("FeedForward", "Opposite<dyn FeedForward>"),
    ("LayerParts", "OppositeParts<'_, P>"),
    ("LearnedPosition", "TakenAway<P>"),
    ("MaskedPooling", "Negated<P>"),
    ("ScaledDotProductAttention", "EvenAttention"),
    ("SelfAttention", "Opposite<dyn SelfAttention>"),
];

/// A type of the kit that implements a trait which students must implement would be a finished part.
#[test]
fn every_implementation_of_the_kits_traits_is_decided_about() {
    let mut traits = BTreeSet::new();
    let mut implemented = BTreeSet::new();
    let kit = KIT.map(|(_, dir)| Path::new(HOME).join(dir));
    let sources: Vec<String> =
        kit.into_iter().chain(ASSIGNMENTS.map(spec)).flat_map(|dir| sources(&dir)).collect();
    let lines = || sources.iter().flat_map(|text| text.lines());
    let word = |text: &str| -> String {
        text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    traits.extend(lines().filter_map(|it| it.strip_prefix("pub trait ")).map(word));
    assert!(traits.contains("ScaledDotProductAttention"), "{traits:?}");
    for line in lines().filter(|line| line.starts_with("impl") && line.contains(" for ")) {
        let (head, of) = line.split_once(" for ").unwrap();
        let name = word(head.rsplit([' ', ':']).next().unwrap());
        // Each adapter implements `Component` by calling a student's own type.
        if traits.contains(&name) && name != "Component" {
            let of = of.split(" {").next().unwrap();
            implemented.insert((name, of.to_owned()));
        }
    }
    let known: BTreeSet<(String, String)> =
        IMPLEMENTED.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    let new: Vec<_> = implemented.difference(&known).collect();
    assert!(new.is_empty(), "does one of these do what a task asks for? {new:?}");
}

/// The text of every source file below a folder, without its tests.
fn sources(dir: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(path).unwrap();
            found.push(text.split("\n#[cfg(test)]\nmod ").next().unwrap().to_owned());
        }
    }
    found
}

/// The compiler finds none of the functions that an assignment does not give, and the others that it imports.
#[test]
fn what_is_not_given_is_not_there() {
    let libraries = Libraries::read();
    for suite in suites().iter().filter(|suite| ASSIGNMENTS.contains(&suite.id)) {
        let id = suite.id;
        let given: BTreeSet<String> =
            libraries.given[id].values().flatten().map(|it| item(it)).collect();
        let withheld = libraries.withheld(id).flatten().map(|it| item(it));
        let withheld: BTreeSet<String> = withheld.filter(|path| !given.contains(path)).collect();
        assert!(withheld.len() > 3, "{id} withholds only {withheld:?}");
        let import = |path: &String| format!("use {path} as _;\n");
        assert_eq!(errors_of(suite.reference, given.iter().map(import).collect()), 0, "{id}");
        let text: String = withheld.iter().map(import).collect();
        assert_eq!(errors_of(suite.reference, text), withheld.len(), "{id}: {withheld:#?}");
    }
}

/// The type or free function of a function's path: what can be imported.
fn item(path: &str) -> String {
    let (of, _) = path.rsplit_once("::").unwrap();
    let is_type = of.rsplit("::").next().unwrap().starts_with(char::is_uppercase);
    if is_type { of.to_owned() } else { path.to_owned() }
}

/// Number of errors that the compiler finds in a crate with this text.
fn errors_of(reference: fn() -> ProgramSpec, text: String) -> usize {
    let scratch = tempfile::tempdir().unwrap();
    let source = Source::from([("lib.rs".to_owned(), text.into_bytes())]);
    let program = ProgramSpec {
        name: "empty".to_owned(),
        main: "fn main() {}".to_owned(),
        libraries: Vec::new(),
        ..reference()
    };
    match pack().compile(&source, &[program], scratch.path()).unwrap() {
        Compiled::Built(_) => 0,
        Compiled::Faulty(fault) => fault.errors,
    }
}

/// No right way of doing an assignment, and no mutant or sample of it, is refused by its text.
#[test]
fn honest_work_is_not_refused() {
    for id in ASSIGNMENTS {
        let home = Path::new(HOME);
        let mut all = vec![fixtures::solution(home, id).unwrap()];
        let mut source = files(&format!("solutions/{id}"));
        source.extend(files(&format!("assignments/{id}")));
        all.push(Fixture { name: "skeleton".to_owned(), source, ..all[0].clone() });
        for read in [fixtures::variants, fixtures::mutants, fixtures::idle] {
            all.extend(read(project(), id).unwrap());
        }
        for Fixture { name, source, .. } in all {
            assert_eq!(compile_time_reads(&source), [], "{id}: {name}");
        }
    }
}
