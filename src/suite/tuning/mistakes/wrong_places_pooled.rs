//! The tokens' mask lies over the wrong places.

use crate::suite::Mistake;
use crate::suite::tuning::imitate::prefix::{Pools, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "wrong-places-pooled",
    task: "prefix",
    summary: "the first T places are pooled, at which the prefix stands",
    page: "\
## What we saw

Without a prefix all is right. With one, the mean runs over as many places as there are tokens, by
their mask, but from the first place on: over the prefix and, where it is short, some of the
tokens.

## Why it is wrong

Before the tokens there are now places that are none, and whatever is counted from the front is
off by as many. The shapes agree, since the mask is as long as what it is laid over. The head gets
mostly the prefix, which knows of the text only what it looked up; the last words go nowhere, and
with padding at the front of a text, padding is pooled in their stead.

## Where to look

At which place does the first token of a text stand when it comes out of the encoder? At which
does your mean begin?
",
    imitations: &[|case| imitate(&Rules { pools: Pools::WrongPlaces, ..RIGHT }, case)],
    cuts: &[],
};
