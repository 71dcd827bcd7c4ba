//! Counts of the words that a tokenizer splits texts into.

use std::collections::BTreeMap;

use tokenizers::{
    NormalizedString, Normalizer, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer,
};

use crate::tokenize::encoder::TokenizeError;

/// Returns the words of `texts` and their counts, after `normalizer` and `splitter`.
pub(crate) fn words(
    texts: impl IntoIterator<Item = impl AsRef<str>>,
    normalizer: Option<&impl Normalizer>,
    splitter: &impl PreTokenizer,
) -> Result<BTreeMap<String, u64>, TokenizeError> {
    let mut counts = BTreeMap::new();
    for text in texts {
        let mut normalized = NormalizedString::from(text.as_ref());
        if let Some(normalizer) = normalizer {
            normalizer.normalize(&mut normalized).map_err(TokenizeError::Library)?;
        }
        let mut split = PreTokenizedString::from(normalized);
        splitter.pre_tokenize(&mut split).map_err(TokenizeError::Library)?;
        for (word, _, _) in split.get_splits(OffsetReferential::Normalized, OffsetType::None) {
            match counts.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    counts.insert(word.to_owned(), 1);
                }
            }
        }
    }
    if counts.is_empty() { Err(TokenizeError::NoWords) } else { Ok(counts) }
}
