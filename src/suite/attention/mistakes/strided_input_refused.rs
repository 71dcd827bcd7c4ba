//! Views that are refused.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, RIGHT, Rule, Rules, imitate};

const REFUSED: Rule = Rule { refuses_strided: true, ..LEFT_OUT };

pub(super) const MISTAKE: Mistake = Mistake {
    id: "strided-input-refused",
    task: "masked-pooling",
    summary: "inputs that are not contiguous in memory are refused",
    page: "\
## What we saw

An input that lies in memory as its shape says is pooled rightly. A view, such as a slice of the
channels of a larger tensor, ends in an error about memory that is not contiguous, in some or all
of the three ways.

## Why it is wrong

`narrow`, `transpose` and their like make no copy: they note how the memory is to be walked
through. Most operations of candle mind that; `gather` and a few others ask for plain memory and
return an error for anything else. What a function is handed is up to its caller: the output of a
layer may well be half of a larger tensor, or one whose axes were swapped. A part that works with
some tensors and not with others of the same shape and numbers is a trap for whoever uses it.

## Where to look

Read the error: it names the operation. Which of its arguments comes from outside, unchanged? In a
test, make `x` twice as wide as needed, cut the first half out with `narrow`, and pool that.
",
    imitations: &[
        |case| imitate(&Rules { first: REFUSED, ..RIGHT }, case),
        |case| imitate(&Rules { mean: REFUSED, max: REFUSED, first: REFUSED }, case),
    ],
    cuts: &[],
};
