//! Components of the `encoder` assignment: a transformer encoder that classifies text, from the feed-forward
//! network up, with the initialization of its embeddings and a search over its training settings.
//!
//! ```text
//! ids ─► Encoder ───────────────────────────────────────────► TextClassifier ─► logits
//!          └─► EncoderLayer × N
//!                ├─► SelfAttention   (provided)
//!                └─► FeedForward
//! ```
//!
//! A component does not construct its dependencies by itself: it is given a constructor ([`LayerParts`],
//! [`EncoderParts`], [`ClassifierParts`]) and chooses the names of their parameters. So each component is
//! graded with correct dependencies, and also works with yours.
//!
//! Letters, besides those of the whole crate: `F` is the width inside a feed-forward network, `V` the
//! vocabulary, `C` the classes. Masks are `[B, T]`, `u8`, **1 = a real token, 0 = padding**. `train` is true
//! while the model learns: then, and only then, [dropout] is active.
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
