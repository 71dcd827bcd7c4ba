//! Each norm stands in the place of the other.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::layer::{Names, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "norms-swapped",
    task: "encoder-layer",
    summary: "each of the two norms is used in the place of the other",
    page: "\
## What we saw

Where the two norms have the same weights all is right, as it is when training begins. Where they
differ, each of them stands in the other's place: both are used, and both once.

## Why it is wrong

Which norm stands where is a matter of names, and a model that is trained with your code alone
never notices: it learns with the names swapped. But a checkpoint is a contract about names. Weights
from somewhere else, or from a corrected version of this code, put the attention's norm before the
network and the network's before the attention, and the model answers without a word of warning.

## Where to look

Under which name does the constructor ask for each of the two, and which field does each of the two
places call? Read both beside the formula.
",
    imitations: &[|case| imitate(&Rules { names: Names::Swapped, ..RIGHT }, case)],
    cuts: &[],
};
