//! Hidden numbers normed over the batch.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::feed_forward::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hidden-normed-over-batch",
    task: "feed-forward",
    summary: "hidden numbers are normed over all positions of the batch",
    page: "\
## What we saw

What comes out at one position hangs on all others of the batch: each hidden number has been
brought to mean 0 and variance 1 over them. A batch of one position gives the second map's bias and
nothing else.

## Why it is wrong

A norm over the batch is a habit from networks for pictures. Here the network is position-wise:
each token by itself, so that padding, other texts and the size of the batch have no say. With such
a norm a text gets another answer in other company, padding counts as much as words do, and a model
that is asked about a single text has nothing to norm over.

## Where to look

Which operation before or after the activation sums over positions? The formula has none. Try one
position alone.
",
    imitations: &[|case| imitate(&Rules { norms_over_batch: true, ..RIGHT }, case)],
    cuts: &[],
};
