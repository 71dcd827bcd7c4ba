//! A row that is multiplied with.

use crate::suite::Mistake;
use crate::suite::attention::imitate::position::{Combine, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "learned-multiplied",
    task: "learned-position",
    summary: "the input is multiplied with its row of the table instead of added to it",
    page: "\
## What we saw

The output is the input times its row of the table. Zeros stay zeros whatever the table says, and
a table of zeros makes everything zero, where it should change nothing.

## Why it is wrong

At the start of training the table holds small numbers around zero. Multiplied with them, the
tokens all but vanish, and what is left has a random sign in each channel: the model has to learn
the table before it can see a word. A sum keeps the token whole, and adds the position beside it
(section 3.5 of Vaswani et al. 2017 says \"sum\", for both kinds of encoding). The gradient at the
table is another one as well: it depends on the tokens that happen to stand there.

## Where to look

Hold the operation that brings table and input together against the formula in the documentation
of LearnedPosition. A table of zeros in a test tells the two apart at once: what should come out?
",
    imitations: &[|case| imitate(&Rules { combine: Combine::Multiply, ..RIGHT }, case)],
    cuts: &[],
};
