//! The public checks of the `modern` assignment, a file a task.

pub mod copying;

use softmark_checks::task::Task;

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "rms-norm",
        title: "Task 1: RMS norm",
        file: "src/norm.rs",
        built_on: &[],
        checks: &[],
    },
    Task {
        id: "swiglu",
        title: "Task 2: SwiGLU",
        file: "src/feed_forward.rs",
        built_on: &[],
        checks: &[],
    },
    Task {
        id: "rotary",
        title: "Task 3: rotary positions",
        file: "src/rotary.rs",
        built_on: &[],
        checks: &[],
    },
    Task {
        id: "grouped-query",
        title: "Task 4: grouped-query attention",
        file: "src/attention.rs",
        built_on: &["rotary"],
        checks: &[],
    },
    Task {
        id: "decoder-block",
        title: "Task 5: the decoder block",
        file: "src/block.rs",
        built_on: &["rms-norm", "swiglu", "rotary", "grouped-query"],
        checks: &[],
    },
];
