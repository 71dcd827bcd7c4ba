//! Activations by name.

use candle_core::{Module, Result, Tensor};

use crate::nn::ops;

/// An activation function, chosen by a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Activation {
    /// [`ops::gelu_erf`], exact: what PyTorch calls GELU.
    #[default]
    Gelu,
    /// [`ops::gelu`], by a hyperbolic tangent.
    NewGelu,
    /// The same under PyTorch's name.
    GeluPytorchTanh,
    /// [`ops::relu`]
    Relu,
    /// [`ops::silu`]
    Silu,
    /// [`ops::sigmoid`]
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
