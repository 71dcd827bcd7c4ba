//! Keys made from the value, and values from the key.

use crate::suite::Mistake;
use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, Sources, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "key-value-swapped",
    task: "multi-head",
    summary: "keys are made from the value that is handed in, and values from the key",
    page: "\
## What we saw

With the same tensor for key and value, everything is right. With two different ones, the result is
that of a call in which the two are exchanged: the value goes through `k_proj`, and the key through
`v_proj`.

## Why it is wrong

The key decides how much each place counts, and the value what it adds (section 3.2 of Vaswani et
al. 2017). Exchanged, a query is compared with what should be mixed, and gets what it should be
compared with. As long as both come from one sequence nothing shows; with trained keys and values,
as in prefix tuning, every result is another one.

## Where to look

Follow each of the parameters of `attend` by its place in the signature, and not by its name, to the
projection that it goes through. Try a call whose key and value differ.
",
    imitations: &[|case| imitate(&Rules { sources: Sources::Swapped, ..RIGHT }, case)],
    cuts: &[],
};
