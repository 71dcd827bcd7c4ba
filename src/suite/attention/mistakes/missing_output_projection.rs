//! No last projection.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "missing-output-projection",
    task: "multi-head",
    summary: "the merged heads are returned without the last projection",
    page: "\
## What we saw

The output is the heads side by side, just as attention gives them: `out_proj` has no part in it.
Raising its bias, which should raise every output, changes nothing. The weights are right. Whether
its parameters are asked for in `new` or not, the result is the same.

## Why it is wrong

The heads work apart from one another, each on its own channels. The last projection is the only
place in the layer where they meet: without it, channel 0 of the output knows what head 0 found
and nothing else. In the formula of section 3.2.2 of Vaswani et al. 2017 it is the matrix `W^O`.
Parameters that are made and never used are also never trained, and a checkpoint that has them
loads without complaint.

## Where to look

Count the projections in the formula, in your struct, in `new`, and in `attend`. In which of them
are there three? What happens between merging the heads and returning?
",
    imitations: &[|case| {
        imitate(
            &Rules { projections: [Some("q_proj"), Some("k_proj"), Some("v_proj"), None], ..RIGHT },
            case,
        )
    }],
    cuts: &[],
};
