//! The hook is taken off on the ordinary way out alone.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Leaves, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hook-left-on-error",
    task: "capture",
    summary: "where the epoch fails, the hook stays on",
    page: "\
## What we saw

After an epoch that went well the hook is gone. After one that returned an error it is still there.

## Why it is wrong

A `?` leaves the function at once, and whatever was to be tidied up by hand after it never is. What
is dropped by itself goes on every way out.

## Where to look

Find the `?` between registering and taking off. What still holds the handle when it is taken?
",
    imitations: &[|case| imitate(&Rules { leaves: Leaves::OnError, ..RIGHT }, case)],
    cuts: &[],
};
