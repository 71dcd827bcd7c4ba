//! One table of weights for all heads.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Returned, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "weights-averaged-over-heads",
    task: "multi-head",
    summary: "the weights returned are averaged or summed over the heads",
    page: "\
## What we saw

The output is right. The weights are the mean over the heads, or their sum, where those of each
head are asked for, `[B, H, Tq, Tk]`. Mostly they come as `[B, Tq, Tk]` or `[B, 1, Tq, Tk]`, and
every check that looks at the weights stumbles over the shape.

## Why it is wrong

PyTorch's `MultiheadAttention` returns the mean unless told otherwise, so this may come from
there. Here the heads are wanted apart. That they look at different things is the point of having
several (section 3.2.2 of Vaswani et al. 2017: averaging inhibits this), and a mean hides it: two
heads, of which one looks only to the left and the other only to the right, look in the mean like
one that looks everywhere. The assignment on debugging searches heat maps of single heads for
bugs, and finds none in their mean.

## Where to look

What shape do the weights have that the attention inside returns, and what shape do you return?
What happened to the second axis in between? Then read the documentation of `AttentionOutput`.
",
    imitations: &[
        |case| imitate(&Rules { returned: Returned::Mean, ..RIGHT }, case),
        |case| imitate(&Rules { returned: Returned::MeanOnAnAxis, ..RIGHT }, case),
        |case| imitate(&Rules { returned: Returned::MeanForEach, ..RIGHT }, case),
        |case| imitate(&Rules { returned: Returned::Sum, ..RIGHT }, case),
        |case| imitate(&Rules { returned: Returned::SumOnAnAxis, ..RIGHT }, case),
    ],
    cuts: &[],
};
