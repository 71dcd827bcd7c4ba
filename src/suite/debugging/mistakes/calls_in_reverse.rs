//! Calls come back in the opposite order.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "calls-in-reverse",
    task: "capture",
    summary: "the last call comes first",
    page: "\
## What we saw

Every call of the module is captured, none is missing and none is there twice. They come back with
the last call first and the first call last.

## Why it is wrong

Captures are read along the epoch: the first one is the first batch, and the one after it is what
attention looked like a step later. Read from the wrong end, whatever the model learns looks as if
it were forgotten, a head that sharpens seems to go flat, and a loss drawn beside it runs the other
way.

## Where to look

Look at the end at which your hook adds to what it has, and at how the result is taken out when the
epoch is over. Try it with three batches of different sizes.
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Backwards, ..RIGHT }, case)],
    cuts: &[],
};
