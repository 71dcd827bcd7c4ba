//! The hook is gone before it is called.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{Keeps, RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "hook-dropped-at-once",
    task: "capture",
    summary: "the handle is dropped before the epoch runs",
    page: "\
## What we saw

The epoch runs once, the module is called, and nothing is captured.

## Why it is wrong

A hook lives as long as the handle that `register` returns. A handle that nothing holds is dropped
at the end of its statement, and `let _ = …` holds nothing: the hook is taken off again before the
first call. The compiler warns of it where the result is not bound at all.

## Where to look

Find the line that registers the hook. Which variable holds the handle, and where does that variable
end?
",
    imitations: &[|case| imitate(&Rules { keeps: Keeps::Nothing, ..RIGHT }, case)],
    cuts: &[],
};
