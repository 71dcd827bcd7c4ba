//! The hook is on every module.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "every-module-captured",
    task: "capture",
    summary: "calls of other modules are captured too",
    page: "\
## What we saw

Where only the one module is called, all is right. Where another one is called in between, its
weights come back as well.

## Why it is wrong

Layers are told apart by their modules: mixed, the heat map of layer 0 is now and then that of layer
1, and nothing says when.

## Where to look

Look at the name with which the hook is registered, and at how many are.
",
    imitations: &[|case| imitate(&Rules { both_modules: true, ..RIGHT }, case)],
    cuts: &[],
};
