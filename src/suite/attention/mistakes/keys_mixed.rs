//! Keys mixed in place of values.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Mixes, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "keys-mixed",
    task: "scaled-dot-product",
    summary: "the weights mix the keys, not the values",
    page: "\
## What we saw

The weights are right, and the output is the keys mixed with them. Other values make no difference
to anything, and not even too many of them are noticed. Where keys and values are the same tensor,
nothing shows.

## Why it is wrong

Attention is a soft look-up: the keys say where something is to be found, the values say what is
found there (section 3.2 of Vaswani et al. 2017). Multi-head attention projects the two apart for
just this reason. With keys in both places, `v_proj` has no part in the result and never learns,
and what is passed on is what was good for comparing.

## Where to look

Follow each of the three tensors that your function is given to the place where it is used. Which
of them is used twice, and which not at all? The compiler may have warned you of a variable that
is never read, or you may have put an underscore before a name to keep it quiet.
",
    imitations: &[|case| imitate(&Rules { mixes: Mixes::Keys, ..RIGHT }, case)],
    cuts: &[],
};
