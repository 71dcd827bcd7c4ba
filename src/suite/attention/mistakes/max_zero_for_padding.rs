//! Zeros that win against negative numbers.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Padding, RIGHT, Rule, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "max-zero-for-padding",
    task: "masked-pooling",
    summary: "padding counts as 0 in the maximum, and wins where all else is negative",
    page: "\
## What we saw

The maximum is right in every channel in which some real number is positive. In a channel in which
all of them are negative, the result is 0 as soon as the sequence has padding.

## Why it is wrong

Setting padding to zero is right for a sum: zero is what adds nothing. Each operation has its own
number that changes nothing, and for a maximum it is not zero, which is in the middle of the
numbers and larger than half of them. Behind a ReLU this would not show, since nothing is negative
there; behind attention or a norm, half of everything is. The result then says \"at most zero\" for
short texts and the truth for long ones, and a classifier learns from the length of the text.

## Where to look

What does your code put in place of padding before it takes the maximum? Which numbers are larger
than that, and could a real one be smaller? Try the tokens −1 and −2 and one of padding.
",
    imitations: &[|case| {
        imitate(&Rules { max: Rule { padding: Padding::SetTo(0.0), ..LEFT_OUT }, ..RIGHT }, case)
    }],
    cuts: &[],
};
