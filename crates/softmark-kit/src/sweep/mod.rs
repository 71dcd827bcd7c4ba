//! Hyperparameter search: grid or random, resumable, with a table of the results.
//!
//! ```
//! use softmark_kit::sweep::{Range, Space, Sweep, TrialResult};
//!
//! let path = std::env::temp_dir().join(format!("sweep-{}.jsonl", std::process::id()));
//! let trials = Space::grid(&[("learning_rate", &[1e-3, 1e-2]), ("batch_size", &[16.0, 32.0])]);
//! let outcomes = Sweep::new(&path).run(&trials, |trial| {
//!     // Here a model would be trained; the best is known to be 0.01 and 32.
//!     let away = (trial.get("learning_rate")? - 0.01).abs() + (trial.get("batch_size")? - 32.0).abs();
//!     Ok(TrialResult { validation_accuracy: 1.0 / (1.0 + away), validation_loss: away, epochs: 1 })
//! })?;
//! assert_eq!(outcomes.best().unwrap().trial.id, 3);
//! println!("{}", outcomes.table());
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
//! ```

mod journal;
mod outcomes;
mod space;
mod trial;

pub use journal::{Sweep, SweepError};
pub use outcomes::{Outcome, Outcomes};
pub use space::{Range, Space};
pub use trial::{Trial, TrialError, TrialResult};
