//! What the assignment's crate hands over, and how a model is put together around a layer.

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

/// A self-attention that can be looked at. Provided: `src/attention.rs`.
pub trait HookedAttention: SelfAttention {
    /// Makes the attention, as [`SelfAttention::new`] does; after each call it shows `x` and `mask`, and
    /// its `weights` `[B, H, T, T]` before any dropout, at the point of `hooks` whose name is that under
    /// which its parameters stand in `vb`: `layers.0.self_attn`, say.
    ///
    /// # Errors
    ///
    /// As [`SelfAttention::new`].
    fn hooked(config: EncoderConfig, hooks: &Hooks, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;
}

/// The parts of the `debugging` assignment.
///
/// The provided `src/lib.rs` of the assignment implements it on a type called `Submission`, which
/// is how the checks find a student's types.
pub trait DebuggingAssignment {
    /// Provided.
    type Attention: HookedAttention + 'static;
    /// Provided.
    type FeedForward: FeedForward + 'static;
    /// Provided: the layer that does not learn.
    type Buggy: EncoderLayer + 'static;
    /// Provided.
    type Encoder: Encoder + 'static;
    /// Provided.
    type Classifier: TextClassifier + 'static;
    /// Task 1.
    type Capture: AttentionCapture;
    /// Task 2.
    type Statistics: AttentionStatistics;
    /// Task 4.
    type Repaired: EncoderLayer + 'static;
    /// Task 7.
    type Detectors: DetectorSet;
}

/// The parts of `A` with layers `L`: what a model around the buggy layer, or around the repaired one, is
/// made with.
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
    /// Parts that are made with `config` and can be looked at through `hooks`.
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
