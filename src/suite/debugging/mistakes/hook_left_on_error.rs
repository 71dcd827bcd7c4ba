//! The hook is taken off on the ordinary way out alone.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Leaves, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hook-left-on-error",
    task: "capture",
    summary: "where the epoch fails, the hook stays on",
    page: "\
## What we saw

After an epoch that went well the hook is gone. After one that returned an error it is still on the
module.

## Why it is wrong

A `?` leaves the function at once, and whatever was to be tidied up by hand further down never is.
Errors are not rare in training: a batch that does not fit, memory that is short, a key pressed.
After each of them one more hook is left, which is called from then on. What goes by being dropped
goes on every way out of a function, and that is why it is preferred.

## Where to look

Find the `?` between registering the hook and taking it off. What still holds the handle when that
way is taken?
",
    imitations: &[|case| imitate(&Rules { leaves: Leaves::OnError, ..RIGHT }, case)],
    cuts: &[],
};
