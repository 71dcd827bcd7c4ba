//! The tokens stand at later positions.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "tokens-shifted",
    task: "prefix",
    summary: "the tokens get the positions that come after the prefix",
    page: "\
## What we saw

Without a prefix all is right. With a prefix of `P` vectors, the first token gets row `P` of the
table of positions in place of its first row, and all others are shifted with it.

## Why it is wrong

The encoder was pretrained on texts that begin at the first row; what it knows of first words and
of words near the start, it knows of those rows. With a long prefix the tokens come to rows that
it has seldom seen. And the table has an end: a text that just fits it without a prefix no longer
does, and the encoder refuses it. A prefix has no position, and takes none away.

## Where to look

What does the documentation say of the tokens' positions? In an encoder without layers, do the
logits change with the length of the prefix?
",
    imitations: &[|case| imitate(&Rules { shifts: true, ..RIGHT }, case)],
    cuts: &[],
};
