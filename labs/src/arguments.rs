//! Command-line arguments that all labs share.

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;

/// Arguments of every lab.
#[derive(Debug, Clone, clap::Args)]
pub struct Arguments {
    /// Folder with the data sets, each in its published layout; see `labs/README.md`.
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,

    /// Folder for results: `index.html`, `results.json` and `runs/` [default: `target/labs/NAME`].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Device to train on: `cpu`, `cuda`, `cuda:N` or `auto`.
    #[arg(long, value_name = "NAME", default_value = "cpu")]
    pub device: String,

    /// Seed of splits, initial parameters, shuffling and dropout.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Number of epochs of each training, in place of the lab's own.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub epochs: Option<usize>,

    /// Train with the published sizes, which takes hours on a CPU.
    #[arg(long)]
    pub full: bool,
}

impl Arguments {
    /// Returns the arguments of a run on the CPU with seed 1 and the lab's own sizes.
    pub fn new(data: &Path, out: &Path) -> Self {
        Self {
            data: data.to_owned(),
            out: Some(out.to_owned()),
            device: "cpu".to_owned(),
            seed: 1,
            epochs: None,
            full: false,
        }
    }

    /// Returns the folder for the results of the lab called `name`.
    pub fn out(&self, name: &str) -> PathBuf {
        self.out.clone().unwrap_or_else(|| Path::new("target/labs").join(name))
    }
}
