//! A maximum over nothing.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Nothing, RIGHT, Rule, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "empty-mask-infinite",
    task: "masked-pooling",
    summary: "the maximum over padding alone is infinite or hugely negative",
    page: "\
## What we saw

Where every position of a sequence is padding, its maximum is minus infinity, or some hugely
negative number. Every sequence with a real token is right, and so are mean and first token.

## Why it is wrong

Padding is kept from winning by a number so small that everything real is larger. If nothing is
real, that number wins after all, and leaves the place where it was meant to stay. In the next
layer it is multiplied with weights of both signs: infinities of both signs meet and become `NaN`,
and one such example makes the loss of the whole batch useless. The maximum of nothing has no
natural value, so the documentation of the trait lays one down.

## Where to look

Work through your maximum for a mask of `[0, 0]`, on paper: which numbers are compared, and which
one is left? How would your code know, at the end, that there was nothing to compare?
",
    imitations: &[|case| {
        imitate(
            &Rules {
                max: Rule { nothing: Nothing::Number(f64::NEG_INFINITY), ..LEFT_OUT },
                ..RIGHT
            },
            case,
        )
    }],
    cuts: &[],
};
