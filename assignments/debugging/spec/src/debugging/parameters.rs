//! The parameters of one encoder layer, as set by an experiment.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Result, Tensor, bail};
use candle_nn::Init;
use softmark_common::debugging::layer_parameter_shapes;

use crate::encoder::EncoderConfig;
use crate::init::{Parameters, drawn};

/// Named parameters of an encoder layer. Changing a parameter returns a new set.
///
/// ```
/// # use debugging_spec as softmark_kit;
/// use softmark_kit::debugging::LayerParameters;
/// use softmark_kit::prelude::*;
///
/// let config = EncoderConfig { d_model: 8, heads: 2, d_ff: 12, ..EncoderConfig::reference() };
/// let parameters = LayerParameters::random(config, 1)?;
/// let silent = parameters.zeroed(&["self_attn.out_proj.weight", "self_attn.out_proj.bias"])?;
/// assert_eq!(silent.get("self_attn.out_proj.bias")?.to_vec1::<f32>()?, [0.0; 8]);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct LayerParameters(BTreeMap<String, Tensor>);

impl LayerParameters {
    /// Returns names and shapes of all parameters, sorted by name.
    ///
    /// | name | shape |
    /// |---|---|
    /// | `self_attn.{q,k,v,out}_proj.weight` | `[D, D]` |
    /// | `feed_forward.linear1.weight`, `.bias` | `[F, D]`, `[F]` |
    /// | `feed_forward.linear2.weight`, `.bias` | `[D, F]`, `[D]` |
    /// | `norm1.weight`, `norm2.weight` and all other biases | `[D]` |
    pub fn shapes(config: EncoderConfig) -> BTreeMap<String, Vec<usize>> {
        layer_parameter_shapes(config)
    }

    /// Returns random parameters without special values: weights with a standard deviation of `1/√D`, biases
    /// with one of 1/2, and norms with scales between 1/2 and 3/2. The same seed gives the same parameters.
    ///
    /// # Errors
    ///
    /// Fails if a candle operation fails.
    pub fn random(config: EncoderConfig, seed: u64) -> Result<Self> {
        let spread = 1.0 / (config.d_model.max(1) as f64).sqrt();
        let one = |(name, shape): (String, Vec<usize>)| {
            let init = if name.starts_with("norm") && name.ends_with("weight") {
                Init::Uniform { lo: 0.5, up: 1.5 }
            } else if name.ends_with("weight") {
                Init::Randn { mean: 0.0, stdev: spread }
            } else {
                Init::Randn { mean: 0.0, stdev: 0.5 }
            };
            let tensor = drawn(seed, &name, init, &shape.into())?;
            Ok((name, tensor))
        };
        Ok(Self(Self::shapes(config).into_iter().map(one).collect::<Result<_>>()?))
    }

    /// Returns the parameter `name`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such parameter; the error names the existing ones.
    pub fn get(&self, name: &str) -> Result<&Tensor> {
        let Some(tensor) = self.0.get(name) else {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            bail!("a layer has no parameter `{name}`; it has `{}`", known.join("`, `"))
        };
        Ok(tensor)
    }

    /// Returns the same parameters with another tensor for `name`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such parameter, or it has another shape.
    pub fn with(&self, name: &str, tensor: &Tensor) -> Result<Self> {
        let before = self.get(name)?.dims();
        if tensor.dims() != before || tensor.dtype() != DType::F32 {
            let (is, dtype) = (tensor.dims(), tensor.dtype());
            bail!("`{name}` is of shape {before:?} in f32, and not of {is:?} in {dtype:?}")
        }
        let mut all = self.0.clone();
        all.insert(name.to_owned(), tensor.clone());
        Ok(Self(all))
    }

    /// Returns the same parameters with zeros for each of `names`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such parameter.
    pub fn zeroed(&self, names: &[&str]) -> Result<Self> {
        let zero =
            |all: Self, name: &&str| all.get(name)?.zeros_like().and_then(|it| all.with(name, &it));
        names.iter().try_fold(self.clone(), zero)
    }

    /// Returns an iterator over all parameters, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Returns a builder from which a layer takes copies of the parameters.
    pub fn builder(&self) -> candle_nn::VarBuilder<'static> {
        Parameters::given(self.0.clone(), &Device::Cpu).builder()
    }
}
