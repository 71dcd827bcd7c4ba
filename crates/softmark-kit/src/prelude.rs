//! The imports that nearly every file of an assignment needs.
//!
//! ```
//! use softmark_kit::prelude::*;
//!
//! let x = Tensor::zeros((2, 3), DType::F32, &Device::Cpu)?;
//! assert_eq!(x.dims2()?, (2, 3));
//! # Ok::<(), candle_core::Error>(())
//! ```

pub use std::sync::Arc;

pub use candle_core::{D, DType, Device, IndexOp, Module, Result, Tensor};
pub use candle_nn::VarBuilder;

pub use crate::assignment::{AttentionAssignment, AttentionPartsOf};
pub use crate::attention::{AttentionOutput, ScaledDotProductAttention};
pub use crate::classifier::{AttentionClassifier, AttentionParts, ClassifierConfig};
pub use crate::debugging::{
    AttentionCapture, AttentionStatistics, DebuggingAssignment, Detector, DetectorSet,
    HookedAttention, LayerParameters, Observed, Specimen, Suspect, Verdict, Wiring,
};
pub use crate::encoder::{
    Activation, ClassifierParts, Configuration, Coverage, EmbeddingInit, Encoder,
    EncoderAssignment, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, GridSearch,
    LayerParts, NormPlacement, PartsOf, Scores, SearchReport, SelfAttention, TextClassifier,
    Trained, Trial,
};
pub use crate::hooks::{HeadStatistics, Hooks};
pub use crate::multi_head::{AttentionConfig, MultiHeadAttention};
pub use crate::pooling::{MaskedPooling, Pooling};
pub use crate::position::{LearnedPosition, PositionConfig, SinusoidalPosition};
pub use crate::pretrained::{PretrainedConfig, PretrainedEncoder};
pub use crate::tuning::{
    FreshModel, PartialConfig, PartialTuning, PrefixConfig, PrefixTuning, Saved, TunedCheckpoint,
    TunedModel, TuningAssignment, TuningLoop, TuningProblem, TuningRecipe, TuningReport, learning,
};
