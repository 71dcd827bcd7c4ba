//! Pages about known mistakes, which students read with `cargo test --test public -- --explain NAME`.

use std::path::{Path, PathBuf};

use softmark_exam::Mistake;

use crate::release::tree::Tree;
use crate::suite::Catalog;

/// Folder of the pages in a release.
const FOLDER: &str = "mistakes";

/// Returns the page of each mistake of the assignment `id`.
pub(super) fn files(catalog: Catalog, id: &str) -> Tree {
    let mistakes = catalog.find(id).map(|suite| (suite.mistakes)()).unwrap_or_default();
    mistakes.iter().map(|mistake| (path(mistake.id), text(mistake).into_bytes())).collect()
}

fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{name}.md"))
}

fn text(mistake: &Mistake) -> String {
    let Mistake { id, task, summary, page, .. } = mistake;
    format!("# {id}\n\n{task}: {summary}.\n\n{}\n", page.trim_end())
}
