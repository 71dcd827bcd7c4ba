//! What is kept is decided by name.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "kept-by-name",
    task: "checkpoint",
    summary: "everything outside of the encoder is kept, whatever was tuned",
    page: "\
## What we saw

Where a prefix and a head were tuned all is right. Where layers of the encoder were, those are not
kept; and a prefix that is there and was not tuned is.

## Why it is wrong

A name says where a parameter stands, and not whether it was tuned. With a prefix the two come to
the same: all of the encoder is frozen, and everything else learns. As soon as the last layers are
tuned they are the larger part of what was learned, and a checkpoint without them holds a head
that was made for other features than those that it will get. It loads without an error where the
loader guesses in the same way, and classifies at random.

## Where to look

What does your code ask about each parameter: what it is called, or whether it learns? Which field
of the model answers the second?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::NotTheEncoder, ..RIGHT }, case)],
    cuts: &[],
};
