//! Folders, files and generated texts that tests of labs share.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use softmark_kit::rng::Stream;
use tempfile::TempDir;

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Returns a text of `length` words: about half are from the class's own, the others from a common list.
pub(crate) fn text(own: &[&str], length: usize, stream: &mut Stream) -> String {
    const COMMON: [&str; 6] = ["the", "of", "was", "it", "and", "that"];
    let mut draw = |of: &[&str]| {
        let at = stream.below(of.len() as u64);
        of[usize::try_from(at).unwrap()].to_owned()
    };
    let words: Vec<String> =
        (0..length).map(|at| if at % 2 == 0 { draw(own) } else { draw(&COMMON) }).collect();
    words.join(" ")
}

/// Reads `results.json` in a folder of results.
pub(crate) fn results(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("results.json")).unwrap()).unwrap()
}

/// Returns the folder of the published data sets, which is named by `SOFTMARK_DATA` or lies beside the project as
/// `shared/data`; says `SKIPPED` and returns `None` if it has no `folder`.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment where data is")]
pub(crate) fn published(folder: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    let data = std::env::var("SOFTMARK_DATA").map_or(beside, PathBuf::from);
    if data.join(folder).exists() {
        return Some(data);
    }
    let line = format!("\nSKIPPED: no {folder} in {} (set SOFTMARK_DATA)\n", data.display());
    writeln!(std::io::stderr().lock(), "{line}").unwrap();
    None
}

/// Does a run in two folders, and checks that it writes the same bytes in both; returns one of them.
pub(crate) fn same_bytes_twice(run: impl Fn(&Path)) -> TempDir {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    for folder in &folders {
        run(folder.path());
    }
    let [one, other] = folders;
    for name in ["results.json", "index.html"] {
        let read = |folder: &TempDir| fs::read(folder.path().join(name)).unwrap();
        assert_eq!(read(&one), read(&other), "{name}");
    }
    one
}

/// Checks that a page is complete and loads nothing.
pub(crate) fn check_page(out: &Path) -> String {
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<svg") && page.contains("published"));
    assert!(!page.contains("<script") && !page.contains("src="), "{page}");
    page
}
