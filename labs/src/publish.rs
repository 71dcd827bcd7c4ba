//! Files of a report: the page and `results.json`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde::Serialize;

use crate::files;
use crate::lab::Lab;
use crate::page;
use crate::record::RunRecord;
use crate::report::{Figure, Report};

/// Version of `results.json`; raised when the meaning of a field changes.
const FORMAT_VERSION: u32 = 1;

/// Content of `results.json`.
#[derive(Serialize)]
struct Results<'a> {
    format_version: u32,
    lab: &'a str,
    device: &'a str,
    seed: u64,
    data: &'a [String],
    figures: &'a [Figure],
    runs: &'a [RunRecord],
}

impl Report {
    /// Writes `results.json` and `index.html` to the folder of the lab, and returns the path of the page.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn write(&self, lab: &mut Lab) -> Result<PathBuf> {
        let results = Results {
            format_version: FORMAT_VERSION,
            lab: lab.name(),
            device: lab.device_kind(),
            seed: self.seed,
            data: &self.data,
            figures: &self.figures,
            runs: &self.runs,
        };
        let mut json = serde_json::to_vec_pretty(&results)?;
        json.push(b'\n');
        files::write(&lab.out().join("results.json"), &json)?;
        let page = lab.out().join("index.html");
        files::write(&page, page::render(self, lab.name(), lab.device_kind()).as_bytes())?;
        lab.say(&self.summary(&page));
        Ok(page)
    }

    /// Returns the figures as text for a terminal.
    fn summary(&self, page: &Path) -> String {
        let width = self.figures.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
        let mut lines = vec![format!("\n{:width$}  published    ours", "")];
        for Figure { name, published, ours, .. } in &self.figures {
            let (published, ours) = (page::figure_or_dash(*published), page::figure_or_dash(*ours));
            lines.push(format!("{name:width$}  {published:>9}  {ours:>6}"));
        }
        lines.push(format!("\npage: {}", page.display()));
        lines.join("\n")
    }
}
