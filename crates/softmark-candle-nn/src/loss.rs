//! Losses.

pub use candle_nn::loss::{binary_cross_entropy_with_logit, huber, mse, nll};
pub use softmark_kit::nn::loss::cross_entropy;
