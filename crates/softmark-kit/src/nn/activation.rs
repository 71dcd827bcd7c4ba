//! Activations by name.

use candle_core::{Module, Result, Tensor};

use crate::nn::ops;

/// An activation function, chosen by a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activation {
    /// Exact GELU, [`ops::gelu_erf`]; PyTorch's default GELU.
    #[default]
    Gelu,
    /// GELU approximated by a hyperbolic tangent, [`ops::gelu`].
    NewGelu,
    /// Synonym of `NewGelu` under PyTorch's name.
    GeluPytorchTanh,
    /// Rectified linear unit, [`ops::relu`].
    Relu,
    /// Sigmoid linear unit, [`ops::silu`].
    Silu,
    /// Logistic sigmoid, [`ops::sigmoid`].
    Sigmoid,
}

impl Module for Activation {
    fn forward(&self, xs: &Tensor) -> Result<Tensor> {
        match self {
            Self::Gelu => ops::gelu_erf(xs),
            Self::NewGelu | Self::GeluPytorchTanh => ops::gelu(xs),
            Self::Relu => ops::relu(xs),
            Self::Silu => ops::silu(xs),
            Self::Sigmoid => ops::sigmoid(xs),
        }
    }
}
