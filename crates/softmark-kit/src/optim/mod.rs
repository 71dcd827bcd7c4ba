//! Optimizers that update parameters in place, and gradient clipping.
//!
//! candle-nn's optimizers allocate a dozen tensors per parameter and step, and visit their parameters in the
//! order of a hash map. An [`Optimizer`] visits them in the order of their names and updates parameter and
//! state in one pass, without allocating.
//!
//! ```
//! use softmark_kit::init::Parameters;
//! use softmark_kit::optim::{Optimizer, Rule, clip_gradients};
//! use softmark_kit::prelude::*;
//!
//! let parameters = Parameters::new(1, &Device::Cpu);
//! let weight = parameters.builder().get_with_hints(1, "weight", candle_nn::init::ONE)?;
//! let mut optimizer = Optimizer::new(Rule::ADAM, 0.0);
//! for _ in 0..100 {
//!     let mut gradients = weight.sqr()?.sum_all()?.backward()?; // smallest at 0
//!     clip_gradients(&parameters.vars(), &mut gradients, 1.0)?;
//!     optimizer.step(&parameters.vars(), &gradients, 0.05)?;
//! }
//! assert!(weight.to_vec1::<f32>()?[0].abs() < 0.1);
//! # Ok::<(), candle_core::Error>(())
//! ```

mod clip;
mod composed;
mod kernels;
mod optimizer;
mod rule;

pub use clip::{clip_factor, clip_gradients, global_norm};
pub use optimizer::Optimizer;
pub use rule::Rule;
