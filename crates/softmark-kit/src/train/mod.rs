//! Training of classifiers: data, recipe, training loop, checkpoints, limits.
//!
//! The same data, recipe and model give the same weights, bit for bit, on every run and for any number of
//! threads: batches are drawn from named streams, and parameters are visited in the order of their names.
//! Only [`TerminalObserver`], which prints, and the limit on processor time, which ends a training, read a clock.
//!
//! ```
//! use softmark_kit::init::Parameters;
//! use softmark_kit::prelude::*;
//! use softmark_kit::train::{Examples, Recipe, fit, predict};
//!
//! // A bag of words: the mean of the tokens' rows is the logits.
//! let parameters = Parameters::new(1, &Device::Cpu);
//! let init = candle_nn::Init::Randn { mean: 0.0, stdev: 0.1 };
//! let table = parameters.builder().get_with_hints((6, 2), "token_embedding.weight", init)?;
//! let embedding = candle_nn::Embedding::new(table, 2);
//! let model = |ids: &Tensor, _mask: &Tensor, _train: bool| embedding.forward(ids)?.mean(1);
//!
//! let examples = Examples {
//!     ids: vec![vec![1, 2], vec![4, 5], vec![2, 3], vec![5, 3]],
//!     labels: vec![0, 1, 0, 1],
//! };
//! let recipe = Recipe { epochs: 30, batch_size: 2, learning_rate: 0.1, ..Recipe::default() };
//! let history = fit(&model, &parameters.vars(), &examples, None, &recipe, &mut ())?;
//! assert!(history.epochs[29].train_loss < history.epochs[0].train_loss);
//! assert_eq!(predict(&model, &[vec![2], vec![4]], &recipe, &Device::Cpu)?, [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod batch;
pub mod checkpoint;
mod error;
mod evaluate;
mod examples;
mod history;
mod limits;
mod model;
mod observer;
mod recipe;
mod record;
pub mod split;
mod stopping;
mod terminal;
mod trainer;

pub use batch::{Batch, pad};
pub use error::TrainError;
pub use evaluate::{Evaluation, evaluate, predict};
pub use examples::shuffled;
pub use history::History;
pub use limits::{Limits, Usage};
pub use model::Model;
pub use observer::{Observer, Plan};
pub use recipe::Recipe;
pub use record::{EpochRecord, StepRecord};
#[doc(inline)]
pub use softmark_common::examples::Examples;
pub use stopping::Monitor;
pub use terminal::TerminalObserver;
pub use trainer::{Trainer, fit};
