//! The public checks of the `debugging` assignment, a file a task.

pub mod answers;
pub mod capture;
pub mod cases;
pub mod signatures;
pub mod statistics;

use encoder_checks::encoder_layer;
use softmark_checks::task::Task;

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "capture",
        title: "Task 1: capturing attention weights",
        file: "src/capture.rs",
        built_on: &[],
        checks: capture::CHECKS,
    },
    Task {
        id: "statistics",
        title: "Task 2: attention weights in numbers",
        file: "src/statistics.rs",
        built_on: &[],
        checks: statistics::CHECKS,
    },
    Task {
        id: "diagnosis",
        title: "Task 3: what is wrong with the buggy layer",
        file: "answers.toml",
        built_on: &[],
        checks: answers::DIAGNOSIS,
    },
    Task {
        id: "encoder-layer",
        title: "Task 4: the repaired layer",
        file: "src/layer.rs",
        built_on: &[],
        checks: encoder_layer::CHECKS,
    },
    Task {
        id: "detectors",
        title: "Task 5: detectors",
        file: "src/detectors.rs",
        built_on: &[],
        checks: &[],
    },
    Task {
        id: "patients",
        title: "Task 6: more patients",
        file: "answers.toml",
        built_on: &[],
        checks: answers::PATIENTS,
    },
];
