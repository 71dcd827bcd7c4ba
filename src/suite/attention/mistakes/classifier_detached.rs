//! A graph that ends below the head.

use crate::suite::Mistake;
use crate::suite::attention::imitate::classifier::{RIGHT, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "classifier-detached",
    task: "classifier",
    summary: "no gradient arrives at what lies below some point of the classifier",
    page: "\
## What we saw

Every number that comes out is right. But gradients end on the way: nothing arrives at the token
embedding, or at anything below the head.

## Why it is wrong

What no gradient reaches stays at the random numbers that it began with. The head alone can still
learn something from random features, so that the loss falls for a while and accuracy is better
than a guess, and nothing reports that most of the model stands still. In candle a tensor loses
its history by `detach`, by being made anew from plain numbers, such as those that `to_vec2`
gives, and by operations that have no way back, `candle_nn::LayerNorm` on contiguous inputs and
`candle_nn::ops::softmax_last_dim` among them.

## Where to look

Go backwards from the logits. After each step, would candle know how to undo it? Sum the logits,
call `backward`, and see for which parameters the store has something.
",
    imitations: &[|case| imitate(&RIGHT, case)],
    cuts: &[
        |_, _, to| to == "token_embedding.weight",
        |_, _, to| !to.starts_with("classifier."),
        |_, _, to| !to.starts_with("classifier.") && !to.starts_with("norm."),
    ],
};
