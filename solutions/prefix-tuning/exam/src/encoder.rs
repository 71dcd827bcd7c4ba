//! The encoder that is built in, as a worker is given it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use softmark_common::pretrained::{EncoderSizes, Family, published_name};
use softmark_exam::check::{Initial, read_tensors};

/// Its sizes, and its parameters by the names that they have below a classifier.
pub(super) struct Encoder {
    pub(super) config: EncoderSizes,
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

/// The sizes in `config.json`, by the names of BERT's files.
#[derive(Deserialize)]
struct Published {
    vocab_size: usize,
    max_position_embeddings: usize,
    type_vocab_size: usize,
    hidden_size: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
}

fn read() -> Result<Encoder, String> {
    let config = include_str!("../../../../fixtures/pretrained/config.json");
    let weights = include_bytes!("../../../../fixtures/pretrained/model.safetensors");
    let published: Published = serde_json::from_str(config).map_err(|error| error.to_string())?;
    let config = EncoderSizes {
        vocabulary: published.vocab_size,
        max_len: published.max_position_embeddings,
        token_types: published.type_vocab_size,
        d_model: published.hidden_size,
        heads: published.num_attention_heads,
        d_ff: published.intermediate_size,
        layers: published.num_hidden_layers,
    };
    let mut tensors = read_tensors(weights).map_err(|error| error.to_string())?;
    let mut parameters = BTreeMap::new();
    for (name, shape) in config.parameters() {
        let published = published_name(Family::Bert, &name).unwrap_or_default();
        let tensor = tensors.remove(&published).filter(|it| it.is_f32() && it.shape == shape);
        let tensor =
            tensor.ok_or_else(|| format!("there is no `{published}` of shape {shape:?}"))?;
        parameters.insert(format!("base.{name}"), (shape, Initial::Given(tensor.values)));
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
    use candle_core::Device;
    use softmark_kit::nn::Activation;
    use softmark_kit::pretrained::{PretrainedConfig, Weights};

    use super::*;

    #[test]
    fn the_kit_reads_the_same_encoder() {
        let encoder = builtin().unwrap();
        let config = include_str!("../../../../fixtures/pretrained/config.json");
        let weights = include_bytes!("../../../../fixtures/pretrained/model.safetensors");
        let config = PretrainedConfig::from_json(config).unwrap();
        assert_eq!((config.activation, config.norm_eps), (Activation::Gelu, 1e-12));
        let PretrainedConfig { vocabulary, max_len, token_types, d_model, .. } = config;
        let PretrainedConfig { heads, d_ff, layers, .. } = config;
        let sizes = EncoderSizes { vocabulary, max_len, token_types, d_model, heads, d_ff, layers };
        assert_eq!(encoder.config, sizes);
        let weights = Weights::from_bytes(weights, &config, &Device::Cpu).unwrap();
        assert_eq!(encoder.parameters.len(), weights.tensors().len());
        for (name, tensor) in weights.tensors() {
            let values = tensor.flatten_all().and_then(|it| it.to_vec1::<f32>()).unwrap();
            let of_kit = (tensor.dims().to_vec(), Initial::Given(values.into()));
            assert_eq!(encoder.parameters[&format!("base.{name}")], of_kit, "{name}");
        }
    }
}
