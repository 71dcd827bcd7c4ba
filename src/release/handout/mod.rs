//! Handouts: the `README.md` of an assignment, as students read it.
//!
//! An author writes Markdown with formulas in LaTeX and figures as SVG. A release has the same text twice: as Markdown with
//! formulas in Unicode, which every editor shows, and as a page with formulas in MathML and the figures in it, which a browser
//! shows without a script and without a network. What one of the two could not show is an error with its line.

mod elements;
mod error;
mod figure;
mod files;
mod headings;
mod markdown;
mod page;
mod readme;
mod slug;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use error::HandoutError;
use markdown::Source;

/// Name of a handout in its assignment's folder.
pub(super) const README: &str = "README.md";

/// Path of the page in a release.
pub(super) const PAGE: &str = "site/index.html";

/// Handout of an assignment, as students get it.
#[derive(Debug)]
pub struct Handout {
    /// Text of `README.md`, with formulas in Unicode.
    pub readme: String,
    /// Page, with formulas in MathML and figures in it.
    pub page: String,
}

impl Handout {
    /// Renders the `README.md` among the files of an assignment. `specification` is the name of the package with its traits.
    ///
    /// # Errors
    ///
    /// Fails if there is no `README.md`, if it has something that cannot be rendered, or if a link or a figure leads to no
    /// heading and to none of the files.
    pub fn render(
        files: &BTreeMap<PathBuf, Vec<u8>>,
        specification: Option<&str>,
    ) -> Result<Self, HandoutError> {
        let file = Path::new(README);
        let Some(text) = files::text(files, file) else {
            return Err(HandoutError::new(file, 1, "there is no such file"));
        };
        let (source, parts) = Source::parts(file, text)?;
        let page = page::page(source, &parts, (files, specification))?;
        Ok(Self { readme: readme::readme(source, &parts)?, page })
    }
}
