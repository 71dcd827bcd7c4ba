//! Split of built-in data into training examples and unseen examples.

use softmark_common::data::Labelled;
use softmark_common::examples::Examples;

/// Returns the first `train` of the texts as examples, and the rest; `encode` turns each text into
/// ids.
pub fn split(texts: &[Labelled], encode: &dyn Fn(&str) -> Vec<u32>, train: usize) -> [Examples; 2] {
    let (learned, unseen) = texts.split_at(train.min(texts.len()));
    [learned, unseen].map(|part| Examples {
        ids: part.iter().map(|it| encode(&it.text)).collect(),
        labels: part.iter().map(|it| it.label).collect(),
    })
}
