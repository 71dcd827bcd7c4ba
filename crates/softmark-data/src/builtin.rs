//! Built-in data sets: generated from a seed, with the same types as those read from files.
//!
//! Their grammar is the kit's ([`softmark_kit::data`]); this module returns them as a [`TextDataset`], so
//! that programs that need one run without a network and without a download.

use softmark_kit::data::{Labelled, questions, topics};

use crate::dataset::{TextDataset, TextExample};
use crate::fault::{DataError, Location};

/// Returns `n` questions of six classes with distinct texts; a larger `n` gives the same questions and more.
///
/// # Errors
///
/// Fails if `n` is so small that a class has no example.
///
/// # Examples
///
/// ```
/// let questions = softmark_data::builtin::questions(1, 600)?;
/// assert_eq!(questions.classes(), ["ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"]);
/// assert_eq!(questions.len(), 600);
/// # Ok::<(), softmark_data::DataError>(())
/// ```
pub fn questions(seed: u64, n: usize) -> Result<TextDataset, DataError> {
    dataset("questions", &questions::CLASSES, questions::generate(seed, n))
}

/// Returns `n` headlines of four classes with distinct texts; a larger `n` gives the same headlines and more.
///
/// # Errors
///
/// Fails if `n` is so small that a class has no example.
///
/// # Examples
///
/// ```
/// let topics = softmark_data::builtin::topics(1, 600)?;
/// assert_eq!(topics.classes(), ["World", "Sports", "Business", "Sci/Tech"]);
/// # Ok::<(), softmark_data::DataError>(())
/// ```
pub fn topics(seed: u64, n: usize) -> Result<TextDataset, DataError> {
    dataset("topics", &topics::CLASSES, topics::generate(seed, n))
}

fn dataset(name: &str, classes: &[&str], texts: Vec<Labelled>) -> Result<TextDataset, DataError> {
    let place = Location::file(name);
    let examples = texts.into_iter().zip(1..).map(|(Labelled { text, label, .. }, number)| {
        TextExample { text, label, source: place.line(number) }
    });
    TextDataset::new(
        name,
        classes.iter().map(|&class| class.to_owned()).collect(),
        examples.collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::{self, Sameness};

    #[test]
    fn the_first_are_the_same_for_any_number() {
        let (few, many) = (topics(3, 100).unwrap(), topics(3, 200).unwrap());
        assert_eq!(few.examples(), &many.examples()[..100]);
        assert_ne!(few.examples(), topics(4, 100).unwrap().examples());
    }

    #[test]
    fn no_text_is_in_two_parts() {
        let all = questions(1, 1000).unwrap();
        let parts: Vec<usize> = (0..1000).collect();
        let (train, test) = parts.split_at(800);
        let (train, test) = (all.subset("a", train).unwrap(), all.subset("b", test).unwrap());
        assert!(overlap::leaked(&train, &test, Sameness::Exact).is_empty());
    }

    #[test]
    fn a_class_without_an_example_is_an_error() {
        assert!(questions(1, 3).unwrap_err().to_string().contains("questions"));
    }
}
