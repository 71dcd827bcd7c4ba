//! Formulas of tasks, and what follows from them: expected outputs, tolerances, gradients, diagnostic cases and the
//! checks that compare with them.
//!
//! A formula is written once, over any [`Scalar`](softmark_checks::typed::Scalar). Over `f64` it gives the expected
//! outputs, over [`Bounded`] what rounding in `f32` can make of them, over [`Traced`] exact gradients.

mod bounded;
pub mod checks;
mod formula;
mod traced;

pub use bounded::Bounded;
pub use formula::{Derived, Formula, Named};
pub use traced::{Traced, gradients};

#[cfg(test)]
mod tests;
