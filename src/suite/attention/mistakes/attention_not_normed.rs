//! A norm that is never applied.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{Norm, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "attention-not-normed",
    task: "classifier",
    summary: "the config asks for a norm after the attention and gets none",
    page: "\
## What we saw

Where the config has `norm: false` everything is right. Where it is true, the logits are the same
as without it, and the two parameters of the norm have no part in them.

## Why it is wrong

A switch that does nothing is worse than none: whoever compares the model with and without the
norm measures twice the same thing and concludes that norms do not matter. Files of weights that
were saved with the norm load, since what is not asked for is ignored, and the model answers
wrongly without a word. The norm is what keeps the size of what the head gets steady while the
attention below changes, and so allows larger steps.

## Where to look

Search for `norm` in your `new` and in your `forward`. What happens in each where the config says
that there is one?
",
    imitations: &[|case| imitate(&Rules { norm: Norm::Missing, ..RIGHT }, case)],
    cuts: &[],
};
