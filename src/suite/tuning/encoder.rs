//! The encoder that is built in, as a worker is given it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use candle_core::Device;
use softmark_kit::pretrained::{PretrainedConfig, Weights};

use crate::check::Initial;

/// Its sizes, and its parameters by the names that they have below a classifier.
pub(super) struct Encoder {
    pub(super) config: PretrainedConfig,
    pub(super) parameters: BTreeMap<String, (Vec<usize>, Initial)>,
}

impl Encoder {
    /// Where the numbers of a classifier say what is made of it: by the names that the worker knows.
    pub(super) fn sizes(&self) -> Vec<(&'static str, usize)> {
        let config = &self.config;
        vec![
            ("vocabulary", config.vocabulary),
            ("max_len", config.max_len),
            ("types", config.token_types),
            ("d_model", config.d_model),
            ("heads", config.heads),
            ("d_ff", config.d_ff),
            ("layers", config.layers),
            ("gelu", 1),
            // 10⁻¹², as its `config.json` says.
            ("epsilon", 12),
            // It is small and the questions are many: nothing is dropped inside of it.
            ("base_dropout_permille", 0),
        ]
    }
}

fn read() -> Result<Encoder, String> {
    let config = include_str!("../../../fixtures/pretrained/config.json");
    let weights = include_bytes!("../../../fixtures/pretrained/model.safetensors");
    let config = PretrainedConfig::from_json(config).map_err(|error| error.to_string())?;
    let weights = Weights::from_bytes(weights, &config, &Device::Cpu);
    let weights = weights.map_err(|error| error.to_string())?;
    let mut parameters = BTreeMap::new();
    for (name, tensor) in weights.tensors() {
        let values = tensor.flatten_all().and_then(|flat| flat.to_vec1::<f32>());
        let values: Arc<[f32]> = values.map_err(|error| error.to_string())?.into();
        let of = (tensor.dims().to_vec(), Initial::Given(values));
        parameters.insert(format!("base.{name}"), of);
    }
    Ok(Encoder { config, parameters })
}

static ENCODER: LazyLock<Result<Encoder, String>> = LazyLock::new(read);

/// The encoder, read once.
///
/// # Errors
///
/// When the files that the program was built with are not those of the project.
pub(super) fn builtin() -> Result<&'static Encoder, String> {
    ENCODER.as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use softmark_kit::nn::Activation;

    use super::*;

    #[test]
    fn what_is_told_of_the_encoder_is_what_its_config_says() {
        let encoder = builtin().unwrap();
        assert_eq!(encoder.config.activation, Activation::Gelu);
        assert_eq!(encoder.config.norm_eps, 1e-12);
        assert_eq!(encoder.parameters.len(), encoder.config.parameters().len());
        for (name, shape) in encoder.config.parameters() {
            assert_eq!(encoder.parameters[&format!("base.{name}")].0, shape, "{name}");
        }
    }
}
