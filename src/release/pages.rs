//! Pages about known mistakes, which students read with `cargo test --test public -- --explain NAME`, and the diagnostic cases
//! by which their checks recognise mistakes.

use std::path::{Path, PathBuf};

use softmark_checks::recognition;
use softmark_exam::{Mistake, Suite};

use crate::diagnose::for_students;
use crate::release::tree::Tree;
use crate::suite::Catalog;

/// Folder of the pages in a release.
const FOLDER: &str = "mistakes";

/// Returns the page of each mistake of the assignment `id`, and the diagnostic cases by which students' checks recognise mistakes.
pub(super) fn files(catalog: Catalog, id: &str) -> Tree {
    let Some(suite) = catalog.find(id) else { return Tree::new() };
    let mistakes = (suite.mistakes)();
    let page = |mistake: &Mistake| (path(mistake.id), text(mistake).into_bytes());
    let mut files: Tree = mistakes.iter().map(page).collect();
    files.insert(recognition::FILE.into(), responses(suite).into_bytes());
    files
}

fn path(name: &str) -> PathBuf {
    Path::new(FOLDER).join(format!("{name}.md"))
}

fn responses(suite: &Suite) -> String {
    // Its maps have strings and numbers as keys; others would be the only error.
    serde_json::to_string(&for_students(suite)).unwrap_or_default() + "\n"
}

fn text(mistake: &Mistake) -> String {
    let Mistake { id, task, summary, page, .. } = mistake;
    format!("# {id}\n\n{task}: {summary}.\n\n{}\n", page.trim_end())
}
