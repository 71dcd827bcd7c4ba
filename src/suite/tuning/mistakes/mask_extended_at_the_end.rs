//! The prefix's ones stand at the wrong end of the mask.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, Seen, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-extended-at-the-end",
    task: "prefix",
    summary: "the prefix stands first, and its ones stand at the end of the mask",
    page: "\
## What we saw

Without padding all is right. With padding, other ids at padding change the logits, and a vector
of the prefix can be changed without any effect: the mask has the right length, and its ones for
the prefix stand at the end.

## Why it is wrong

Vectors and mask are read place by place. Here the texts' own bits lie over the prefix, so that a
text with padding hides part of what you train; and the padding lies under the ones and is looked
at by all. The shapes agree, no error comes, and the longest text of a batch, which has no
padding, is right each time.

## Where to look

Two tensors are put together from two pieces each. Read the order of the pieces aloud, for one and
for the other.
",
    imitations: &[|case| imitate(&Rules { seen: Seen::OtherEnd, ..RIGHT }, case)],
    cuts: &[],
};
