//! Values without a key, left out in silence.

use crate::suite::Mistake;
use crate::suite::attention::imitate::attention::{Misfit, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "misfit-sliced-away",
    task: "scaled-dot-product",
    summary: "more values than keys are cut off instead of refused",
    page: "\
## What we saw

If there are more values than keys, the values too many are left out, and the rest is answered as
if nothing had happened. Every question whose shapes fit is answered rightly.

## Why it is wrong

Each value belongs to a key: a sequence with more values than keys has been put together wrongly
somewhere, by an axis mixed up or by a padding that only one of the two got. The one who calls
your function has no other way of learning that than an error. An answer that is computed from a
part of what was handed in hides the mistake, and it comes to light much later, as a model that
does not learn well. Candle's own operations refuse shapes that do not fit, so it takes an
operation that slices or broadcasts to lose such an error.

## Where to look

Look for lines that cut a tensor to a length taken from another one. What would happen at that
place, if the line were not there and the lengths did not agree?
",
    imitations: &[|case| imitate(&Rules { misfit: Misfit::LeftOut, ..RIGHT }, case)],
    cuts: &[],
};
