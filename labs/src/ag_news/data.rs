//! The texts of AG News as pieces of a byte-pair encoding, in three parts.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use softmark_data::ag_news::{self, Marks};
use softmark_data::tokenize::{BpeOptions, Case, Length, bpe};
use softmark_kit::train::split;

use crate::ag_news::model::Sizes;
use crate::lab::Parts;

/// Shares of the training rows that are for training and for validation.
pub(super) const SHARES: [f64; 2] = [0.9, 0.1];

/// Folders below `--data` that may contain the files.
const FOLDERS: [&str; 4] = ["ag_news/ag_news_csv", "ag_news", "ag_news_csv", ""];

/// Names of training files, the published one first.
const TRAIN_FILES: [&str; 2] = ["train.csv", "train_subset_union.csv"];

/// Name of the test file.
const TEST_FILE: &str = "test.csv";

/// The data set as ids of pieces.
#[derive(Debug)]
pub(super) struct Data {
    /// The three parts.
    pub(super) parts: Parts,
    /// Sizes for the models.
    pub(super) sizes: Sizes,
    /// Training file that was found.
    pub(super) file: PathBuf,
}

impl Data {
    /// Returns the number of rows of the training file.
    pub(super) fn rows(&self) -> usize {
        self.parts.train.len() + self.parts.validation.len()
    }

    /// Returns the mean number of pieces of a training text, after cutting.
    pub(super) fn mean_length(&self) -> f64 {
        let pieces: usize = self.parts.train.ids.iter().map(Vec::len).sum();
        pieces as f64 / self.parts.train.len().max(1) as f64
    }
}

/// Returns the first of `names` in the first of the folders that contains it.
fn find(data: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut paths =
        names.iter().flat_map(|name| FOLDERS.map(|folder| data.join(folder).join(name)));
    paths.find(|path| path.is_file())
}

/// Reads the data set below `data`, splits the training rows by class, and learns the pieces from the part
/// for training. Texts are cut at `max_len` pieces.
///
/// # Errors
///
/// Fails if a file is missing or not valid.
pub(super) fn read(data: &Path, max_len: usize, seed: u64) -> Result<Data> {
    let (Some(file), Some(test)) = (find(data, &TRAIN_FILES), find(data, &[TEST_FILE])) else {
        bail!(
            "there are no AG News files in {}: put `train.csv` and `test.csv` into its folder \
             `ag_news/ag_news_csv`",
            data.display()
        )
    };
    let all = ag_news::read(&file, Marks::Kept)?;
    let test = ag_news::read(&test, Marks::Kept)?;
    let dealt = split::stratified(&all.labels(), &SHARES, seed)?;
    let [train, validation] = dealt.as_slice() else { bail!("the split has other than two parts") };
    let train = all.subset("train", train)?;
    let validation = all.subset("validation", validation)?;
    let options = BpeOptions { case: Case::Lowered, ..BpeOptions::default() };
    let tokenizer = bpe(train.texts(), options)
        .and_then(|it| it.with_length(Length::AtMost(max_len)))
        .with_context(|| format!("no pieces can be learnt from {}", file.display()))?;
    let classes = all.classes().to_vec();
    let sizes = Sizes { vocabulary: tokenizer.size(), max_len, classes: classes.len() };
    let parts = Parts {
        train: tokenizer.encode_all(&train)?,
        validation: tokenizer.encode_all(&validation)?,
        test: tokenizer.encode_all(&test)?,
        classes,
    };
    Ok(Data { parts, sizes, file })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_file_is_preferred() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(find(folder.path(), &TRAIN_FILES), None);
        let subset = folder.path().join("ag_news/train_subset_union.csv");
        std::fs::create_dir_all(folder.path().join("ag_news/ag_news_csv")).unwrap();
        std::fs::write(&subset, "").unwrap();
        assert_eq!(find(folder.path(), &TRAIN_FILES), Some(subset));
        let published = folder.path().join("ag_news/ag_news_csv/train.csv");
        std::fs::write(&published, "").unwrap();
        assert_eq!(find(folder.path(), &TRAIN_FILES), Some(published));
    }

    #[test]
    fn a_folder_without_files_is_an_error_that_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let error = read(folder.path(), 8, 1).unwrap_err().to_string();
        assert!(error.contains("train.csv") && error.contains("test.csv"), "{error}");
    }
}
