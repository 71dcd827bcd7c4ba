//! The hook is never taken off.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Leaves, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hook-left-behind",
    task: "capture",
    summary: "the hook stays on when the epoch is over",
    page: "\
## What we saw

The captured weights are right. When the function has returned, its hook is still on the module.

## Why it is wrong

A hook that stays is called at every later call of the module as well. It goes on to use time and to
fill memory that nobody reads; the next capture finds two hooks on the module, the one after it
three; and whatever it refers to is never freed. Who measures the cost of watching will find that it
never ends.

## Where to look

A hook goes when its handle is dropped. Find out where yours ends up: in a list, in a `forget`, in
something that outlives the function?
",
    imitations: &[|case| imitate(&Rules { leaves: Leaves::Always, ..RIGHT }, case)],
    cuts: &[],
};
