//! A pre-norm layer that ends in a norm.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layer-ends-in-norm",
    task: "encoder-layer",
    summary: "a pre-norm layer norms its output once more",
    page: "\
## What we saw

Post-norm layers are right. A pre-norm layer gives what it should, and then puts it through a norm
again: with silent sublayers it is a norm and not the identity.

## Why it is wrong

In a pre-norm stack nothing lies on the road from layer to layer; one norm at the very end of the
encoder brings what has added up to one size. A norm at the end of every layer puts the road
through all of them, and takes from the stack what pre-norm was invented for.

## Where to look

How many norms does the pre-norm formula have, and how many does yours? Where does the final one
belong: to the layer or to the encoder?
",
    imitations: &[|case| imitate(&Rules { ends_in_norm: true, ..RIGHT }, case)],
    cuts: &[],
};
