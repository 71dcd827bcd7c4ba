//! The parameters from before the best epoch are kept.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::steps::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "epoch-before-the-best-kept",
    task: "loop",
    summary: "what is put back is from before the best epoch's steps",
    page: "\
## What we saw

The best epoch is reported rightly. The parameters at the end are those with which it began and
not those with which it ended.

## Why it is wrong

A validation loss is measured with the parameters that there are at that moment: after the epoch's
steps. Whoever takes the copy before the steps, and keeps it when the loss turns out to be low,
keeps a model whose loss was never measured that time; it is the one of the epoch before. Where
the first epoch is the best, the whole training is thrown away, and the model that comes out has
never learned.

## Where to look

Number what happens in an epoch: the steps, the look at the validation loss, the copy. In which
order do they come, and to which moment does the loss belong?
",
    imitations: &[|case| imitate(&Rules { ends: Ends::BeforeBest, ..RIGHT }, case)],
    cuts: &[],
};
