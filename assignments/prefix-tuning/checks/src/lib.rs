//! The public checks of the `prefix-tuning` assignment, a file a task.

pub mod cases;
pub mod checkpoint;
pub mod partial;
pub mod prefix;
pub mod signatures;
pub mod steps;

use softmark_checks::task::Task;

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "prefix",
        title: "Task 1: tuning a prefix",
        file: "src/prefix.rs",
        built_on: &[],
        checks: prefix::CHECKS,
    },
    Task {
        id: "partial",
        title: "Task 2: tuning the last layers",
        file: "src/partial.rs",
        built_on: &[],
        checks: partial::CHECKS,
    },
    Task {
        id: "loop",
        title: "Task 3: the loop",
        file: "src/steps.rs",
        built_on: &[],
        checks: steps::CHECKS,
    },
    Task {
        id: "checkpoint",
        title: "Task 4: saving what was tuned",
        file: "src/checkpoint.rs",
        built_on: &[],
        checks: checkpoint::CHECKS,
    },
];
