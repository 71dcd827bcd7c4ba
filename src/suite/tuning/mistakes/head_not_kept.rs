//! The prefix alone is kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-not-kept",
    task: "checkpoint",
    summary: "only the prefix is kept, not the head or a layer that was tuned",
    page: "\
## What we saw

Where a prefix was tuned it is kept as it should be, and the head is not. Where a layer and the
head were tuned nothing is kept, or a prefix that was not tuned.

## Why it is wrong

The method is called after the prefix, but the head that stands on it is just as new: it began at
random and learned together with it. A prefix without its head is a question that nobody
understands the answer to. Whoever loads it has to train a new head, with texts that may not be at
hand any more, or runs with the random one and gets a class by chance.

## Where to look

Which parameters does the table in the documentation say learn, for each way of tuning? How do you
decide what is kept: by one name, or by asking about each?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Prefix, ..RIGHT }, case)],
    cuts: &[],
};
