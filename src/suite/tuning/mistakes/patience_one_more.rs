//! The loop is one epoch too patient.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Patience, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "patience-one-more",
    task: "loop",
    summary: "the loop ends one epoch later than patience says",
    page: "\
## What we saw

What is kept and what is reported is right. When there is no new best any more, the loop carries
out one epoch more than it should before it ends.

## Why it is wrong

With a patience of 1 the first epoch that is no new best is the last one; by your count it takes
two. An epoch of a large model takes hours, and in a search over twenty recipes it is twenty
epochs that nobody asked for. It does not change what is kept, unless the epoch too many happens
to be a new best: and then the same recipe gives another model here than elsewhere.

## Where to look

Take patience 1 and the losses 3, 4, 5. What does your count stand at after each epoch, and with
what, and by which sign, is it compared?
",
    imitations: &[|case| imitate(&Rules { patience: Patience::OneMore, ..RIGHT }, case)],
    cuts: &[],
};
