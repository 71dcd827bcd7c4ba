//! A mask that no way of pooling looks at.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Nothing, Padding, Rule, Rules, imitate};

/// Padding is taken for tokens, and a sequence of it is no special case.
const IGNORED: Rule = Rule { padding: Padding::Included, nothing: Nothing::AsComputed, ..LEFT_OUT };

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooling-ignores-mask",
    task: "masked-pooling",
    summary: "the mask makes no difference, to none of the three ways of pooling",
    page: "\
## What we saw

Mean, maximum and first token are the same with and without a mask: all positions count, whether
real or padding. Sequences without padding are right.

## Why it is wrong

Texts have different lengths, and a batch is a rectangle: what it is filled up with is no text.
The mask is all that tells the two apart, and pooling is the last place where it matters, for
behind it there are no positions any more. If it is not used, a short text is mostly padding, its
vector depends on the longest text of its batch, and what was true in training is not in use,
where texts come one by one.

## Where to look

Where does `mask` occur in your code, other than in the signature? For each of the three ways, say
what a position that does not count should do to a sum, to a count, to a maximum, and to the
search for the first token: four questions with four answers.
",
    imitations: &[|case| imitate(&Rules { mean: IGNORED, max: IGNORED, first: IGNORED }, case)],
    cuts: &[],
};
