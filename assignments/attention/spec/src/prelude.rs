//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.
//!
//! A type may have the name of a trait, which is then written with its crate:
//!
//! ```
//! # use attention_spec as softmark_kit;
//! use softmark_kit::prelude::*;
//!
//! /// Right for sequences of one token.
//! struct MaskedPooling;
//!
//! impl softmark_kit::MaskedPooling for MaskedPooling {
//!     fn new(_kind: Pooling) -> Self {
//!         Self
//!     }
//!     fn pool(&self, x: &Tensor, _mask: Option<&Tensor>) -> Result<Tensor> {
//!         x.squeeze(1)
//!     }
//! }
//!
//! let x = Tensor::zeros((2, 1, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
//! assert_eq!(MaskedPooling::new(Pooling::Max).pool(&x, None)?.dims(), [2, 4]);
//! # Ok::<(), candle_core::Error>(())
//! ```

pub use softmark_kit::prelude::*;

pub use crate::{
    AttentionAssignment, AttentionClassifier, AttentionConfig, AttentionOutput, AttentionParts,
    AttentionPartsOf, ClassifierConfig, LearnedPosition, MaskedPooling, MultiHeadAttention,
    Pooling, PositionConfig, ScaledDotProductAttention, SinusoidalPosition,
};

// A type of the same name hides a trait of the prelude; its methods can be called all the same.
pub use crate::{
    AttentionAssignment as _, AttentionClassifier as _, AttentionParts as _, LearnedPosition as _,
    MaskedPooling as _, MultiHeadAttention as _, ScaledDotProductAttention as _,
    SinusoidalPosition as _,
};
