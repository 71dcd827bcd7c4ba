//! The questions of TREC, with and without the fine label in the text.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use softmark_data::tokenize::{Length, TextTokenizer};
use softmark_data::{TextDataset, files, trec};
use softmark_kit::train::split;

use crate::lab::Parts;

/// Maximum number of tokens of a question, including special tokens and the leaked label.
pub(super) const MAX_LEN: usize = 36;

/// Shares of the training questions that are for training and for validation.
const SHARES: [f64; 2] = [0.9, 0.1];

/// Folders below `--data` that may contain the files.
const FOLDERS: [&str; 2] = ["trec", ""];

pub(crate) const TRAIN_FILE: &str = "train_5500.label";
pub(crate) const TEST_FILE: &str = "TREC_10.label";

/// Part of the label that stands in the text of a question.
///
/// A line of TREC begins with both labels, `DESC:manner How did serfdom develop …`. A reader that cuts off
/// only the coarse label at the colon leaves the fine one, `manner`, in the text, and every fine label
/// belongs to one coarse label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leak {
    /// The text is the question alone.
    Absent,
    /// The text starts with the fine label.
    FineLabel,
}

impl Leak {
    /// Returns the suffix of the names of runs.
    pub(super) fn suffix(self) -> &'static str {
        match self {
            Self::Absent => "clean",
            Self::FineLabel => "leaky",
        }
    }

    /// Returns the description in tables.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Absent => "question alone",
            Self::FineLabel => "with the fine label",
        }
    }
}

/// The questions of both files, and their division.
#[derive(Debug)]
pub(super) struct Questions {
    pub(super) train: TextDataset,
    pub(super) validation: TextDataset,
    pub(super) test: TextDataset,
}

/// Returns the folder below `data` that contains both files.
///
/// # Errors
///
/// Fails if there is none.
pub(crate) fn folder(data: &Path) -> Result<PathBuf> {
    let mut folders = FOLDERS.iter().map(|folder| data.join(folder));
    let complete =
        |it: &PathBuf| [TRAIN_FILE, TEST_FILE].iter().all(|name| it.join(name).is_file());
    match folders.find(complete) {
        Some(folder) => Ok(folder),
        None => bail!(
            "there are no TREC files in {}: put `{TRAIN_FILE}` and `{TEST_FILE}` into its folder `trec`",
            data.display()
        ),
    }
}

/// Reads the questions of a file.
fn file(path: &Path, leak: Leak) -> Result<TextDataset> {
    let name = path.display().to_string();
    let mut questions = trec::parse(&name, &files::bytes(path, files::MAX_FILE_BYTES)?)?;
    if leak == Leak::FineLabel {
        for question in &mut questions {
            question.text = format!("{} {}", question.fine, question.text);
        }
    }
    Ok(trec::dataset(&name, questions)?)
}

/// Reads both files, and splits the training questions by class.
///
/// # Errors
///
/// Fails if a file is not valid.
pub(super) fn read(folder: &Path, leak: Leak, seed: u64) -> Result<Questions> {
    let all = file(&folder.join(TRAIN_FILE), leak)?;
    let dealt = split::stratified(&all.labels(), &SHARES, seed)?;
    let [train, validation] = dealt.as_slice() else { bail!("the split has other than two parts") };
    Ok(Questions {
        train: all.subset("train", train)?,
        validation: all.subset("validation", validation)?,
        test: file(&folder.join(TEST_FILE), leak)?,
    })
}

impl Questions {
    /// Returns the questions as ids of `tokenizer`, cut at [`MAX_LEN`].
    ///
    /// # Errors
    ///
    /// Fails if the tokenizer does.
    pub(super) fn encoded(&self, tokenizer: TextTokenizer) -> Result<Parts> {
        let tokenizer = tokenizer.with_length(Length::AtMost(MAX_LEN))?;
        Ok(Parts {
            train: tokenizer.encode_all(&self.train)?,
            validation: tokenizer.encode_all(&self.validation)?,
            test: tokenizer.encode_all(&self.test)?,
            classes: self.train.classes().to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "DESC:manner How did it begin ?\nLOC:city Where : here or there ?\n\
        ABBR:exp What is C ?\nENTY:animal What barks ?\nHUM:ind Who barks ?\nNUM:date When ?\n";

    fn texts(leak: Leak) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(TRAIN_FILE);
        std::fs::write(&path, LINES).unwrap();
        file(&path, leak).unwrap().texts().map(str::to_owned).collect()
    }

    #[test]
    fn the_leak_is_the_fine_label_alone() {
        assert_eq!(texts(Leak::Absent)[1], "Where : here or there ?");
        assert_eq!(texts(Leak::FineLabel)[1], "city Where : here or there ?");
        let all = texts(Leak::FineLabel);
        assert!(all.iter().all(|text| !trec::CLASSES.iter().any(|class| text.contains(class))));
    }

    #[test]
    fn a_folder_without_the_files_is_an_error_that_names_them() {
        let empty = tempfile::tempdir().unwrap();
        let error = folder(empty.path()).unwrap_err().to_string();
        assert!(error.contains(TRAIN_FILE) && error.contains(TEST_FILE), "{error}");
    }
}
