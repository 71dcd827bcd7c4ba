//! A single vector for the whole prefix.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Gets, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "one-vector-a-text",
    task: "prefix",
    summary: "a text gets one vector of the prefix, as often as the prefix is long",
    page: "\
## What we saw

A prefix of length 1 is right. Of a longer one each text gets a single vector, repeated: the
first, or the one whose number is that of the text in the batch. The others have no influence.

## Why it is wrong

Broadcasting stretches whatever fits, and asks no questions. The prefix has an axis for its places
and one for its channels, and none for the batch; where the wrong one is taken off or put in, a
vector is stretched over the places. Several copies of one vector say no more than one, so that a
long prefix costs its price and does not pay; and a text's answer must not hang on its place in
the batch.

## Where to look

Write the shape beside each step from `[P, D]` to `[B, P, D]`. Along which axis are there copies,
and along which should there be?
",
    imitations: &[
        |case| imitate(&Rules { gets: Gets::FirstVector, ..RIGHT }, case),
        |case| imitate(&Rules { gets: Gets::VectorByText, ..RIGHT }, case),
    ],
    cuts: &[],
};
