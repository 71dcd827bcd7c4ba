//! Coverage of something else.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "coverage-miscounted",
    task: "glove",
    summary: "coverage counts lines of the file, or padding as a word",
    page: "\
## What we saw

The table is right. The counts beside it are not: lines of the file are counted instead of words of
the vocabulary, or padding is among the missing words.

## Why it is wrong

Coverage is the number that one looks at to see whether a file of vectors fits a vocabulary: at
ninety percent all is well, at forty the tokenizer splits words in another way than whoever made
the file. Counted along the file it is millions, whatever the vocabulary, and says nothing. A count
that includes padding is off by one, which is little and still wrong.

## Where to look

Which loop does your counter stand in, and what does it run over?
",
    imitations: &[
        |case| imitate(&Rules { counts_lines: true, ..RIGHT }, case),
        |case| imitate(&Rules { counts_padding: true, ..RIGHT }, case),
    ],
    cuts: &[],
};
