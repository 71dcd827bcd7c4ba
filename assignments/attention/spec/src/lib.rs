//! The specification of the `attention` assignment: a trait for each task.
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment.
//!
//! | task | component | trait |
//! |---|---|---|
//! | 1 | scaled dot-product attention | [`ScaledDotProductAttention`] |
//! | 2 | multi-head attention | [`MultiHeadAttention`] |
//! | 3 | sinusoidal positions | [`SinusoidalPosition`] |
//! | 4 | learned positions | [`LearnedPosition`] |
//! | 5 | pooling of a sequence into a vector | [`MaskedPooling`] |
//! | 6 | a text classifier built from all of these | [`AttentionClassifier`] |

#[doc(no_inline)]
pub use softmark_kit::*;

pub mod adapter;
pub mod assignment;
pub mod attention;
pub mod classifier;
pub mod multi_head;
pub mod pooling;
pub mod position;
pub mod prelude;
mod stand_in;

pub use assignment::{AttentionAssignment, AttentionPartsOf};
pub use attention::{AttentionOutput, ScaledDotProductAttention};
pub use classifier::{AttentionClassifier, AttentionParts, ClassifierConfig};
pub use multi_head::{AttentionConfig, MultiHeadAttention};
pub use pooling::{MaskedPooling, Pooling};
pub use position::{LearnedPosition, PositionConfig, SinusoidalPosition};
