//! Padding pooled where there is nothing else.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Nothing, RIGHT, Rule, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-mask-first-token",
    task: "masked-pooling",
    summary: "a sequence of padding alone is pooled to its first position",
    page: "\
## What we saw

Where every position of a sequence is padding, the pooling of the first token returns what stands
at position 0, which is padding as well. Every sequence with a real token is right, and so are
mean and maximum.

## Why it is wrong

The search for the first 1 in a row of zeros has to end somewhere, and usually it ends at 0:
`argmax` of equal numbers says the first place, `position` with a default says whatever the
default is. That answer is not wrong as an index, but it does not say that nothing was found. The
embedding of padding then passes for the meaning of an empty text. What a sequence without tokens
is pooled to is laid down in the documentation of the trait, alike for all three ways.

## Where to look

What does your search return for a mask of `[0, 0, 0]`, and how does it differ from what it
returns for `[1, 0, 0]`? If it does not, what else in your code could tell the two?
",
    imitations: &[|case| {
        imitate(
            &Rules { first: Rule { nothing: Nothing::FirstPosition, ..LEFT_OUT }, ..RIGHT },
            case,
        )
    }],
    cuts: &[],
};
