//! A norm at the end of post-norm stacks.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::encoder::{Ends, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "final-norm-always",
    task: "encoder",
    summary: "a post-norm encoder asks for a final norm that it does not have",
    page: "\
## What we saw

Pre-norm encoders are right. A post-norm encoder asks for `norm.weight` and `norm.bias`, and there
are none: it cannot be made.

## Why it is wrong

The last thing that a post-norm layer does is to norm. One more norm after it changes little, which
is why it goes unnoticed in one's own training, but the encoder then has parameters that no other
program's checkpoint has, and loading fails. The names and shapes of parameters are part of what a
model is.

## Where to look

On which field of the config does the final norm hang in the documentation, and on what in your
constructor?
",
    imitations: &[|case| imitate(&Rules { ends: Ends::Always, ..RIGHT }, case)],
    cuts: &[],
};
