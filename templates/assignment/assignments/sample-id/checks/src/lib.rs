//! The public checks of the assignment, and the questions that all of its checks ask.

pub mod residual;

use softmark_checks::{Check, Task, public_checks};

use residual::ScaledResidual;

const SCALED_RESIDUAL: &[Check] = &{
    let [parameters, shapes, batch] = public_checks!(
        ScaledResidual, "scaled-residual": parameters, shapes, batch_independence
    );
    [parameters, shapes, batch, residual::ZERO_SCALE]
};

/// Tasks of the assignment, in the order in which they build on one another.
pub const TASKS: &[Task] = &[Task {
    id: "scaled-residual",
    title: "Task 1: scaled residual",
    file: "src/residual.rs",
    built_on: &[],
    checks: SCALED_RESIDUAL,
}];
