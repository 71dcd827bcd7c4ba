//! Search for what students must not see in the files of a release.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use softmark_exam::Visibility;

use crate::assignment::Assignment;
use crate::build::Source;
use crate::release::handout;
use crate::release::leak::Leak;
use crate::release::tree::Tree;

/// Fewest characters, without spaces, of a line that tells something: shorter ones, such as `Ok(Self { norm })`, come about by
/// themselves. With this limit, the releases of all five assignments have one such line, `dropout: Dropout::new(config.dropout),`
/// in the kit.
const TELLING: usize = 32;

/// Fewest lines of a solution in one file of a crate of Softmark: layers that do similar things have similar constructors. The
/// releases have one such line at most; a file that is part of a solution has dozens.
const LINES_OF_CRATE: usize = 3;

/// Fewest lines of another assignment's solution that are more than what similar layers have in common: the releases have one
/// to six by coincidence, and `debugging`, which hands out layers that `encoder` asks for, has 40 of its lines.
const LINES_OF_OTHER: usize = 10;

/// Returns the places that name a hidden check of the assignment: by its id, or as `assignment.toml` names it.
pub(super) fn hidden_checks(tree: &Tree, assignment: &Assignment) -> Vec<Leak> {
    let checks = || assignment.tasks.iter().flat_map(|task| &task.checks);
    let name = |id: &str| id.rsplit('/').next().unwrap_or(id).to_owned();
    let public = checks().filter(|check| check.visibility == Visibility::Public);
    let public: BTreeSet<String> = public.map(|check| name(&check.id)).collect();
    let mut names = BTreeSet::new();
    for check in checks().filter(|check| check.visibility != Visibility::Public) {
        let name = name(&check.id);
        if !public.contains(&name) {
            names.insert(format!("id = \"{name}\""));
        }
        names.insert(check.id.clone());
    }
    let found = lines(tree).filter_map(|(file, line, text)| {
        let name = names.iter().find(|name| is_named(text, name))?;
        Some(Leak { file: file.to_owned(), line, text: name.clone() })
    });
    without_repeats(found.collect())
}

/// Leaves out what the page shows because the handout does: it would be counted twice.
fn without_repeats(leaks: Vec<Leak>) -> Vec<Leak> {
    let of_handout = leaks.iter().filter(|leak| leak.file == Path::new(handout::README));
    let of_handout: BTreeSet<String> = of_handout.map(|leak| leak.text.clone()).collect();
    let is_page = |leak: &Leak| leak.file == Path::new(handout::PAGE);
    leaks.into_iter().filter(|leak| !is_page(leak) || !of_handout.contains(&leak.text)).collect()
}

/// True if the text contains `name` as a whole, and not as a part of a path or of another name.
fn is_named(text: &str, name: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "-_/.".contains(c);
    let parts: Vec<&str> = text.split(name).collect();
    parts.windows(2).any(|around| {
        let [before, after] = around else { return false };
        let after = after.chars().next().filter(|c| *c != '.');
        !before.chars().next_back().is_some_and(goes_on) && !after.is_some_and(goes_on)
    })
}

/// Returns the places with a line of a solution that is not in the skeleton.
pub(super) fn solution_lines(tree: &Tree, solution: &Source, skeleton: &Source) -> Vec<Leak> {
    let handed_out: BTreeSet<&str> = skeleton.values().flat_map(|text| code(text)).collect();
    let secret = solution.values().flat_map(|text| code(text));
    let secret: BTreeSet<&str> =
        secret.filter(|line| is_telling(line) && !handed_out.contains(line)).collect();
    let found = lines(tree).filter(|(_, _, text)| secret.contains(text.trim()));
    let found = found.map(|(file, line, text)| Leak {
        file: file.to_owned(),
        line,
        text: text.trim().to_owned(),
    });
    let found = without_repeats(found.collect());
    let lines_of = |file: &Path| found.iter().filter(|leak| leak.file == file).count();
    let is_crate = |file: &Path| file.starts_with("crates");
    let counts = |leak: &&Leak| !is_crate(&leak.file) || lines_of(&leak.file) >= LINES_OF_CRATE;
    found.iter().filter(counts).cloned().collect()
}

/// True if a line of code is long enough, and neither a comment nor an import.
fn is_telling(line: &str) -> bool {
    let is_plain = ["//", "use ", "pub use ", "#["].iter().any(|it| line.starts_with(it));
    !is_plain && line.chars().filter(|c| !c.is_whitespace()).count() >= TELLING
}

/// Returns the lines of a file, trimmed; none if it is not text.
fn code(text: &[u8]) -> impl Iterator<Item = &str> {
    std::str::from_utf8(text).unwrap_or_default().lines().map(str::trim)
}

/// Returns all lines of all text files, with file and number.
fn lines(tree: &Tree) -> impl Iterator<Item = (&Path, usize, &str)> {
    tree.iter().flat_map(|(file, content)| {
        let text = std::str::from_utf8(content).unwrap_or_default();
        (1..).zip(text.lines()).map(|(line, text)| (file.as_path(), line, text))
    })
}

/// Returns the ids of the solutions that a release shows lines of, with the places; `solutions` are those of other
/// assignments, each with its skeleton.
pub(super) fn other_solutions<'a>(
    tree: &Tree,
    solutions: &'a BTreeMap<String, (Source, Source)>,
) -> Vec<(&'a str, Vec<Leak>)> {
    let found = solutions
        .iter()
        .map(|(id, (solution, skeleton))| (id.as_str(), solution_lines(tree, solution, skeleton)));
    found.filter(|(_, leaks)| leaks.len() >= LINES_OF_OTHER).collect()
}
