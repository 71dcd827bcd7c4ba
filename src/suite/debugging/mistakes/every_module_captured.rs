//! The hook is on every module.

use crate::suite::Mistake;
use crate::suite::debugging::imitate::capture::{RIGHT, Rules, imitate};

pub(super) const MISTAKE: Mistake = Mistake {
    id: "every-module-captured",
    task: "capture",
    summary: "calls of other modules are captured too",
    page: "\
## What we saw

Where only the module that was asked for is called, all is right. Where others are called in
between, their weights come back as well, mixed with those of the one.

## Why it is wrong

Layers are told apart by the names of their modules and by nothing else: the weights of all layers
have the same shape. Mixed, what is drawn as layer 0 is layer 1 at every second call, a head seems
to change its mind from batch to batch, and no number says that this is not one module.

## Where to look

Look at the name with which your hook is registered, at how many hooks there are, and at whether the
name of the module that is calling is looked at.
",
    imitations: &[|case| imitate(&Rules { both_modules: true, ..RIGHT }, case)],
    cuts: &[],
};
