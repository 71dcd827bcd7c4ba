//! Interface of the `debugging` assignment's crate, and the construction of a model around a layer.

use std::fmt;
use std::marker::PhantomData;

use candle_core::Result;
use candle_nn::VarBuilder;

use crate::debugging::{AttentionCapture, AttentionStatistics, DetectorSet};
use crate::encoder::{
    ClassifierParts, Encoder, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, LayerParts,
    SelfAttention, TextClassifier,
};
use crate::hooks::Hooks;

/// A self-attention that supports hooks. Provided: `src/attention.rs`.
pub trait HookedAttention: SelfAttention {
    /// Constructs the attention as [`SelfAttention::new`] does. After each call the attention reports `x` and
    /// `mask` and its `weights` `[B, H, T, T]`, before any dropout, at the point of `hooks` whose name is the
    /// prefix of its parameters in `vb`, such as `layers.0.self_attn`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`SelfAttention::new`].
    fn hooked(config: EncoderConfig, hooks: &Hooks, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;
}

/// The components of the `debugging` assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through
/// which the checks find a student's types.
pub trait DebuggingAssignment {
    /// Provided self-attention.
    type Attention: HookedAttention + 'static;
    /// Provided feed-forward network.
    type FeedForward: FeedForward + 'static;
    /// Provided layer with a bug, which does not learn.
    type Buggy: EncoderLayer + 'static;
    /// Provided encoder.
    type Encoder: Encoder + 'static;
    /// Provided classifier.
    type Classifier: TextClassifier + 'static;
    /// Component of task 1.
    type Capture: AttentionCapture;
    /// Component of task 2.
    type Statistics: AttentionStatistics;
    /// Component of task 4.
    type Repaired: EncoderLayer + 'static;
    /// Component of task 5.
    type Detectors: DetectorSet;
}

/// Constructs the components of `A` with layers of type `L`, such as the buggy or the repaired layer.
///
/// ```text
/// let hooks = Hooks::new();
/// let buggy = Wiring::<Submission, <Submission as DebuggingAssignment>::Buggy>::new(config, &hooks);
/// let model = Classifier::new(config, 6, &buggy, vb)?;
/// ```
pub struct Wiring<A, L> {
    config: EncoderConfig,
    hooks: Hooks,
    of: PhantomData<fn() -> (A, L)>,
}

impl<A, L> Wiring<A, L> {
    /// Returns constructors of components with `config`, observable through `hooks`.
    pub fn new(config: EncoderConfig, hooks: &Hooks) -> Self {
        Self { config, hooks: hooks.clone(), of: PhantomData }
    }
}

impl<A, L> fmt::Debug for Wiring<A, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wiring").field("config", &self.config).finish_non_exhaustive()
    }
}

impl<A: DebuggingAssignment, L> LayerParts for Wiring<A, L> {
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>> {
        Ok(Box::new(A::Attention::hooked(self.config, &self.hooks, vb)?))
    }

    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn FeedForward>> {
        Ok(Box::new(A::FeedForward::new(self.config, vb)?))
    }
}

impl<A: DebuggingAssignment, L: EncoderLayer + 'static> EncoderParts for Wiring<A, L> {
    fn layer(&self, vb: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> {
        Ok(Box::new(L::new(self.config, self, vb)?))
    }
}

impl<A: DebuggingAssignment, L: EncoderLayer + 'static> ClassifierParts for Wiring<A, L> {
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>> {
        Ok(Box::new(A::Encoder::new(self.config, self, vb)?))
    }
}
