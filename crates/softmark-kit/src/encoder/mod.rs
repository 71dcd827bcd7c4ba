//! What the `encoder` assignment asks for: the parts of a transformer encoder that classifies text,
//! from the feed-forward network up, and what surrounds its training.
//!
//! ```text
//! ids ─► Encoder ───────────────────────────────────────────► TextClassifier ─► logits
//!          └─► EncoderLayer × N
//!                ├─► SelfAttention   (provided)
//!                └─► FeedForward
//! ```
//!
//! A part does not make those below it by itself: it is handed something that does ([`LayerParts`],
//! [`EncoderParts`], [`ClassifierParts`]) and says under which names. So each part is graded with
//! right parts below it, and works with yours all the same.
//!
//! Letters, besides those of the whole crate: `F` is the width inside a feed-forward network, `V` the
//! vocabulary, `C` the classes. Masks are `[B, T]`, `u8`, **1 = a real token, 0 = padding**.
//! `train` is true while the model learns: then, and only then, [dropout] is at work.
//!
//! [dropout]: crate::nn::Dropout

mod assignment;
mod classifier;
mod feed_forward;
mod glove;
mod grid_search;
mod layer;
mod stack;

pub use assignment::{EncoderAssignment, PartsOf};
pub use classifier::{ClassifierParts, TextClassifier};
pub use feed_forward::FeedForward;
pub use glove::{Coverage, EmbeddingInit};
pub use grid_search::{Configuration, GridSearch, Scores, SearchReport, Trained, Trial};
pub use layer::{EncoderLayer, LayerParts, SelfAttention};
#[doc(inline)]
pub use softmark_common::encoder::{Activation, EncoderConfig, NormPlacement};
pub use stack::{Encoder, EncoderParts};
