//! The linear layer, with candle-nn's initial values.

use candle_core::Result;
use candle_nn::VarBuilder;
pub use softmark_kit::nn::Linear;

/// Constructs a linear layer with the parameters `weight` (initially Kaiming normal) and `bias` (uniform from −1 / √in
/// to 1 / √in).
///
/// # Errors
///
/// Fails if a parameter is missing from `vb` or has another shape.
pub fn linear(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    Ok(of_the_kit(&candle_nn::linear(in_dim, out_dim, vb)?))
}

/// Constructs a linear layer without a bias.
///
/// # Errors
///
/// Returns the errors of [`linear`].
pub fn linear_no_bias(in_dim: usize, out_dim: usize, vb: VarBuilder<'_>) -> Result<Linear> {
    Ok(of_the_kit(&candle_nn::linear_no_bias(in_dim, out_dim, vb)?))
}

/// Constructs a linear layer with or without a bias.
///
/// # Errors
///
/// Returns the errors of [`linear`].
pub fn linear_b(in_dim: usize, out_dim: usize, bias: bool, vb: VarBuilder<'_>) -> Result<Linear> {
    Ok(of_the_kit(&candle_nn::linear_b(in_dim, out_dim, bias, vb)?))
}

/// Returns the kit's layer with the parameters of candle-nn's.
fn of_the_kit(layer: &candle_nn::Linear) -> Linear {
    Linear::new(layer.weight().clone(), layer.bias().cloned())
}
