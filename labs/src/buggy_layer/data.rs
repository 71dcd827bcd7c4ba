//! TREC's questions, and those that models are observed on.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use softmark_data::tokenize::{Length, word_level};
use softmark_data::trec;
use softmark_kit::train::split;

use crate::buggy_layer::observe::Watched;
use crate::lab::Parts;

/// Vocabulary size without `[PAD]` and `[UNK]`, and the length of questions in tokens.
const WORDS: usize = 5000;
pub(super) const LENGTH: usize = 36;

/// Number of test questions over which heads are described, and the number of tokens of the one that is drawn.
const MANY: usize = 128;
const DRAWN: usize = 9;

/// The data of the lab.
pub(super) struct Data {
    pub(super) parts: Parts,
    pub(super) vocabulary: usize,
    pub(super) watched: Watched,
    /// Tokens of the question that is drawn.
    pub(super) tokens: Vec<String>,
    pub(super) described: String,
}

/// Reads TREC's questions, without their labels; a tenth of the training questions is for validation.
pub(super) fn read(data: &Path, seed: u64, layers: usize) -> Result<Data> {
    let folder = data.join("trec");
    let all = trec::read(&folder.join("train_5500.label"))?;
    let test = trec::read(&folder.join("TREC_10.label"))?;
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
    let described = format!(
        "TREC questions with their coarse labels, and no label in the text: {} for training, {} for validation, {} \
         for testing. Entropies are means over the first {} test questions.",
        parts.train.len(),
        parts.validation.len(),
        parts.test.len(),
        parts.test.len().min(MANY),
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

/// Returns the first question of about [`DRAWN`] tokens whose words are all known, or else the first question.
fn drawn(questions: &[Vec<u32>], unknown: u32) -> Option<Vec<u32>> {
    let fits = |ids: &&Vec<u32>| ids.len() == DRAWN && !ids.contains(&unknown);
    questions.iter().find(fits).or(questions.first()).cloned()
}
