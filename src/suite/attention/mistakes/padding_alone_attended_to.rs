//! A mask the wrong way round.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, Sees, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "padding-alone-attended-to",
    task: "classifier",
    summary: "the attention sees the padding and nothing else",
    page: "\
## What we saw

Texts without padding get what a text of padding should get: nothing is seen. With padding, every
query looks at the padding alone.

## Why it is wrong

In this course a mask says what may be looked at: 1 = real, 0 = padding. Other libraries say it
the other way round, with 1 for what is to be hidden, and much code that is copied between them
has this mistake. It does not fail: the shapes are right, the weights sum to one, and the loss may
even fall, since positions and the head can learn the frequencies of the classes. But no word of
the text ever reaches the head.

## Where to look

Take a text of two words and one padding, and write the three rows of the mask that you hand to
the attention. Which of the columns should be 0?
",
    imitations: &[|case| imitate(&Rules { sees: Sees::Padding, ..RIGHT }, case)],
    cuts: &[],
};
