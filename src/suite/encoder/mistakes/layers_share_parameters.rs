//! One layer, used again and again.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Layers, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "layers-share-parameters",
    task: "encoder",
    summary: "all layers have the parameters of the first",
    page: "\
## What we saw

As many layers are run as the config says, but each with the parameters of `layers.0`; those of the
others are never asked for or never used.

## Why it is wrong

Models that share their layers exist, to save memory. Here each layer is to learn a step of its
own: the first might look at neighbours, the last at the whole sentence. With shared parameters the
stack has half of the capacity (a third, a quarter), and the count of parameters says so. It comes
of making one layer and using it in a loop, or of a name that does not change.

## Where to look

Which names does your constructor hand to `below`, one for each layer? Add up the parameters that
you ask for.
",
    imitations: &[|case| imitate(&Rules { layers: Layers::FirstForAll, ..RIGHT }, case)],
    cuts: &[],
};
