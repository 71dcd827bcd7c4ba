//! Engines of the hidden checks: what holds an answer against an oracle.
//!
//! Invariant: knows no assignment. What is asked and what is right comes from a suite.

pub mod against;
pub mod gradient;
pub mod hunt;
pub mod inside;
pub mod training;
pub mod views;

pub use against::{Expected, Oracle, is_right, matches_oracle};
pub use gradient::{Cotangents, matches_gradients, matches_gradients_of, numeric_gradients};
pub use hunt::{Suspect, catches};
pub use inside::answer_inside;
pub use training::{Confused, Counted, Initial, Plan, train_and_count};
pub use views::same_on_views;
