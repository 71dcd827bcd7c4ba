//! Attention over padding.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, Sees, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-attended-to",
    task: "classifier",
    summary: "the mask reaches the pooling but not the attention",
    page: "\
## What we saw

Texts without padding are right. With padding, other ids at places that are no text change the
logits, although the pooling leaves those places out.

## Why it is wrong

Masking at the end does not undo what was mixed before. Each real word has looked at the padding
by then, and carries a share of it into the mean. Short texts are mostly padding, so that they are
mostly changed; and by how much hangs on the longest text of the batch, which is chance. A text is
then classified one way alone and another way among longer ones, and no number looks suspicious.

## Where to look

The mask is needed in two places, and in two shapes. What do you hand to the attention as its
fourth argument? For which pairs of query and key is it 1?
",
    imitations: &[|case| imitate(&Rules { sees: Sees::All, ..RIGHT }, case)],
    cuts: &[],
};
