//! Views are refused.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "network-refuses-views",
    task: "feed-forward",
    summary: "an input that is not contiguous in memory is refused",
    page: "\
## What we saw

An input whose rows lie apart in memory is refused with an error; the same numbers in one piece are
taken and treated rightly.

## Why it is wrong

A tensor is what its indices say, not how it lies in memory: slices and transpositions make views,
and a model makes them all the time. A part that wants its numbers in a row has to bring them into
one by itself. Else it works in the tests of whoever wrote it, and fails in the hands of the next,
who sliced a batch.

## Where to look

Which operation says so, and what could be done to its input just before? The error of candle names
it; if the check is your own, what is it good for?
",
    imitations: &[|case| imitate(&Rules { refuses_strided: true, ..RIGHT }, case)],
    cuts: &[],
};
