//! No activation between the maps.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{Activation, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "activation-missing",
    task: "feed-forward",
    summary: "there is no activation between the two linear maps",
    page: "\
## What we saw

What comes out is the second map of the first: negative hidden numbers pass as they are, with ReLU
and with GELU alike. Doubling the input doubles what is not bias.

## Why it is wrong

Two linear maps in a row are a linear map: the wide layer between them buys nothing, and a stack of
such networks can only ever add up its inputs. The activation is what lets a network tell cases
apart. Nothing complains, the shapes are right, and the loss falls until attention alone can do no
more.

## Where to look

Write the formula of the documentation beside your lines and tick off each symbol. Then try a
hidden number of −1 on paper: what should be left of it?
",
    imitations: &[|case| imitate(&Rules { activation: Activation::Missing, ..RIGHT }, case)],
    cuts: &[],
};
