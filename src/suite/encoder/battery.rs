//! The questions that tell the mistakes of the assignment apart.

use crate::suite::Question;

/// The questions of a task.
pub(super) fn battery(_task: &str) -> Vec<Question> {
    Vec::new()
}
