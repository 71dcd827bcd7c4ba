//! Decisions about every public function of the libraries: does an assignment forbid it?
//!
//! The table records decisions, made by people, and nobody forgets to decide: about functions and functions
//! of types (`support::library`), and about implementations of the kit's own traits, which may be what a task
//! asks for. Methods are not listed apart from their types: who calls one has to get a value of the type
//! first, by a function that is listed. Functions that make a tensor of tensors are tried as well (`tried`).
//!
//! `SOFTMARK_READY_MADE=write` writes the table anew from what the assignments forbid. A new line in it
//! is a decision: does that function do what a task asks for, alone or nearly so?

mod functions;
mod tried;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use softmark::assignment::{Assignment, load};
use softmark::build::Allowed;
use softmark::fixtures::{self, Fixture};
use softmark_checks::source::{LIBRARIES, compile_time_reads, ready_made};

use crate::support::exams::project;
use crate::support::library::{Offered, functions};
use crate::support::pack::{HOME, files};

const ASSIGNMENTS: [&str; 5] = ["attention", "encoder", "debugging", "modern", "prefix-tuning"];

/// The sources of the kit, and of the crate whose items it re-exports.
const KIT: [(&str, &str); 2] = [
    ("softmark_kit", "crates/softmark-kit/src"),
    ("softmark_common", "crates/softmark-common/src"),
];

/// The specification of the assignment that `debugging` builds on.
const BELOW: (&str, &str) = ("encoder_spec", "assignments/encoder/spec/src");

/// Returns the folder with the sources of an assignment's specification, which its students call `softmark_kit`.
fn spec(id: &str) -> PathBuf {
    Path::new(HOME).join("assignments").join(id).join("spec/src")
}

const TABLE: &str = "fixtures/ready-made.txt";

const HEAD: &str = "\
# Every public function of the libraries that a submission may use, and whether an assignment forbids it:
# x where it does, because the function does what a task asks for. The columns are
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

fn offered() -> Offered {
    let mut all = functions("candle_nn", &fetched("candle-nn"), &[]);
    let others = [KIT[0], KIT[1], BELOW].map(|(name, dir)| (name, Path::new(HOME).join(dir)));
    let others = others.each_ref().map(|(name, dir)| (*name, dir.as_path()));
    for id in ASSIGNMENTS {
        for (defined, paths) in functions("softmark_kit", &spec(id), &others) {
            all.entry(defined).or_default().extend(paths);
        }
    }
    all
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

fn assignments() -> Vec<Assignment> {
    ASSIGNMENTS.map(|id| load(Path::new(HOME), id).unwrap()).into()
}

fn is_forbidden(assignment: &Assignment, path: &str) -> bool {
    assignment.forbidden.iter().any(|it| path == it || path.starts_with(&format!("{it}::")))
}

#[test]
fn every_public_function_is_decided_about() {
    let (offered, assignments) = (offered(), assignments());
    assert!(offered.len() > 200, "only {} functions were found", offered.len());
    let mut table = HEAD.to_owned();
    let mut lines = BTreeMap::new();
    for paths in offered.values() {
        let shortest = paths.iter().min_by_key(|path| (path.matches("::").count(), *path)).unwrap();
        let mark = |it: &Assignment| if is_forbidden(it, shortest) { 'x' } else { '.' };
        lines.insert(shortest, assignments.iter().map(mark).collect::<String>());
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

#[test]
fn a_forbidden_function_is_forbidden_by_every_path() {
    let mut problems = Vec::new();
    for assignment in assignments() {
        for paths in offered().values() {
            let (refused, allowed): (Vec<_>, Vec<_>) =
                paths.iter().partition(|path| is_forbidden(&assignment, path));
            if !refused.is_empty() && !allowed.is_empty() {
                let id = &assignment.id;
                problems.push(format!("{id}: {allowed:?} is the same as {refused:?}"));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn whatever_is_forbidden_is_there() {
    let offered = offered();
    for assignment in assignments() {
        for item in &assignment.forbidden {
            let below = format!("{item}::");
            let mut paths = offered.values().flatten();
            let is_there = paths.any(|path| path == item || path.starts_with(&below))
                // A type without functions of its own.
                || item == "softmark_kit::schedule::Decay";
            assert!(is_there, "{}: there is no {item}", assignment.id);
        }
    }
}

/// A submission that imports a forbidden function in the plainest way is refused, whichever it is.
#[test]
fn every_forbidden_function_is_refused() {
    for assignment in assignments() {
        let file = assignment.collect.first().unwrap();
        for path in offered().values().flatten().filter(|path| is_forbidden(&assignment, path)) {
            let text = format!("fn f() {{ {path}(x) }}");
            let source = [(file.clone(), text.into_bytes())].into();
            let (skeleton, forbidden) = (&assignment.skeleton, &assignment.forbidden);
            let allowed = Allowed::of(&source, skeleton, |_| false, forbidden);
            let refused = allowed.is_err() || allowed.is_ok_and(|it| it.refused.contains_key(file));
            assert!(refused, "{}: {path}", assignment.id);
        }
    }
}

/// No right way of doing an assignment, and no mutant or sample of it, is refused by its text.
#[test]
fn honest_work_is_not_refused() {
    for assignment in assignments() {
        let id = &assignment.id;
        let provided: Vec<&str> = assignment.provided.keys().map(String::as_str).collect();
        let home = Path::new(HOME);
        let mut all = vec![fixtures::solution(home, id).unwrap()];
        let mut source = files(&format!("solutions/{id}"));
        source.extend(files(&format!("assignments/{id}")));
        all.push(Fixture { name: "skeleton".to_owned(), source, ..all[0].clone() });
        for read in [fixtures::variants, fixtures::mutants, fixtures::idle] {
            all.extend(read(project(), id).unwrap());
        }
        for Fixture { name, source, .. } in all {
            let mut found = ready_made(&source, &provided, &assignment.forbidden);
            found.extend(compile_time_reads(&source));
            assert_eq!(found, [], "{id}: {name}");
        }
    }
    assert!(LIBRARIES.contains(&"softmark_kit"));
}
