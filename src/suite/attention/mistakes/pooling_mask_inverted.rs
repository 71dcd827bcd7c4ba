//! A mask read the wrong way round.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, Nothing, Padding, Rule, Rules, imitate};

const INVERTED: Rule = Rule { padding: Padding::Inverted, ..LEFT_OUT };

const INVERTED_AS_COMPUTED: Rule = Rule { nothing: Nothing::AsComputed, ..INVERTED };

pub(super) const MISTAKE: Mistake = Mistake {
    id: "pooling-mask-inverted",
    task: "masked-pooling",
    summary: "the mask is read the wrong way round: padding is pooled and tokens are left out",
    page: "\
## What we saw

With a mask, exactly the positions of padding are pooled, in all three ways, and a sequence
without padding is pooled to nothing. Without a mask everything is right.

## Why it is wrong

In this course 1 means \"real\" everywhere, as it does in the `attention_mask` of most tokenizers.
PyTorch's `key_padding_mask` means the opposite: there a `True` is padding. Both stand in code
that one likes to copy from, often in the same file. A model with its mask inverted learns from
whatever attention left at the positions of padding, which is a mixture of the real tokens and so
not even useless: it trains, to a middling accuracy, and the plainest sign is that texts without
padding fare worst.

## Where to look

What does your code do to the mask before it uses it? For a sequence `[1, 1, 0]`, how many tokens
should be counted, and how many does your code count?
",
    imitations: &[
        |case| imitate(&Rules { mean: INVERTED, max: INVERTED, first: INVERTED }, case),
        |case| {
            imitate(
                &Rules {
                    mean: INVERTED_AS_COMPUTED,
                    max: INVERTED_AS_COMPUTED,
                    first: INVERTED_AS_COMPUTED,
                },
                case,
            )
        },
    ],
    cuts: &[],
};
