//! Sizes of pretrained encoders, and what their parameters are called here and in published files.
//!
//! | kit | BERT | `DistilBERT` |
//! |---|---|---|
//! | `token_embedding` | `embeddings.word_embeddings` | the same |
//! | `position_embedding` | `embeddings.position_embeddings` | the same |
//! | `type_embedding` | `embeddings.token_type_embeddings` | none |
//! | `embedding_norm` | `embeddings.LayerNorm` | the same |
//! | `layers.N.self_attn.q_proj` | `encoder.layer.N.attention.self.query` | `transformer.layer.N.attention.q_lin` |
//! | `layers.N.self_attn.out_proj` | `encoder.layer.N.attention.output.dense` | `transformer.layer.N.attention.out_lin` |
//! | `layers.N.norm1` | `encoder.layer.N.attention.output.LayerNorm` | `transformer.layer.N.sa_layer_norm` |
//! | `layers.N.feed_forward.linear1` | `encoder.layer.N.intermediate.dense` | `transformer.layer.N.ffn.lin1` |
//! | `layers.N.feed_forward.linear2` | `encoder.layer.N.output.dense` | `transformer.layer.N.ffn.lin2` |
//! | `layers.N.norm2` | `encoder.layer.N.output.LayerNorm` | `transformer.layer.N.output_layer_norm` |
//!
//! In files of a whole model these names start with `bert.` or `distilbert.`, and the parameters of a head
//! are ignored. Older files use `gamma` and `beta` for the weight and bias of a norm.

/// Name of the built-in encoder.
pub const BUILTIN: &str = "softmark-tiny";

/// Family of an encoder: determines its parameter names in published files, and its embeddings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Devlin et al., *BERT* (2019): tokens, positions and types of segments.
    Bert,
    /// Sanh et al., *`DistilBERT`* (2019): tokens and positions.
    DistilBert,
}

/// Sizes of a pretrained encoder: those that its parameters have, and the number of heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EncoderSizes {
    /// Token ids, `V`.
    pub vocabulary: usize,
    /// The longest text in tokens.
    pub max_len: usize,
    /// Types of segments; 0 where the family has none.
    pub token_types: usize,
    /// Width of the model, `D`.
    pub d_model: usize,
    /// Heads, `H`.
    pub heads: usize,
    /// Width inside the feed-forward networks, `F`.
    pub d_ff: usize,
    /// Layers.
    pub layers: usize,
}

impl EncoderSizes {
    /// Returns the name of every parameter in the kit, with its shape.
    pub fn parameters(&self) -> Vec<(String, Vec<usize>)> {
        let (d, f) = (self.d_model, self.d_ff);
        let mut all = vec![
            ("token_embedding.weight".to_owned(), vec![self.vocabulary, d]),
            ("position_embedding.weight".to_owned(), vec![self.max_len, d]),
        ];
        if self.token_types > 0 {
            all.push(("type_embedding.weight".to_owned(), vec![self.token_types, d]));
        }
        let mut pair = |name: String, weight: Vec<usize>| {
            let bias = weight.first().copied().into_iter().collect();
            all.push((format!("{name}.weight"), weight));
            all.push((format!("{name}.bias"), bias));
        };
        pair("embedding_norm".to_owned(), vec![d]);
        for n in 0..self.layers {
            for projection in ["q_proj", "k_proj", "v_proj", "out_proj"] {
                pair(format!("layers.{n}.self_attn.{projection}"), vec![d, d]);
            }
            pair(format!("layers.{n}.norm1"), vec![d]);
            pair(format!("layers.{n}.feed_forward.linear1"), vec![f, d]);
            pair(format!("layers.{n}.feed_forward.linear2"), vec![d, f]);
            pair(format!("layers.{n}.norm2"), vec![d]);
        }
        all
    }
}

/// Returns a module's name in published files, from the kit's name.
fn module(family: Family, ours: &str) -> Option<String> {
    let embedding = match ours {
        "token_embedding" => Some("word_embeddings"),
        "position_embedding" => Some("position_embeddings"),
        "type_embedding" => Some("token_type_embeddings"),
        "embedding_norm" => Some("LayerNorm"),
        _ => None,
    };
    if let Some(name) = embedding {
        return Some(format!("embeddings.{name}"));
    }
    let (n, part) = ours.strip_prefix("layers.")?.split_once('.')?;
    let (under, name) = match family {
        Family::Bert => {
            let name = match part {
                "self_attn.q_proj" => "attention.self.query",
                "self_attn.k_proj" => "attention.self.key",
                "self_attn.v_proj" => "attention.self.value",
                "self_attn.out_proj" => "attention.output.dense",
                "norm1" => "attention.output.LayerNorm",
                "feed_forward.linear1" => "intermediate.dense",
                "feed_forward.linear2" => "output.dense",
                "norm2" => "output.LayerNorm",
                _ => return None,
            };
            ("encoder", name)
        }
        Family::DistilBert => {
            let name = match part {
                "self_attn.q_proj" => "attention.q_lin",
                "self_attn.k_proj" => "attention.k_lin",
                "self_attn.v_proj" => "attention.v_lin",
                "self_attn.out_proj" => "attention.out_lin",
                "norm1" => "sa_layer_norm",
                "feed_forward.linear1" => "ffn.lin1",
                "feed_forward.linear2" => "ffn.lin2",
                "norm2" => "output_layer_norm",
                _ => return None,
            };
            ("transformer", name)
        }
    };
    Some(format!("{under}.layer.{n}.{name}"))
}

/// Returns the name of a parameter in published files, from the kit's name, which must be one of
/// [`EncoderSizes::parameters`].
///
/// ```
/// use softmark_kit::pretrained::{Family, published_name};
///
/// let name = published_name(Family::Bert, "layers.3.norm1.weight");
/// assert_eq!(name.as_deref(), Some("encoder.layer.3.attention.output.LayerNorm.weight"));
/// ```
pub fn published_name(family: Family, ours: &str) -> Option<String> {
    let (name, kind) = ours.rsplit_once('.')?;
    Some(format!("{}.{kind}", module(family, name)?))
}

/// Returns all names under which a parameter may be published, the usual one first.
pub fn published_names(family: Family, ours: &str) -> Vec<String> {
    let Some(usual) = published_name(family, ours) else { return Vec::new() };
    let is_norm = ours.rsplit_once('.').is_some_and(|(module, _)| module.contains("norm"));
    let older = match usual.rsplit_once('.') {
        Some((module, "weight")) if is_norm => Some(format!("{module}.gamma")),
        Some((module, "bias")) if is_norm => Some(format!("{module}.beta")),
        _ => None,
    };
    let whole = match family {
        Family::Bert => "bert",
        Family::DistilBert => "distilbert",
    };
    let bare = [Some(usual), older].into_iter().flatten();
    bare.flat_map(|name| [name.clone(), format!("{whole}.{name}")]).collect()
}
