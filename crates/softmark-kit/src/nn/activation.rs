//! Activations by name.

use candle_core::{Module, Result, Tensor};

use softmark_common::encoder;

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

/// The activation that an encoder's configuration names.
///
/// ```
/// use candle_core::{Device, Module, Tensor};
/// use softmark_common::encoder;
/// use softmark_kit::nn::Activation;
///
/// let x = Tensor::new(&[-1.0_f32, 2.0], &Device::Cpu)?;
/// let y = Activation::from(encoder::Activation::Relu).forward(&x)?;
/// assert_eq!(y.to_vec1::<f32>()?, [0.0, 2.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
impl From<encoder::Activation> for Activation {
    fn from(configured: encoder::Activation) -> Self {
        match configured {
            encoder::Activation::Relu => Self::Relu,
            encoder::Activation::Gelu => Self::Gelu,
        }
    }
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
