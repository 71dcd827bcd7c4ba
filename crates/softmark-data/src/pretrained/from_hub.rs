//! Loading of a pretrained encoder from the Hub.

use candle_core::Device;

use super::{LoadError, Pretrained, Words, listed, of_files};
use crate::hub::{Hub, HubError, HubFile, Kind};

/// Fetches the files of a model at a commit, or takes them from the cache, and reads them as
/// [`read`](super::read) does.
///
/// ```no_run
/// use std::collections::BTreeMap;
///
/// use candle_core::Device;
/// use softmark_data::hub::{Hub, HubOptions};
/// use softmark_data::pretrained::fetch;
///
/// let environment: BTreeMap<String, String> = std::env::vars().collect();
/// let hub = Hub::new(HubOptions::from_environment(&environment))?;
/// let commit = "0123456789abcdef0123456789abcdef01234567";
/// let pretrained = fetch(&hub, "owner/name", commit, &Device::Cpu)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Fails if a file cannot be fetched or is not valid. A broken file stays in the cache; the message names it,
/// so that it can be deleted and fetched again.
pub fn fetch(
    hub: &Hub,
    repository: &str,
    commit: &str,
    device: &Device,
) -> Result<Pretrained, LoadError> {
    let file = |path: &str| HubFile::new(Kind::Model, repository, commit, path);
    let config = hub.fetch(&file("config.json")?)?;
    let words = match hub.fetch(&file("tokenizer.json")?) {
        Ok(path) => Words::Json(path),
        Err(HubError::NotFound { .. }) => {
            let vocabulary = hub.fetch(&file("vocab.txt")?)?;
            match hub.fetch(&file("tokenizer_config.json")?) {
                Ok(_) | Err(HubError::NotFound { .. }) => {}
                Err(error) => return Err(error.into()),
            }
            // The cache stores the files of a commit in one folder.
            listed(vocabulary.parent().unwrap_or(&vocabulary))?
        }
        Err(error) => return Err(error.into()),
    };
    let weights = hub.fetch(&file("model.safetensors")?)?;
    of_files(&config, &weights, &words, device)
}
