//! Known mistakes.

use softmark_exam::Mistake;

pub(crate) fn mistakes() -> Vec<Mistake> {
    Vec::new()
}
