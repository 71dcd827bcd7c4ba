//! Options of the Hub's client: endpoint, token, cache folder and use of the network.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// Permission to use the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Network {
    /// Files that are not in the cache are fetched.
    #[default]
    Online,
    /// Files are taken from the cache only.
    Offline,
}

/// Options of the Hub's client. `None` leaves a value to `hf-hub`: the public Hub, the token stored by its
/// command line tool, the cache below the home folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HubOptions {
    /// Address of the Hub.
    pub endpoint: Option<String>,
    /// Token of an account, for gated and private repositories.
    pub token: Option<String>,
    /// Folder of the cache.
    pub cache: Option<PathBuf>,
    /// Permission to use the network.
    pub network: Network,
}

/// Values of `HF_HUB_OFFLINE` that mean yes, in any case, as in Python's `huggingface_hub`.
const YES: [&str; 4] = ["1", "on", "yes", "true"];

impl HubOptions {
    /// Returns the options in an environment, under the names that Hugging Face's libraries read:
    /// `HF_ENDPOINT`, `HF_TOKEN`, `HF_HUB_CACHE` (or `hub` below `HF_HOME`), `HF_HUB_OFFLINE`.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use softmark_data::hub::{HubOptions, Network};
    ///
    /// let environment = BTreeMap::from([("HF_HUB_OFFLINE".to_owned(), "1".to_owned())]);
    /// assert_eq!(HubOptions::from_environment(&environment).network, Network::Offline);
    /// ```
    pub fn from_environment(environment: &BTreeMap<String, String>) -> Self {
        let get = |name: &str| environment.get(name).filter(|value| !value.is_empty());
        let cache = get("HF_HUB_CACHE").map(PathBuf::from);
        let home = || get("HF_HOME").map(|home| PathBuf::from(home).join("hub"));
        let offline = get("HF_HUB_OFFLINE").is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            YES.contains(&value.as_str())
        });
        Self {
            endpoint: get("HF_ENDPOINT").cloned(),
            token: get("HF_TOKEN").cloned(),
            cache: cache.or_else(home),
            network: if offline { Network::Offline } else { Network::Online },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_how_the_hub_is_reached() {
        let options = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            HubOptions::from_environment(&pairs.collect())
        };
        assert_eq!(options(&[("HF_HUB_OFFLINE", "0"), ("HF_TOKEN", "")]), HubOptions::default());
        assert_eq!(options(&[("HF_HUB_OFFLINE", "True")]).network, Network::Offline);
        assert_eq!(options(&[("HF_HOME", "/h")]).cache, Some(PathBuf::from("/h/hub")));
        let both = options(&[("HF_HOME", "/h"), ("HF_HUB_CACHE", "/c")]);
        assert_eq!(both.cache, Some(PathBuf::from("/c")));
    }
}
