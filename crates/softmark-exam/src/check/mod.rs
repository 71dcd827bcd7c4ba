//! Engines of the hidden checks, which compare answers with an oracle.
//!
//! Invariant: the engines know no assignment. Questions and expected answers come from a suite.

mod against;
mod agreement;
mod checkpoint;
mod differences;
mod gradient;
mod hunt;
mod initial;
mod inside;
mod permutation;
mod plan;
mod predictions;
mod read_back;
mod training;
mod updated;
mod views;

pub use against::{
    Expected, Oracle, expected, expected_output, is_right, is_right_where, matches_oracle,
    matches_oracle_where,
};
pub use agreement::{Agreement, agreement};
pub use checkpoint::{Checkpoint, StoredTensor, read_tensors};
pub use differences::{Cotangents, gradients_by_output, numeric_gradients};
pub use gradient::{
    LossyOperations, Slopes, Trainable, depends_on_inputs, keeps_frozen, matches_gradients,
    matches_slopes,
};
pub use hunt::{Respond, Suspect, catches};
pub use inside::answer_inside;
pub use plan::{Initial, Plan};
pub use predictions::{Confused, Predictions};
pub use training::{Trained, count, measure, train, train_and_count};
pub use updated::{answers_again, follows_updates, with_parameters_of};
pub use views::same_on_views;
