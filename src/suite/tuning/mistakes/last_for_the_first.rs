//! The last token stands for the text.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::partial::{RIGHT, Rules, Token, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-for-the-first",
    task: "partial",
    summary: "the head gets the last place or the last real token, and not the first",
    page: "\
## What we saw

Texts of one token are right. For longer ones the head gets what the encoder gives at the last
place, or at the last real token, where the first is due.

## Why it is wrong

A model that reads from left to right knows all of a text at its end, and there one takes the last
token. An encoder of the BERT family looks both ways, and was pretrained to sum a text up in its
first token. The last real one is usually a full stop or a separator; and the last place of a
batch is padding in all but the longest texts, so that the head classifies fillings.

## Where to look

Which index along the second axis do you take? For a text of two words in a row of four places,
what stands there?
",
    imitations: &[
        |case| imitate(&Rules { token: Token::Last, ..RIGHT }, case),
        |case| imitate(&Rules { token: Token::LastReal, ..RIGHT }, case),
    ],
    cuts: &[],
};
