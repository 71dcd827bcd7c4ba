//! The public checks of the `attention` assignment, a file a task.

pub mod cases;
pub mod learned_position;
pub mod masked_pooling;
pub mod multi_head;
pub mod scaled_dot_product;
pub mod sinusoidal_position;

use crate::check::Check;

/// A task of the assignment, as a student knows it.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// `multi-head` and so on.
    pub id: &'static str,
    /// For a person.
    pub title: &'static str,
    /// The file to work in.
    pub file: &'static str,
    /// Its public checks, the simplest first.
    pub checks: &'static [Check],
}

/// The tasks in the order in which they build on one another.
pub const TASKS: &[Task] = &[
    Task {
        id: "scaled-dot-product",
        title: "Task 1: scaled dot-product attention",
        file: "src/attention.rs",
        checks: scaled_dot_product::CHECKS,
    },
    Task {
        id: "multi-head",
        title: "Task 2: multi-head attention",
        file: "src/multi_head.rs",
        checks: multi_head::CHECKS,
    },
    Task {
        id: "sinusoidal-position",
        title: "Task 3: sinusoidal positions",
        file: "src/position.rs",
        checks: sinusoidal_position::CHECKS,
    },
    Task {
        id: "learned-position",
        title: "Task 4: learned positions",
        file: "src/position.rs",
        checks: learned_position::CHECKS,
    },
    Task {
        id: "masked-pooling",
        title: "Task 5: masked pooling",
        file: "src/pooling.rs",
        checks: masked_pooling::CHECKS,
    },
];
