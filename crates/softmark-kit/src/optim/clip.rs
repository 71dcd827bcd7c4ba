//! Gradient clipping by the global norm.

use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{DType, Result, Storage, Tensor, Var};

use crate::optim::kernels;
use crate::optim::optimizer::floats;

/// Returns the Euclidean norm of all gradients together: `√ Σ g²`, over every element of every parameter's
/// gradient, in the order of the parameters' names.
///
/// On the CPU squares and sums are computed in `f64`, in an order that does not depend on the number of
/// threads.
///
/// # Errors
///
/// Fails if candle cannot square a gradient of its dtype.
pub fn global_norm(vars: &BTreeMap<String, Var>, gradients: &GradStore) -> Result<f64> {
    let mut sum = 0.0;
    for var in vars.values() {
        if let Some(gradient) = gradients.get(var) {
            sum += sum_of_squares(gradient)?;
        }
    }
    Ok(sum.sqrt())
}

fn sum_of_squares(gradient: &Tensor) -> Result<f64> {
    if gradient.device().is_cpu() && gradient.dtype() == DType::F32 {
        let gradient = gradient.contiguous()?;
        let (storage, layout) = gradient.storage_and_layout();
        if let Storage::Cpu(storage) = &*storage {
            return Ok(kernels::sum_of_squares(floats(storage, layout)?));
        }
    }
    gradient.to_dtype(DType::F32)?.sqr()?.sum_all()?.to_scalar::<f32>().map(f64::from)
}

/// Returns the factor that scales gradients of norm `norm` to a norm of at most `max_norm`:
/// `min(1, max_norm / (norm + 10⁻⁶))`, as in PyTorch's `clip_grad_norm_`.
///
/// From Pascanu, Mikolov and Bengio, *On the Difficulty of Training Recurrent Neural Networks*
/// (2013), section 3.2.
///
/// ```
/// use softmark_kit::optim::clip_factor;
///
/// assert_eq!(clip_factor(0.3, 0.5), 1.0);
/// assert!((clip_factor(2.0, 0.5) - 0.25).abs() < 1e-6);
/// ```
pub fn clip_factor(norm: f64, max_norm: f64) -> f64 {
    (max_norm / (norm + 1e-6)).min(1.0)
}

/// Scales all gradients so that their [`global_norm`] is at most `max_norm`; returns the norm before scaling.
///
/// # Errors
///
/// Returns the errors of [`global_norm`].
pub fn clip_gradients(
    vars: &BTreeMap<String, Var>,
    gradients: &mut GradStore,
    max_norm: f64,
) -> Result<f64> {
    let norm = global_norm(vars, gradients)?;
    let factor = clip_factor(norm, max_norm);
    if factor < 1.0 {
        for var in vars.values() {
            if let Some(gradient) = gradients.remove(var) {
                gradients.insert(var, (gradient * factor)?);
            }
        }
    }
    Ok(norm)
}
