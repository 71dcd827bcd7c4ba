//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::{
    Arc, D, DType, Device, HeadStatistics, Hooks, IndexOp, Module, ModuleT, PretrainedConfig,
    Result, Tensor, VarBuilder,
};

pub use crate::debugging::{
    AttentionCapture, AttentionStatistics, DebuggingAssignment, Detector, DetectorSet,
    HookedAttention, LayerParameters, Observed, Specimen, Suspect, Verdict, Wiring,
};
pub use encoder_spec::encoder::{
    Activation, ClassifierParts, Configuration, Coverage, EmbeddingInit, Encoder,
    EncoderAssignment, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, GridSearch,
    LayerParts, NormPlacement, PartsOf, Scores, SearchReport, SelfAttention, TextClassifier,
    Trained, Trial,
};

// A type of the same name hides a trait of the prelude; its methods can be called all the same.
pub use crate::debugging::{
    AttentionCapture as _, AttentionStatistics as _, DebuggingAssignment as _, Detector as _,
    DetectorSet as _, HookedAttention as _, Suspect as _,
};
pub use encoder_spec::encoder::{
    ClassifierParts as _, EmbeddingInit as _, Encoder as _, EncoderAssignment as _,
    EncoderLayer as _, EncoderParts as _, FeedForward as _, GridSearch as _, LayerParts as _,
    SelfAttention as _, TextClassifier as _,
};
