//! The last real token.

use crate::suite::Mistake;
use crate::suite::attention::imitate::pooling::{LEFT_OUT, RIGHT, Rule, Rules, Token, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "last-instead-of-first",
    task: "masked-pooling",
    summary: "the last real token is taken instead of the first",
    page: "\
## What we saw

The pooling of the first token returns the last real one. The mask is minded. Sequences with a
single real token are right, and so are mean and maximum.

## Why it is wrong

In a model that reads from left to right, such as a recurrent one or a GPT, the last token is the
only one that has seen the whole text, and it is the one to take. In an encoder every token sees
every other, so the place is a convention, and the convention since BERT is a token at the front,
made for the purpose, to which the classifier above is trained. The last token is a full stop in
most texts, and stands at another position in each: what it carries is what full stops carry.

## Where to look

What does your search go through the mask for: the first 1, or the largest index that has one? Try
the mask `[0, 1, 1]`: where are the first and the last, and which one comes out?
",
    imitations: &[|case| {
        imitate(&Rules { first: Rule { token: Token::Last, ..LEFT_OUT }, ..RIGHT }, case)
    }],
    cuts: &[],
};
