//! The specification of the assignment: a trait for each task.
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment.
//!
//! | task | component | trait |
//! |---|---|---|
//! | 1 | residual connection with a scale | [`ScaledResidual`] |

#[doc(no_inline)]
pub use softmark_kit::*;

pub mod adapter;
pub mod prelude;
pub mod residual;

pub use residual::ScaledResidual;

/// The components of the assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through which the
/// checks find a student's types.
pub trait Assignment: 'static {
    /// Component of task 1.
    type Residual: ScaledResidual + 'static;
}
