//! No norm at the end.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "final-norm-missing",
    task: "encoder",
    summary: "a pre-norm encoder does not end in a norm, or has it in the wrong place",
    page: "\
## What we saw

Post-norm encoders are right. A pre-norm encoder gives what its last layer gives, without the norm
at the end (or with that norm before the first layer).

## Why it is wrong

In a pre-norm stack nothing on the road from the embedding to the end is ever normed: each layer
adds, and the sum grows with the depth. The norm at the end brings it to one size for whatever
comes next. Without it a classifier's head sees numbers whose size hangs on the number of layers,
and trains badly; with post-norm layers it is not needed, for the last of them ends in one.

## Where to look

Read what Xiong et al. say of the last layer, and the last line of the formula: what does it do in
which case?
",
    imitations: &[
        |case| imitate(&Rules { ends: Ends::Never, ..RIGHT }, case),
        |case| imitate(&Rules { ends: Ends::First, ..RIGHT }, case),
    ],
    cuts: &[],
};
