//! The public checks of the `modern` assignment, and the questions that all of its checks ask.

mod causality;
pub mod copying;
pub mod inputs;
mod rotary;

use inputs::{DecoderBlock, GroupedQuery, RmsNorm, Rotary, SwiGlu};
use softmark_checks::{Check, Task, public_checks};

const ROTARY: &[Check] = &{
    let [shapes, batch] = public_checks!(Rotary, "rotary": shapes, batch_independence);
    [shapes, batch, rotary::KEEPS_LENGTH, rotary::RELATIVE]
};

const GROUPED_QUERY: &[Check] = &{
    let [parameters, shapes, batch] =
        public_checks!(GroupedQuery, "grouped-query": parameters, shapes, batch_independence);
    [parameters, shapes, batch, causality::CAUSALITY]
};

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "rms-norm",
        title: "Task 1: RMS norm",
        file: "src/norm.rs",
        built_on: &[],
        checks: &public_checks!(RmsNorm, "rms-norm": parameters, shapes, batch_independence),
    },
    Task {
        id: "swiglu",
        title: "Task 2: SwiGLU",
        file: "src/feed_forward.rs",
        built_on: &[],
        checks: &public_checks!(SwiGlu, "swiglu": parameters, shapes, batch_independence),
    },
    Task {
        id: "rotary",
        title: "Task 3: rotary positions",
        file: "src/rotary.rs",
        built_on: &[],
        checks: ROTARY,
    },
    Task {
        id: "grouped-query",
        title: "Task 4: grouped-query attention",
        file: "src/attention.rs",
        built_on: &["rotary"],
        checks: GROUPED_QUERY,
    },
    Task {
        id: "decoder-block",
        title: "Task 5: the decoder block",
        file: "src/block.rs",
        built_on: &["rms-norm", "swiglu", "rotary", "grouped-query"],
        checks: &public_checks!(
            DecoderBlock, "decoder-block": parameters, shapes, batch_independence, causality
        ),
    },
];
