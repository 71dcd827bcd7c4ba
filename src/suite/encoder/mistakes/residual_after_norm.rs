//! The residual is taken after the norm.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Base, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "residual-after-norm",
    task: "encoder-layer",
    summary: "a pre-norm layer adds the normed tokens instead of the tokens",
    page: "\
## What we saw

Post-norm layers are right. In pre-norm layers, a sublayer's output is added to what the norm made
of the stream, so that a layer with silent sublayers is a norm instead of the identity.

## Why it is wrong

Pre-norm was proposed so that there is a road from the first layer to the last on which nothing
happens: no norm, no map. Where the norm lies on that road, each layer rescales everything that
came before it, and what was learned about step sizes and warm-up for pre-norm layers does not
hold. It comes of writing the norm's result into the variable that is then added.

## Where to look

Is the tensor that your sum adds the one before or the one after the norm? Try a layer whose
sublayers give zeros.
",
    imitations: &[
        |case| imitate(&Rules { bases: [Base::Normed, Base::Normed], ..RIGHT }, case),
        |case| imitate(&Rules { bases: [Base::Normed, Base::Stream], ..RIGHT }, case),
        |case| imitate(&Rules { bases: [Base::Stream, Base::Normed], ..RIGHT }, case),
    ],
    cuts: &[],
};
