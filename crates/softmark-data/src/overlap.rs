//! Detection of texts that occur more than once, within a data set or in two of them.
//!
//! A test text that is also in the training set can be remembered instead of predicted. Some published sets
//! contain such texts; this module finds them, so that a course can remove or report them.

use std::collections::{BTreeMap, BTreeSet};

use crate::dataset::{TextDataset, TextExample};
use crate::fault::Location;

/// Criterion by which two texts count as the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sameness {
    /// Both texts have the same characters.
    Exact,
    /// Both texts have the same words in lower case; only letters and digits count.
    Words,
}

impl Sameness {
    /// Returns a key that two texts share exactly if they are the same.
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

/// A text that occurs in several places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The text, as written in its first place.
    pub text: String,
    /// Places of the text, in the order of the examples.
    pub places: Vec<Location>,
    /// Labels of the text; more than one is a contradiction.
    pub labels: BTreeSet<u32>,
}

/// Returns the texts of `dataset` that occur more than once, in the order of their first places.
pub fn repeated(dataset: &TextDataset, sameness: Sameness) -> Vec<Repeated> {
    let groups = grouped(dataset.examples(), sameness);
    let mut found: Vec<&Vec<usize>> = groups.values().filter(|group| group.len() > 1).collect();
    found.sort_unstable();
    found.into_iter().map(|group| gather(dataset.examples(), group)).collect()
}

/// Returns the number of distinct texts of a data set.
pub fn distinct(dataset: &TextDataset, sameness: Sameness) -> usize {
    grouped(dataset.examples(), sameness).len()
}

/// Returns the indices of the examples of `test` whose text also occurs in `train`, in their order.
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

/// Returns the indices of the first example of each distinct text.
pub fn first_of_each(dataset: &TextDataset, sameness: Sameness) -> Vec<usize> {
    let groups = grouped(dataset.examples(), sameness);
    let mut first: Vec<usize> =
        groups.values().filter_map(|group| group.first().copied()).collect();
    first.sort_unstable();
    first
}

/// Groups the indices of the examples by the key of their text.
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
