//! What is loaded is put into copies.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::checkpoint::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "loaded-into-copies",
    task: "checkpoint",
    summary: "what is loaded goes into copies, and the model's parameters stay what they were",
    page: "\
## What we saw

What fits is taken and what does not is refused, and the names of the classes are right. But after
loading a checkpoint that fits, every parameter of the model is what it was before.

## Why it is wrong

A model computes with its own variables, and they change only when they themselves are set. A copy
of a variable is another one: it has its own numbers, and whatever is done to it the model never
sees. A new entry in a map changes nothing either, for the layers hold what they were given when
they were made. The loader says that all went well, and the model goes on as if untuned.

## Where to look

Follow a tensor from the checkpoint to the place where it ends. Is that place one that the model
itself holds, or something that was made while loading and is dropped after it?
",
    imitations: &[|case| imitate(&Rules { sets_nothing: true, ..RIGHT }, case)],
    cuts: &[],
};
