//! Position 0, whether real or not.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{
    LEFT_OUT, Nothing, Padding, RIGHT, Rule, Rules, imitate,
};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "first-ignores-mask",
    task: "masked-pooling",
    summary: "the first position is taken, even where it is padding",
    page: "\
## What we saw

The pooling of the first token returns position 0, whatever the mask says. Where padding stands at
the end of a sequence, position 0 is real and everything is right; where it stands at the
beginning, padding is returned.

## Why it is wrong

Both sides are in use. Padding at the end is what most tokenizers do, and BERT's `[CLS]` stands at
position 0 for that reason. Padding at the beginning is what models that go on writing need, so
that all sequences end at the same place. The mask says which it is, and code that reads it works
for both. Without, the pooling of every short sequence is the embedding of padding, one and the
same vector for all of them.

## Where to look

Does `mask` occur in your code for this way of pooling? What should come out for the mask `[0, 1,
1]`? How can the place of the first 1 be found for all sequences of a batch at once?
",
    imitations: &[
        |case| {
            imitate(
                &Rules { first: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT },
                case,
            )
        },
        |case| {
            imitate(
                &Rules {
                    first: Rule {
                        padding: Padding::Included,
                        nothing: Nothing::AsComputed,
                        ..LEFT_OUT
                    },
                    ..RIGHT
                },
                case,
            )
        },
    ],
    cuts: &[],
};
