//! Texts that occur more than once, within a data set and in two of them.
//!
//! What is in the test set and also in the training set is remembered rather than predicted. Some
//! published sets have such texts: this says which, so that a course can leave them out or report them.

use std::collections::{BTreeMap, BTreeSet};

use crate::dataset::{TextDataset, TextExample};
use crate::fault::Place;

/// What is the same text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// The same characters.
    Exact,
    /// The same words in lower case: letters and digits count, and nothing between them.
    Words,
}

impl Sameness {
    /// What two texts have in common exactly when they are the same.
    fn key(self, text: &str) -> String {
        match self {
            Self::Exact => text.to_owned(),
            Self::Words => {
                let lower = text.to_lowercase();
                let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty());
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// A text that stands in several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The text, as it stands in the first of them.
    pub text: String,
    /// Where, in the order of the examples.
    pub places: Vec<Place>,
    /// The labels that it has; more than one is a contradiction.
    pub labels: BTreeSet<u32>,
}

/// The texts of `dataset` that occur more than once, in the order of their first places.
pub fn repeated(dataset: &TextDataset, sameness: Sameness) -> Vec<Repeated> {
    let groups = grouped(dataset.examples(), sameness);
    let mut found: Vec<&Vec<usize>> = groups.values().filter(|group| group.len() > 1).collect();
    found.sort_unstable();
    found.into_iter().map(|group| gather(dataset.examples(), group)).collect()
}

/// How many different texts a data set has.
pub fn distinct(dataset: &TextDataset, sameness: Sameness) -> usize {
    grouped(dataset.examples(), sameness).len()
}

/// The indices of the examples of `test` whose text occurs in `train` too, in their order.
///
/// ```
/// use softmark_data::overlap::{Sameness, leaked};
/// use softmark_data::trec;
///
/// let train = "ABBR:exp A ?\nDESC:def D ?\nENTY:x E ?\nHUM:ind H ?\nLOC:city L ?\nNUM:date N ?\n";
/// let test = train.replace("A ?", "a?").replace("D ?", "other ?");
/// let train = trec::dataset("train", trec::parse("train", train.as_bytes())?)?;
/// let test = trec::dataset("test", trec::parse("test", test.as_bytes())?)?;
/// assert_eq!(leaked(&train, &test, Sameness::Exact), [2, 3, 4, 5]);
/// assert_eq!(leaked(&train, &test, Sameness::Words), [0, 2, 3, 4, 5]);
/// # Ok::<(), softmark_data::DataError>(())
/// ```
pub fn leaked(train: &TextDataset, test: &TextDataset, sameness: Sameness) -> Vec<usize> {
    let known = grouped(train.examples(), sameness);
    let is_known = |it: &TextExample| known.contains_key(&sameness.key(&it.text));
    let test = test.examples().iter().enumerate();
    test.filter(|(_, example)| is_known(example)).map(|(index, _)| index).collect()
}

/// The indices of the examples without repetitions: the first of each text.
pub fn first_of_each(dataset: &TextDataset, sameness: Sameness) -> Vec<usize> {
    let groups = grouped(dataset.examples(), sameness);
    let mut first: Vec<usize> =
        groups.values().filter_map(|group| group.first().copied()).collect();
    first.sort_unstable();
    first
}

/// The indices of the examples by what makes them the same.
fn grouped(examples: &[TextExample], sameness: Sameness) -> BTreeMap<String, Vec<usize>> {
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, example) in examples.iter().enumerate() {
        groups.entry(sameness.key(&example.text)).or_default().push(index);
    }
    groups
}

fn gather(examples: &[TextExample], group: &[usize]) -> Repeated {
    let members = || group.iter().filter_map(|&index| examples.get(index));
    Repeated {
        text: members().next().map(|it| it.text.clone()).unwrap_or_default(),
        places: members().map(|it| it.source.clone()).collect(),
        labels: members().map(|it| it.label).collect(),
    }
}
