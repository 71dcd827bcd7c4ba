//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::{
    Arc, D, DType, Device, HeadStatistics, Hooks, IndexOp, Module, ModuleT, PretrainedConfig,
    Result, Tensor, VarBuilder,
};

pub use crate::encoder::{
    Activation, ClassifierParts, Configuration, Coverage, EmbeddingInit, Encoder,
    EncoderAssignment, EncoderConfig, EncoderLayer, EncoderParts, FeedForward, GridSearch,
    LayerParts, NormPlacement, PartsOf, Scores, SearchReport, SelfAttention, TextClassifier,
    Trained, Trial,
};
