//! Interface of the `attention` assignment's crate, and the construction of its components.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use candle_core::Result;
use candle_nn::VarBuilder;

use crate::attention::ScaledDotProductAttention;
use crate::classifier::{AttentionClassifier, AttentionParts};
use crate::multi_head::{AttentionConfig, MultiHeadAttention};
use crate::pooling::{MaskedPooling, Pooling};
use crate::position::{LearnedPosition, PositionConfig, SinusoidalPosition};

/// The components of the `attention` assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through
/// which the checks find a student's types.
pub trait AttentionAssignment {
    /// Component of task 1.
    type ScaledDotProduct: ScaledDotProductAttention + 'static;
    /// Component of task 2.
    type MultiHead: MultiHeadAttention + 'static;
    /// Component of task 3.
    type Sinusoidal: SinusoidalPosition;
    /// Component of task 4.
    type Learned: LearnedPosition + 'static;
    /// Component of task 5.
    type Pooled: MaskedPooling + 'static;
    /// Component of task 6.
    type Classifier: AttentionClassifier + 'static;
}

/// Constructs the components of `A` for the classifier that uses them.
///
/// ```text
/// let below = AttentionPartsOf::<Submission>::new();
/// let model = Classifier::new(config, &below, vb)?;
/// ```
pub struct AttentionPartsOf<A> {
    of: PhantomData<fn() -> A>,
}

impl<A> AttentionPartsOf<A> {
    /// Returns the constructors of the components of `A`.
    pub fn new() -> Self {
        Self { of: PhantomData }
    }
}

impl<A> Default for AttentionPartsOf<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A> fmt::Debug for AttentionPartsOf<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AttentionPartsOf").finish_non_exhaustive()
    }
}

impl<A: AttentionAssignment> AttentionParts for AttentionPartsOf<A> {
    fn attention(
        &self,
        config: AttentionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn MultiHeadAttention>> {
        let inside = Arc::new(A::ScaledDotProduct::new());
        Ok(Box::new(A::MultiHead::new(config, inside, vb)?))
    }

    fn position(
        &self,
        config: PositionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn LearnedPosition>> {
        Ok(Box::new(A::Learned::new(config, vb)?))
    }

    fn pooling(&self, kind: Pooling) -> Box<dyn MaskedPooling> {
        Box::new(A::Pooled::new(kind))
    }
}
