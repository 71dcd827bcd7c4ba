//! The sizes of a pretrained encoder, read from its published `config.json`.

use serde::Deserialize;
use softmark_common::pretrained::{EncoderSizes, Family};

use crate::nn::Activation;

/// The sizes and switches of a pretrained encoder of post-norm layers.
///
/// ```
/// use softmark_kit::pretrained::{Family, PretrainedConfig};
///
/// let published = r#"{
///     "model_type": "bert", "vocab_size": 30522, "hidden_size": 384, "num_hidden_layers": 6,
///     "num_attention_heads": 12, "intermediate_size": 1536, "hidden_act": "gelu",
///     "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1,
///     "max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12
/// }"#;
/// let config = PretrainedConfig::from_json(published)?;
/// assert_eq!((config.family, config.d_model, config.layers), (Family::Bert, 384, 6));
/// # Ok::<(), softmark_kit::pretrained::PretrainedError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PretrainedConfig {
    /// Family of the encoder.
    pub family: Family,
    /// Number of token ids, `V`.
    pub vocabulary: usize,
    /// Maximum length of a text in tokens, not counting a prefix.
    pub max_len: usize,
    /// Number of segment types; 0 if the family has none. Every token has type 0 here.
    pub token_types: usize,
    /// Width of the model, `D`.
    pub d_model: usize,
    /// Number of heads, `H`.
    pub heads: usize,
    /// Width inside the feed-forward networks, `F`.
    pub d_ff: usize,
    /// Number of layers.
    pub layers: usize,
    /// Activation inside the feed-forward networks.
    pub activation: Activation,
    /// ε, which every norm adds to the variance.
    pub norm_eps: f64,
    /// Probability of dropout in training, for embedded tokens and the outputs of sublayers.
    pub dropout: f32,
    /// Probability of dropout in training, for the weights of attention.
    pub attention_dropout: f32,
}

/// Errors of using a pretrained encoder.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PretrainedError {
    /// The text is not a `config.json` of a known family.
    #[error("this is no config.json of a BERT or DistilBERT encoder: {0}")]
    Config(String),
    /// The `config.json` describes an unsupported encoder.
    #[error("the encoder's `{key}` is {value}; here it can be {possible}")]
    Unsupported {
        /// Key of the entry.
        key: &'static str,
        /// Value of the entry.
        value: String,
        /// Supported values.
        possible: &'static str,
    },
    /// A file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// A file of weights is not valid.
    #[error("these are no whole safetensors: {0}")]
    Weights(String),
    /// A parameter is missing.
    #[error("the weights have no `{name}` (in this project's names `{ours}`)")]
    Missing {
        /// Published name of the parameter.
        name: String,
        /// The kit's name of the parameter.
        ours: String,
    },
    /// A parameter has another shape.
    #[error("`{name}` is {there:?}, and by the config {wanted:?}")]
    Shape {
        /// The kit's name of the parameter.
        name: String,
        /// Shape in the weights.
        there: Vec<usize>,
        /// Shape required by the config.
        wanted: Vec<usize>,
    },
    /// A parameter occurs under two names.
    #[error("the weights have `{name}` twice, under two names")]
    Twice {
        /// The kit's name of the parameter.
        name: String,
    },
}

/// Fields of BERT's `config.json`.
#[derive(Deserialize)]
struct Bert {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: String,
    #[serde(default = "tenth")]
    hidden_dropout_prob: f32,
    #[serde(default = "tenth")]
    attention_probs_dropout_prob: f32,
    max_position_embeddings: usize,
    #[serde(default = "two")]
    type_vocab_size: usize,
    #[serde(default = "tiny")]
    layer_norm_eps: f64,
    #[serde(default = "absolute")]
    position_embedding_type: String,
}

/// Fields of `DistilBERT`'s `config.json`.
#[derive(Deserialize)]
struct DistilBert {
    vocab_size: usize,
    dim: usize,
    n_layers: usize,
    n_heads: usize,
    hidden_dim: usize,
    activation: String,
    #[serde(default = "tenth")]
    dropout: f32,
    #[serde(default = "tenth")]
    attention_dropout: f32,
    max_position_embeddings: usize,
}

// The default of `transformers` for missing fields.
fn tenth() -> f32 {
    0.1
}

fn two() -> usize {
    2
}

fn tiny() -> f64 {
    1e-12
}

fn absolute() -> String {
    "absolute".to_owned()
}

#[derive(Deserialize)]
struct Of {
    model_type: String,
}

/// The maximum of each size: a hundred times those of the largest published BERT, so that products of two
/// sizes cannot overflow.
const MOST: usize = 1 << 24;

impl PretrainedConfig {
    /// Reads a published `config.json`.
    ///
    /// # Errors
    ///
    /// Fails if the config is of another family, lacks a size, or describes an unsupported encoder.
    pub fn from_json(text: &str) -> Result<Self, PretrainedError> {
        let broken = |error: serde_json::Error| PretrainedError::Config(error.to_string());
        let of: Of = serde_json::from_str(text).map_err(broken)?;
        let config = match of.model_type.as_str() {
            "bert" => {
                let it: Bert = serde_json::from_str(text).map_err(broken)?;
                if it.position_embedding_type != "absolute" {
                    return Err(PretrainedError::Unsupported {
                        key: "position_embedding_type",
                        value: it.position_embedding_type,
                        possible: "absolute",
                    });
                }
                Self {
                    family: Family::Bert,
                    vocabulary: it.vocab_size,
                    max_len: it.max_position_embeddings,
                    token_types: it.type_vocab_size,
                    d_model: it.hidden_size,
                    heads: it.num_attention_heads,
                    d_ff: it.intermediate_size,
                    layers: it.num_hidden_layers,
                    activation: activation("hidden_act", &it.hidden_act)?,
                    norm_eps: it.layer_norm_eps,
                    dropout: it.hidden_dropout_prob,
                    attention_dropout: it.attention_probs_dropout_prob,
                }
            }
            "distilbert" => {
                let it: DistilBert = serde_json::from_str(text).map_err(broken)?;
                Self {
                    family: Family::DistilBert,
                    vocabulary: it.vocab_size,
                    max_len: it.max_position_embeddings,
                    token_types: 0,
                    d_model: it.dim,
                    heads: it.n_heads,
                    d_ff: it.hidden_dim,
                    layers: it.n_layers,
                    activation: activation("activation", &it.activation)?,
                    norm_eps: tiny(),
                    dropout: it.dropout,
                    attention_dropout: it.attention_dropout,
                }
            }
            other => {
                return Err(PretrainedError::Unsupported {
                    key: "model_type",
                    value: format!("`{other}`"),
                    possible: "`bert` or `distilbert`",
                });
            }
        };
        config.checked()
    }

    /// Every parameter by the name that it has here, with its shape.
    pub fn parameters(&self) -> Vec<(String, Vec<usize>)> {
        let sizes = EncoderSizes {
            vocabulary: self.vocabulary,
            max_len: self.max_len,
            token_types: self.token_types,
            d_model: self.d_model,
            heads: self.heads,
            d_ff: self.d_ff,
            layers: self.layers,
        };
        sizes.parameters()
    }

    fn checked(self) -> Result<Self, PretrainedError> {
        let sizes = [
            ("the vocabulary", self.vocabulary),
            ("the longest text", self.max_len),
            ("the width", self.d_model),
            ("the number of heads", self.heads),
            ("the feed-forward width", self.d_ff),
            ("the number of layers", self.layers),
        ];
        if let Some((what, size)) = sizes.iter().find(|(_, size)| !(1..=MOST).contains(size)) {
            return Err(PretrainedError::Config(format!("{what} is {size}")));
        }
        let of_family = usize::from(self.family == Family::Bert);
        if !(of_family..=MOST).contains(&self.token_types) {
            let said = format!("the number of token types is {}", self.token_types);
            return Err(PretrainedError::Config(said));
        }
        if !self.d_model.is_multiple_of(self.heads) {
            let (heads, d_model) = (self.heads, self.d_model);
            let said = format!("{heads} heads do not divide a width of {d_model}");
            return Err(PretrainedError::Config(said));
        }
        let is_share = |p: f32| (0.0..1.0).contains(&p);
        if !is_share(self.dropout) || !is_share(self.attention_dropout) {
            return Err(PretrainedError::Config("a dropout is no share below 1".to_owned()));
        }
        if !(self.norm_eps > 0.0 && self.norm_eps < 1.0) {
            return Err(PretrainedError::Config(format!("`layer_norm_eps` is {}", self.norm_eps)));
        }
        Ok(self)
    }
}

fn activation(key: &'static str, name: &str) -> Result<Activation, PretrainedError> {
    match name {
        "gelu" => Ok(Activation::Gelu),
        "gelu_new" | "gelu_pytorch_tanh" => Ok(Activation::NewGelu),
        "relu" => Ok(Activation::Relu),
        other => Err(PretrainedError::Unsupported {
            key,
            value: format!("`{other}`"),
            possible: "`gelu`, `gelu_new`, `gelu_pytorch_tanh` or `relu`",
        }),
    }
}
