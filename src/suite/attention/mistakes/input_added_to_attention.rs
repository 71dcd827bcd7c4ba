//! A residual connection that is not asked for.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "input-added-to-attention",
    task: "classifier",
    summary: "what goes into the attention is added to what comes out",
    page: "\
## What we saw

What is pooled is the sum of the attention's output and of the embedded tokens. Where the
attention gives little, the logits are those of a bag of words with positions.

## Why it is wrong

Encoder layers have such a connection, and there it is a good thing: it lets gradients pass by
many layers. The formula here has one attention and no connection, so that all that the head gets
has been attended to. It is a contract: weights that were trained with one formula give other
answers under the other. The sum is also easy to overlook, since the model trains as well as
before, and only a comparison of numbers shows it.

## Where to look

Between the attention and the pooling the formula has one line, and it is optional. What else
stands there in your `forward`?
",
    imitations: &[|case| imitate(&Rules { residual: true, ..RIGHT }, case)],
    cuts: &[],
};
