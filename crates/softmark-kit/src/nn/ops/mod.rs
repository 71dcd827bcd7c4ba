//! Functions without parameters: softmax, activations, dropout. All have a gradient.
//!
//! | function | formula |
//! |---|---|
//! | [`softmax`], [`softmax_last_dim`] | `exp(xᵢ) / Σⱼ exp(xⱼ)` |
//! | [`log_softmax`] | `xᵢ − ln Σⱼ exp(xⱼ)` |
//! | [`gelu_erf`] | `x · Φ(x)` |
//! | [`gelu`] | `x · Φ(x)`, approximated by a hyperbolic tangent |
//! | [`relu`], [`sigmoid`], [`silu`] | `max(x, 0)`, `1 / (1 + e⁻ˣ)`, `x / (1 + e⁻ˣ)` |
//! | [`masked_fill`] | `value` where a mask is not 0, else `x` |
//! | [`dropout`] | `x · m / (1 − p)` with `m` 0 or 1 |

mod elementwise;
mod masked_fill;
mod softmax;

pub use super::dropout::dropout;
pub use elementwise::{gelu, gelu_erf, relu, sigmoid, silu};
#[cfg(feature = "pretrained-encoder")]
pub(in crate::nn) use elementwise::{shift_and_activate, slope_back};
pub use masked_fill::masked_fill;
pub use softmax::{log_softmax, softmax, softmax_last_dim};
