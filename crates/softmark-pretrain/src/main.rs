//! Pretrains the built-in encoder and writes its files, or compares them with those that are there.

mod pretrain;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Parser;
use tempfile::NamedTempFile;

use crate::pretrain::{Files, Recipe, pretrain};

/// Folder of the files, unless another one is named.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/pretrained");

/// Number of steps whose mean loss is printed.
const PRINTED: u32 = 250;

/// Pretrain the built-in encoder, which takes some minutes.
#[derive(Debug, Parser)]
struct Args {
    /// The folder [default: `fixtures/pretrained` in the project's folder].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write nothing: compare the files there, byte for byte, with what comes out; exit code 1 if they
    /// differ.
    #[arg(long)]
    check: bool,
}

/// Prints the mean loss of every few steps.
struct Progress {
    steps: u32,
    sum: f64,
}

impl Progress {
    fn add(&mut self, step: u32, loss: f32) {
        self.sum += f64::from(loss);
        if (step + 1).is_multiple_of(PRINTED) {
            let mean = self.sum / f64::from(PRINTED);
            self.sum = 0.0;
            // Progress is optional: a failure to print it is ignored.
            writeln!(io::stderr(), "{} of {}: loss {mean:.4}", step + 1, self.steps).ok();
        }
    }
}

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// Returns the paths of the files in `folder` that differ from those of the encoder.
fn differing(folder: &Path, files: &Files) -> Result<Vec<PathBuf>> {
    let mut differing = Vec::new();
    for (name, bytes) in files.by_name() {
        let path = folder.join(name);
        let there = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        if there != bytes {
            differing.push(path);
        }
    }
    Ok(differing)
}

fn main() -> Result<ExitCode> {
    let Args { out, check } = Args::parse();
    let folder = out.unwrap_or_else(|| PathBuf::from(FOLDER));
    let recipe = Recipe::SHIPPED;
    let mut progress = Progress { steps: recipe.steps, sum: 0.0 };
    let files = pretrain(&recipe, &mut |step, loss| progress.add(step, loss))?;
    if !check {
        for (name, bytes) in files.by_name() {
            let path = folder.join(name);
            write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let differing = differing(&folder, &files)?;
    for path in &differing {
        writeln!(io::stderr(), "{} is not what comes out", path.display()).ok();
    }
    Ok(if differing.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_files_that_differ() {
        let folder = tempfile::tempdir().unwrap();
        let files =
            Files { config: "{}".to_owned(), vocabulary: "a\n".to_owned(), weights: vec![1, 2] };
        for (name, bytes) in files.by_name() {
            write(&folder.path().join(name), bytes).unwrap();
        }
        assert_eq!(differing(folder.path(), &files).unwrap(), Vec::<PathBuf>::new());
        let path = folder.path().join("vocab.txt");
        write(&path, b"b\n").unwrap();
        assert_eq!(differing(folder.path(), &files).unwrap(), std::slice::from_ref(&path));
        fs::remove_file(path).unwrap();
        assert!(differing(folder.path(), &files).is_err());
    }
}
