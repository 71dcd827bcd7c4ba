//! Built-in data, split into what is learned from and what has never been seen.

use softmark_kit::data::{Labelled, Vocabulary};
use softmark_kit::train::Examples;

/// The first `train` of the texts as examples, and the rest.
pub(crate) fn split(texts: &[Labelled], vocabulary: &Vocabulary, train: usize) -> [Examples; 2] {
    let (learned, unseen) = texts.split_at(train.min(texts.len()));
    [learned, unseen].map(|part| Examples {
        ids: part.iter().map(|it| vocabulary.encode(&it.text)).collect(),
        labels: part.iter().map(|it| it.label).collect(),
    })
}
