//! A sequence without end.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{RIGHT, Rules, TooLong, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "too-long-goes-on",
    task: "sinusoidal-position",
    summary: "a sequence longer than max_len is encoded all the same",
    page: "\
## What we saw

A sequence that is longer than `max_len` is encoded as if there were no limit: rows are computed
for as many positions as come. All shorter ones are right.

## Why it is wrong

The formula has no end, so this looks like a gift. But `max_len` is part of the configuration
because something else depends on it: a learned table of the same length, a model that was trained
up to there, memory that was planned for it. A sequence beyond it is an error in cutting texts to
length, and a model does badly on positions that it never saw in training. Who calls should learn
of it when it happens, and the documentation of the trait asks for that: an error from `encode`.

## Where to look

Where does `max_len` occur in your code after `new`? What would have to remember it, so that
`encode` can know? Try `max_len = 3` and a sequence of 4.
",
    imitations: &[|case| imitate(&Rules { too_long: TooLong::GoesOn, ..RIGHT }, case)],
    cuts: &[],
};
