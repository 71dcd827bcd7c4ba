//! The mask is guessed.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "mask-made-of-ids",
    task: "encoder",
    summary: "the layers get a mask made of the ids instead of the one handed in",
    page: "\
## What we saw

Where padding has id 0 and nothing else has, all is right. Where the mask says otherwise, the
layers follow the ids: another id at a hidden place is seen.

## Why it is wrong

Whoever hands in a mask may have reasons that ids do not show: a word hidden on purpose, a text cut
short, a tokenizer whose padding has another id. Guessing what is already known makes two sources
of one truth, and they part sooner or later. Here a check put other ids at hidden places, and real
tokens noticed.

## Where to look

Where does the mask that your layers get come from? Is the argument of `forward` used at all?
",
    imitations: &[|case| imitate(&Rules { mask_of_ids: true, ..RIGHT }, case)],
    cuts: &[],
};
