//! Another spelling is looked up.

use crate::suite::Mistake;
use crate::suite::encoder::imitate::glove::{RIGHT, Rules, Spelling, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "spelling-looked-up",
    task: "glove",
    summary: "words are looked up in one spelling only",
    page: "\
## What we saw

Words in lower case are right. Words with capitals are looked up as they are written alone, or in
lower case alone, and get no vector or another word's.

## Why it is wrong

Published vectors differ: some files know only lower case, others tell `May` from `may`. Looking up
as written first and in lower case second serves both. Without the second step, every word at the
beginning of a sentence is missing; without the first, names take the vectors of common words, and
the coverage looks better than it is.

## Where to look

Which spellings does your lookup try, and in which order? What happens with a word that the file
has in both?
",
    imitations: &[
        |case| imitate(&Rules { spelling: Spelling::Written, ..RIGHT }, case),
        |case| imitate(&Rules { spelling: Spelling::Lower, ..RIGHT }, case),
    ],
    cuts: &[],
};
