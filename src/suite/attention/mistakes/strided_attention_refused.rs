//! Views that are refused.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{RIGHT, Rules, Strided, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "strided-attention-refused",
    task: "scaled-dot-product",
    summary: "inputs that are not contiguous in memory are refused",
    page: "\
## What we saw

Inputs that lie in memory as their shape says are answered rightly. Views, such as what is left
after heads were split off and two axes swapped, end in an error about memory that is not
contiguous.

## Why it is wrong

`transpose` and its like make no copy: they only note that the axes are walked through in another
order. Some operations of candle, its matrix product among them, ask for certain orders and return
an error for all others. Splitting heads leaves just such a view, so your function would work in
its own tests and fail inside multi-head attention, unless every caller knew to make copies first.
The one who needs a certain order should see to it.

## Where to look

Read the error: it names the operation and the strides of both sides. Which of your tensors comes
straight from outside and goes into that operation? In a test, take an input of shape `[B, T, H,
K]`, swap its two middle axes, and hand it in as it is.
",
    imitations: &[|case| imitate(&Rules { strided: Strided::Refused, ..RIGHT }, case)],
    cuts: &[],
};
