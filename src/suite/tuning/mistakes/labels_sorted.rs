//! The names of the classes are sorted.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Labels, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "labels-sorted",
    task: "checkpoint",
    summary: "the names of the classes come out in alphabetical order",
    page: "\
## What we saw

The parameters are right, and so are the names of the classes as a set. Their order is not: when
they are saved, or when they are loaded, they are put into that of the alphabet.

## Why it is wrong

A model answers with a number, and the name is looked up by it. With the names in another order
every answer is a wrong word, in a constant and convincing way: all questions about a place come
out as ones about a number. No loss shows it and no accuracy that is computed with numbers; only a
reader of the answers will. Collections that keep their own order, and those that keep none, do
this without being asked.

## Where to look

Which types do the names pass through between the model and the file, and back? Which of those
keep the order in which things were put in?
",
    imitations: &[
        |case| imitate(&Rules { labels: Labels::SortedInSaving, ..RIGHT }, case),
        |case| imitate(&Rules { labels: Labels::SortedInLoading, ..RIGHT }, case),
    ],
    cuts: &[],
};
