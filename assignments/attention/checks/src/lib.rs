//! The public checks of the `attention` assignment, a file a task.

pub mod attended;
pub mod cases;
pub mod classifier;
pub mod classifier_cases;
pub mod fixed;
pub mod learned_position;
pub mod masked_pooling;
pub mod multi_head;
pub mod scaled_dot_product;
pub mod signatures;
pub mod sinusoidal_position;

use softmark_checks::task::Task;

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "scaled-dot-product",
        title: "Task 1: scaled dot-product attention",
        file: "src/attention.rs",
        built_on: &[],
        checks: scaled_dot_product::CHECKS,
    },
    Task {
        id: "multi-head",
        title: "Task 2: multi-head attention",
        file: "src/multi_head.rs",
        built_on: &["scaled-dot-product"],
        checks: multi_head::CHECKS,
    },
    Task {
        id: "sinusoidal-position",
        title: "Task 3: sinusoidal positions",
        file: "src/position.rs",
        built_on: &[],
        checks: sinusoidal_position::CHECKS,
    },
    Task {
        id: "learned-position",
        title: "Task 4: learned positions",
        file: "src/position.rs",
        built_on: &[],
        checks: learned_position::CHECKS,
    },
    Task {
        id: "masked-pooling",
        title: "Task 5: masked pooling",
        file: "src/pooling.rs",
        built_on: &[],
        checks: masked_pooling::CHECKS,
    },
    Task {
        id: "classifier",
        title: "Task 6: the classifier",
        file: "src/classifier.rs",
        built_on: &["scaled-dot-product", "multi-head", "learned-position", "masked-pooling"],
        checks: classifier::CHECKS,
    },
];
