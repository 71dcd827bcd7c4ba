//! Functions of candle-nn through which no gradient comes, without an error.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::ready_made::fetched;
use crate::support::pack::HOME;

/// Some functions of candle-nn end the way of the gradient without an error. Students get others by these names.
#[test]
fn nothing_that_is_given_ends_the_gradient_silently() {
    let silent = without_gradient(&fetched("candle-nn"));
    assert!(silent.contains("candle_nn::ops::softmax_last_dim"), "{silent:?}");
    let given = taken_over(&Path::new(HOME).join("crates/softmark-candle-nn/src"));
    assert!(given.contains("selu") && given.contains("rnn"), "{given:?}");
    let is_given = |path: &&String| path.split("::").skip(1).any(|part| given.contains(part));
    let found: Vec<&String> = silent.iter().filter(is_given).collect();
    assert!(found.is_empty(), "{found:?} are candle-nn's own");
}

/// The functions, types and modules that a crate re-exports from candle-nn.
fn taken_over(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(dir).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for (start, _) in text.match_indices("pub use candle_nn::") {
            let (list, _) = text[start..].split_once(';').unwrap();
            let names = list.rsplit_once("::").map_or(list, |(_, names)| names);
            let names = names.split(|c: char| !c.is_alphanumeric() && c != '_');
            found.extend(names.filter(|name| !name.is_empty()).map(str::to_owned));
        }
    }
    found
}

/// The public functions below a folder of candle-nn's sources that apply an operation without a way back.
fn without_gradient(dir: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let Some(module) = path.file_stem().filter(|_| path.is_file()) else { continue };
        let mut function = "";
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("pub fn ") {
                function = name.split(['<', '(']).next().unwrap();
            } else if line.contains("_no_bwd(") {
                found.insert(format!("candle_nn::{}::{function}", module.display()));
            }
        }
    }
    found
}
