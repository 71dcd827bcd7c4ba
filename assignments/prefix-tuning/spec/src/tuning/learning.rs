//! Selection of a model's trainable parameters.

use candle_core::{DType, Device, Result, Shape, Tensor};
use candle_nn::var_builder::SimpleBackend;
use candle_nn::{Init, VarBuilder};

/// Returns a builder that hands out the parameters of `vb`. Parameters for which `learns` returns false are
/// detached: no gradient reaches them, and training does not change them.
///
/// `learns` is called with names relative to `vb`.
///
/// ```
/// # use prefix_tuning_spec as softmark_kit;
/// use softmark_kit::init::Parameters;
/// use softmark_kit::prelude::*;
/// use softmark_kit::tuning::learning;
///
/// let parameters = Parameters::new(1, &Device::Cpu);
/// let vb = learning(parameters.builder().pp("base"), |name| name.starts_with("layers.1."));
/// let frozen = vb.pp("layers.0").get(2, "norm1.weight")?;
/// let learned = vb.pp("layers.1").get(2, "norm1.weight")?;
/// let gradients = (frozen * &learned)?.sum_all()?.backward()?;
/// let vars = parameters.vars();
/// assert!(gradients.get(&vars["base.layers.0.norm1.weight"]).is_none());
/// assert!(gradients.get(&vars["base.layers.1.norm1.weight"]).is_some());
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn learning<'a>(
    vb: VarBuilder<'a>,
    learns: impl Fn(&str) -> bool + Send + Sync + 'a,
) -> VarBuilder<'a> {
    let (dtype, device) = (vb.dtype(), vb.device().clone());
    VarBuilder::from_backend(Box::new(Learning { vb, learns }), dtype, device)
}

struct Learning<'a, F> {
    vb: VarBuilder<'a>,
    learns: F,
}

impl<F: Fn(&str) -> bool> Learning<'_, F> {
    fn hand_out(&self, name: &str, tensor: Tensor) -> Tensor {
        if (self.learns)(name) { tensor } else { tensor.detach() }
    }
}

impl<F: Fn(&str) -> bool + Send + Sync> SimpleBackend for Learning<'_, F> {
    fn get(&self, s: Shape, name: &str, init: Init, dtype: DType, _: &Device) -> Result<Tensor> {
        let tensor = self.vb.get_with_hints_dtype(s, name, init, dtype)?;
        Ok(self.hand_out(name, tensor))
    }

    fn get_unchecked(&self, name: &str, dtype: DType, _: &Device) -> Result<Tensor> {
        let tensor = self.vb.get_unchecked_dtype(name, dtype)?;
        Ok(self.hand_out(name, tensor))
    }

    fn contains_tensor(&self, name: &str) -> bool {
        self.vb.contains_tensor(name)
    }
}
