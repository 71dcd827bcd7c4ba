//! The published encoders that are tuned: from a folder, or from the Hub.

use std::path::Path;

use anyhow::Result;
use candle_core::Device;
use softmark_data::files;
use softmark_data::pretrained::{Pretrained, read};

use crate::digest::Digest;

/// Maximum size of a `config.json`, in bytes.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// A published encoder.
#[derive(Debug)]
pub(super) struct Encoder {
    /// Name in the names of runs.
    pub(super) name: &'static str,
    /// Name in tables.
    pub(super) title: String,
    /// Sizes, weights and tokenizer.
    pub(super) pretrained: Pretrained,
    /// Digest of the sizes and the weights.
    pub(super) digest: String,
}

impl Encoder {
    fn new(name: &'static str, title: String, pretrained: Pretrained) -> Result<Self> {
        let tensors = pretrained.weights.tensors();
        let tensors = tensors.iter().map(|(name, tensor)| (name.as_str(), tensor));
        let config = format!("{:?}", pretrained.config);
        let digest = Digest::new().text(&config).tensors(tensors)?.finish();
        Ok(Self { name, title, pretrained, digest })
    }

    /// Reads the encoder of a folder with `config.json`, `model.safetensors` and `tokenizer.json` or `vocab.txt`.
    ///
    /// # Errors
    ///
    /// Fails if a file is missing or not valid.
    pub(super) fn of_folder(folder: &Path, device: &Device) -> Result<Self> {
        let pretrained = read(folder, device)?;
        let config = files::bytes(&folder.join("config.json"), MAX_CONFIG_BYTES)?;
        let title = published_name(&config).unwrap_or_else(|| "given encoder".to_owned());
        Self::new("given", title, pretrained)
    }
}

/// Returns the name that a published `config.json` gives its encoder, without the owner.
fn published_name(config: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Named {
        #[serde(rename = "_name_or_path")]
        name: String,
    }
    let Named { name } = serde_json::from_slice(config).ok()?;
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    (!last.is_empty()).then(|| last.to_owned())
}

/// Fetches the encoders of the published figures from the Hub, or takes them from its cache.
///
/// # Errors
///
/// Fails if a file cannot be fetched or is not valid, or if the program was built without the feature `hub`.
#[cfg(feature = "hub")]
pub(super) fn of_hub(device: &Device) -> Result<Vec<Encoder>> {
    use softmark_data::hub::{Hub, HubOptions, bar};
    use softmark_data::pretrained::fetch;

    let environment = std::env::vars().collect();
    let hub = Hub::new(HubOptions::from_environment(&environment))?.telling(bar());
    let fetched = |it: &HubModel| {
        let pretrained = fetch(&hub, it.repository, it.commit, device)?;
        Encoder::new(it.name, it.title.to_owned(), pretrained)
    };
    HUB_MODELS.iter().map(fetched).collect()
}

/// Fails: the program was built without the feature `hub`.
///
/// # Errors
///
/// Always fails.
#[cfg(not(feature = "hub"))]
pub(super) fn of_hub(_device: &Device) -> Result<Vec<Encoder>> {
    anyhow::bail!("this build has no client of the Hub: build with `--features hub` for `--hub`")
}

/// A published encoder on the Hub.
#[cfg(feature = "hub")]
struct HubModel {
    name: &'static str,
    title: &'static str,
    repository: &'static str,
    commit: &'static str,
}

/// The encoders of the published figures.
#[cfg(feature = "hub")]
const HUB_MODELS: [HubModel; 2] = [
    HubModel {
        name: "distilbert",
        title: "DistilBERT",
        repository: "distilbert/distilbert-base-uncased",
        commit: "12040accade4e8a0f71eabdb258fecc2e7e948be",
    },
    HubModel {
        name: "bert",
        title: "BERT",
        repository: "google-bert/bert-base-uncased",
        commit: "86b5e0934494bd15c9632b12f734a8a67f723594",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoder_is_named_as_its_config_says() {
        let named = |text: &str| published_name(text.as_bytes());
        assert_eq!(named(r#"{"_name_or_path": "owner/Mini-L6"}"#).as_deref(), Some("Mini-L6"));
        assert_eq!(named(r#"{"_name_or_path": "mini"}"#).as_deref(), Some("mini"));
        assert_eq!(named(r#"{"_name_or_path": "owner/"}"#), None);
        assert_eq!(named("{}"), None);
    }

    #[test]
    #[cfg(not(feature = "hub"))]
    fn without_the_feature_the_error_says_how_to_build() {
        let error = of_hub(&Device::Cpu).unwrap_err().to_string();
        assert!(error.contains("--features hub"), "{error}");
    }
}
