//! Questions to train on, and those that models are observed on.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use softmark_data::tokenize::{Length, word_level};
use softmark_data::{TextDataset, builtin, trec};
use softmark_kit::train::split;

use crate::buggy_layer::observe::Watched;
use crate::lab::Parts;
use crate::trec::data::{TEST_FILE, TRAIN_FILE, folder};

/// Vocabulary size without `[PAD]` and `[UNK]`, and the length of questions in tokens.
const WORDS: usize = 5000;
pub(super) const LENGTH: usize = 36;

/// Number of generated questions for training and validation, unless another is asked for; three twentieths more are
/// for testing, so that there are 600.
pub const GENERATED: usize = 4000;

/// Number of test questions over which heads are described, and the number of tokens of the one that is drawn.
const MANY: usize = 128;
const DRAWN: usize = 9;

/// Source of the questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Corpus {
    /// The generated questions of the assignments: each names two things, and the order of the words tells which of
    /// them is asked for. There are so many for training and validation.
    Generated(usize),
    /// TREC's questions.
    Trec,
}

impl Corpus {
    /// Returns the name of the corpus in names of runs.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Generated(_) => "generated",
            Self::Trec => "trec",
        }
    }
}

/// The data of a corpus.
pub(super) struct Data {
    pub(super) parts: Parts,
    pub(super) vocabulary: usize,
    pub(super) watched: Watched,
    /// Tokens of the question that is drawn.
    pub(super) tokens: Vec<String>,
    pub(super) described: String,
}

/// Reads or generates questions; a tenth of those for training is for validation.
pub(super) fn read(corpus: Corpus, data: &Path, seed: u64, layers: usize) -> Result<Data> {
    let (all, test) = match corpus {
        Corpus::Generated(count) => generated(count, seed)?,
        Corpus::Trec => {
            let folder = folder(data)?;
            let file = |name: &str| trec::read(&folder.join(name));
            (file(TRAIN_FILE)?, file(TEST_FILE)?)
        }
    };
    let dealt = split::stratified(&all.labels(), &[0.9, 0.1], seed)?;
    let [train, validation] = dealt.as_slice() else { bail!("a split into two parts") };
    let train = all.subset("train", train)?;
    let tokenizer = word_level(train.texts(), WORDS)?.with_length(Length::AtMost(LENGTH))?;
    let parts = Parts {
        train: tokenizer.encode_all(&train)?,
        validation: tokenizer.encode_all(&all.subset("validation", validation)?)?,
        test: tokenizer.encode_all(&test)?,
        classes: all.classes().to_vec(),
    };
    let one = drawn(&parts.test.ids, tokenizer.unknown()).context("there is no test question")?;
    let name = |id: &u32| tokenizer.token(*id).unwrap_or_default();
    let source = match corpus {
        Corpus::Generated(_) => {
            "The assignments\u{2019} generated questions: each names two things, and the order of the words tells \
             which of them is asked for"
        }
        Corpus::Trec => "TREC questions with their coarse labels, and no label in the text",
    };
    let described = format!(
        "{source}: {} for training, {} for validation, {} for testing.",
        parts.train.len(),
        parts.validation.len(),
        parts.test.len(),
    );
    Ok(Data {
        tokens: one.iter().map(name).collect(),
        watched: Watched {
            many: parts.test.ids.iter().take(MANY).cloned().collect(),
            one,
            layers,
            max_len: LENGTH,
        },
        vocabulary: tokenizer.size(),
        parts,
        described,
    })
}

/// Returns generated questions for training and for testing; no text is in both.
fn generated(count: usize, seed: u64) -> Result<(TextDataset, TextDataset)> {
    let all = builtin::questions(seed, count + count * 3 / 20)?;
    let numbers: Vec<usize> = (0..all.len()).collect();
    let (first, last) = numbers.split_at(count);
    Ok((all.subset("generated", first)?, all.subset("unseen", last)?))
}

/// Returns the first question of [`DRAWN`] tokens whose words are all known, or else the first question.
fn drawn(questions: &[Vec<u32>], unknown: u32) -> Option<Vec<u32>> {
    let fits = |ids: &&Vec<u32>| ids.len() == DRAWN && !ids.contains(&unknown);
    questions.iter().find(fits).or(questions.first()).cloned()
}
