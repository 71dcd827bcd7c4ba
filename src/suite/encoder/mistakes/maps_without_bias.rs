//! Linear maps without a bias.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "maps-without-bias",
    task: "feed-forward",
    summary: "a linear map of the network is used without its bias",
    page: "\
## What we saw

An input of zeros comes to zeros, or to less than it should: a bias that the table of parameters
names has no part in the result.

## Why it is wrong

Without the first bias every hidden number has its threshold at zero, whatever the data; without
the second, the network cannot move a token by a fixed amount. Candle makes maps with a bias and
maps without one by two functions whose names differ in a suffix, and both run. A checkpoint with
biases then loads only in part, and nobody says so.

## Where to look

Hold the table of parameters beside your constructor, name by name. Which of the four does nothing
ask for?
",
    imitations: &[
        |case| imitate(&Rules { biases: [false, false], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [false, true], ..RIGHT }, case),
        |case| imitate(&Rules { biases: [true, false], ..RIGHT }, case),
    ],
    cuts: &[],
};
