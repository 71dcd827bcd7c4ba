//! Pages about known mistakes.

use std::collections::BTreeMap;
use std::path::Path;

/// Folder of the pages.
const FOLDER: &str = "mistakes";

/// Reads the pages below the folder `dir`, by the name of the mistake.
pub(crate) fn read(dir: &Path) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(dir.join(FOLDER)).into_iter().flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let pages = paths.filter(|path| path.extension().is_some_and(|it| it == "md"));
    pages
        .filter_map(|path| {
            let name = path.file_stem()?.to_str()?.to_owned();
            Some((name, std::fs::read_to_string(&path).ok()?))
        })
        .collect()
}

/// Returns what a page is about: its first line that is no heading.
pub(crate) fn summary(page: &str) -> &str {
    let mut lines = page.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.next().unwrap_or_default()
}
