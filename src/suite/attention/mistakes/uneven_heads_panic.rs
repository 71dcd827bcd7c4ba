//! A panic where heads do not divide the width.

use crate::suite::attention::imitate::multi_head::{RIGHT, Rules, imitate};
use crate::suite::{Given, Mistake};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "uneven-heads-panic",
    task: "multi-head",
    summary: "heads that do not divide the width end in a panic instead of an error",
    page: "\
## What we saw

A model whose width the heads do not divide, such as 5 channels for 2 heads, panics: at once in
`new`, or only when it is first used. Every width that the heads do divide is right.

## Why it is wrong

A wrong configuration is no bug in the program but something that its user typed, and the user
should learn of it in words. In Rust that is what `Result` is for: the signature of `new` promises
an error for what cannot be built. A panic breaks the promise: a search over configurations ends
with the first bad one instead of going on to the next, and a server with the first bad request.
An `unwrap`, an `expect`, an assertion and a division by zero are all the same in this.

## Where to look

Where does your code first find out that the division leaves a remainder: in `new`, or only later,
where some shape does not fit? What does it do about it there? And what about no heads at all?
",
    imitations: &[|case| imitate(&Rules { uneven: Given::Panicked, ..RIGHT }, case)],
    cuts: &[],
};
