//! The head has no norm.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Step, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "head-norm-missing",
    task: "partial",
    summary: "the head leaves its norm out",
    page: "\
## What we saw

Between its two maps the head has ReLU and dropout, and no norm: what the first map gives goes to
ReLU as it is.

## Why it is wrong

The head is made anew, of random numbers, over an encoder whose outputs have a size of their own.
The norm brings what the first map gives to one size, text by text, so that the last map begins
with inputs that it can use, whatever the encoder, and ReLU cuts about half of them off and not
all or none. Without it the head still learns, with a learning rate that has to be found anew for
each encoder. The checkpoint lacks two parameters as well.

## Where to look

Count the operations of the third line of the formula, and then your own. Which row of the table
of parameters does nothing ask for, or nothing use?
",
    imitations: &[|case| imitate(&Rules { head: &[Step::Relu, Step::Dropout], ..RIGHT }, case)],
    cuts: &[],
};
