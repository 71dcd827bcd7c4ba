//! Tasks whose questions have types, and the checks that follow from a task's description alone.
//!
//! An author declares what a component is constructed and called with ([`typed_input!`](crate::typed_input)), how
//! such inputs are drawn ([`TypedTask`]), and, hidden from students, the formula. The standard checks are derived:
//! [`checks`] has those that need no formula.
//!
//! ```text
//! Dims ─► draw ─► typed input ─► Case ─► the component
//!                      └─► formula over f64, error bounds, or a tape ─► expected outputs, tolerances, gradients
//! ```

pub mod checks;
mod dims;
mod draw;
mod input;
mod scalar;
mod task;
mod tensor;

pub use dims::{Dim, Dims, Shape, shapes};
pub use draw::Draw;
pub use input::Typed;
pub use scalar::{Scalar, sum};
pub use task::{Output, TypedTask};
pub use tensor::Tensor;
