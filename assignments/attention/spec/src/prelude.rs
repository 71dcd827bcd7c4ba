//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::*;

pub use crate::{
    AttentionAssignment, AttentionClassifier, AttentionConfig, AttentionOutput, AttentionParts,
    AttentionPartsOf, ClassifierConfig, LearnedPosition, MaskedPooling, MultiHeadAttention,
    Pooling, PositionConfig, ScaledDotProductAttention, SinusoidalPosition,
};
