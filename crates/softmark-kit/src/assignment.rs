//! What an assignment's crate hands over: which type implements which part.

use crate::attention::ScaledDotProductAttention;
use crate::multi_head::MultiHeadAttention;
use crate::pooling::MaskedPooling;
use crate::position::{LearnedPosition, SinusoidalPosition};

/// The parts of the `attention` assignment.
///
/// The provided `src/lib.rs` of the assignment implements it on a type called `Submission`, which
/// is how the checks find a student's types.
pub trait AttentionAssignment {
    /// Task 1.
    type ScaledDotProduct: ScaledDotProductAttention + 'static;
    /// Task 2.
    type MultiHead: MultiHeadAttention;
    /// Task 3.
    type Sinusoidal: SinusoidalPosition;
    /// Task 4.
    type Learned: LearnedPosition;
    /// Task 5.
    type Pooled: MaskedPooling;
}
