//! Interface of the `encoder` assignment's crate, and the construction of its components.

use std::fmt;
use std::marker::PhantomData;

use candle_core::Result;
use candle_nn::VarBuilder;

use crate::encoder::{
    ClassifierParts, EmbeddingInit, Encoder, EncoderConfig, EncoderLayer, EncoderParts,
    FeedForward, GridSearch, LayerParts, SelfAttention, TextClassifier,
};

/// The components of the `encoder` assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through
/// which the checks find a student's types.
pub trait EncoderAssignment {
    /// Provided self-attention.
    type Attention: SelfAttention + 'static;
    /// Component of task 1.
    type FeedForward: FeedForward + 'static;
    /// Component of task 2.
    type Layer: EncoderLayer + 'static;
    /// Component of task 3.
    type Encoder: Encoder + 'static;
    /// Component of task 4.
    type Classifier: TextClassifier + 'static;
    /// Component of task 5.
    type Glove: EmbeddingInit;
    /// Component of task 6.
    type Search: GridSearch;
}

/// Constructs the components of `A` for the components that use them.
///
/// ```text
/// let config = EncoderConfig::reference();
/// let below = PartsOf::<Submission>::new(config);
/// let model = Classifier::new(config, 6, &below, vb)?;
/// ```
pub struct PartsOf<A> {
    config: EncoderConfig,
    of: PhantomData<fn() -> A>,
}

impl<A> PartsOf<A> {
    /// Returns constructors of components with `config`.
    pub fn new(config: EncoderConfig) -> Self {
        Self { config, of: PhantomData }
    }
}

impl<A> fmt::Debug for PartsOf<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartsOf").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<A: EncoderAssignment> LayerParts for PartsOf<A> {
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>> {
        Ok(Box::new(A::Attention::new(self.config, vb)?))
    }

    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn FeedForward>> {
        Ok(Box::new(A::FeedForward::new(self.config, vb)?))
    }
}

impl<A: EncoderAssignment> EncoderParts for PartsOf<A> {
    fn layer(&self, vb: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> {
        Ok(Box::new(A::Layer::new(self.config, self, vb)?))
    }
}

impl<A: EncoderAssignment> ClassifierParts for PartsOf<A> {
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(A::Encoder::new(self.config, self, vb)?))
    }
}
