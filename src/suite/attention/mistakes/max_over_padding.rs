//! A maximum in which padding takes part.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{
    LEFT_OUT, Nothing, Padding, RIGHT, Rule, Rules, imitate,
};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "max-over-padding",
    task: "masked-pooling",
    summary: "padding takes part in the maximum",
    page: "\
## What we saw

The maximum is taken over all positions, padding included. Wherever padding has a number larger
than all real ones, that number is the result. Where it has not, everything is right, which is why
some inputs show nothing. Mean and first token are right.

## Why it is wrong

A maximum takes one number from each channel, so a single position of padding is enough to change
it, and with random numbers it does so the more often, the more padding there is: in a short text
among long ones nearly always. Two texts of the same words are then pooled to something else,
depending on the batch that they are in. After attention, padding does not hold zeros but whatever
was computed for it.

## Where to look

Does the mask have any part in your maximum? Try two tokens, the second of them padding, with
numbers 1 and 9, and then with 1 and −9.
",
    imitations: &[
        |case| {
            imitate(&Rules { max: Rule { padding: Padding::Included, ..LEFT_OUT }, ..RIGHT }, case)
        },
        |case| {
            imitate(
                &Rules {
                    max: Rule {
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
