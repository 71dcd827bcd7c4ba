//! Getting a file: from the cache, or over the network into it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use hf_hub::progress::Progress;
use hf_hub::{HFClientBuilder, HFClientSync, HFError, split_id};

use crate::hub::file::{HubFile, Kind};
use crate::hub::options::{HubOptions, Network};
use crate::hub::transfer::{Hearing, Transfer};

/// How often a request is tried again when the network or the server stumbles, and after how long the
/// first time.
const RETRIES: usize = 2;
const FIRST_DELAY: Duration = Duration::from_millis(200);

/// Why a file of the Hub cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HubError {
    /// There is no such file, commit or repository, or it is private.
    #[error(
        "{file} is not on {endpoint}; look for a slip in its name, and set HF_TOKEN if it is private"
    )]
    NotFound {
        /// The file.
        file: Box<HubFile>,
        /// Where it was looked for.
        endpoint: String,
        /// What `hf-hub` says.
        #[source]
        source: Box<HFError>,
    },
    /// The repository's owner has to let the account in, or there is no account.
    #[error(
        "{file} is gated or private; accept its terms on {endpoint} and set HF_TOKEN to a token of \
         the account that did"
    )]
    Gated {
        /// The file.
        file: Box<HubFile>,
        /// Where it was asked for.
        endpoint: String,
        /// What `hf-hub` says.
        #[source]
        source: Box<HFError>,
    },
    /// The Hub was not reached.
    #[error(
        "{endpoint} cannot be reached for {file}; check the network, or fetch the file elsewhere and \
         set HF_HUB_CACHE to that cache"
    )]
    NoNetwork {
        /// The file.
        file: Box<HubFile>,
        /// What was not reached.
        endpoint: String,
        /// What `hf-hub` says.
        #[source]
        source: Box<HFError>,
    },
    /// The network may not be used, and the cache has no such file.
    #[error("{file} is not in the cache {}, and HF_HUB_OFFLINE forbids fetching it", cache.display())]
    Offline {
        /// The file.
        file: Box<HubFile>,
        /// The cache.
        cache: PathBuf,
    },
    /// The Hub's answer to a file is none that can be used.
    #[error("{endpoint} cannot give {file}: {source}")]
    Answer {
        /// The file.
        file: Box<HubFile>,
        /// Who was asked.
        endpoint: String,
        /// What `hf-hub` says.
        source: Box<HFError>,
    },
    /// The Hub answered with another commit's file.
    #[error("{endpoint} answered with another commit than that of {file}")]
    WrongCommit {
        /// The file.
        file: Box<HubFile>,
        /// Who was asked.
        endpoint: String,
    },
    /// The client could not be made.
    #[error("the options for the Hub cannot be used: {0}")]
    Options(#[source] Box<HFError>),
}

/// A way to the Hub.
pub struct Hub {
    client: HFClientSync,
    network: Network,
    endpoint: String,
    cache: PathBuf,
    progress: Option<Progress>,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub")
            .field("endpoint", &self.endpoint)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

impl Hub {
    /// A client with these options. Nothing is asked yet.
    ///
    /// # Errors
    ///
    /// [`HubError::Options`] when the endpoint is no URL.
    pub fn new(options: HubOptions) -> Result<Self, HubError> {
        let mut builder =
            HFClientBuilder::new().retry_max_attempts(RETRIES).retry_base_delay(FIRST_DELAY);
        if let Some(endpoint) = options.endpoint {
            builder = builder.endpoint(endpoint);
        }
        if let Some(token) = options.token {
            builder = builder.token(token);
        }
        if let Some(cache) = options.cache {
            builder = builder.cache_dir(cache);
        }
        let failed = |error| HubError::Options(Box::new(error));
        let client = builder.build().map_err(failed)?;
        let (endpoint, cache) = (client.endpoint().to_owned(), client.cache_dir().to_owned());
        let client = HFClientSync::from_inner(client).map_err(failed)?;
        Ok(Self { client, network: options.network, endpoint, cache, progress: None })
    }

    /// The same client, which tells `hear` how far it is with a file.
    #[must_use]
    pub fn telling(self, hear: impl Fn(&Transfer<'_>) + Send + Sync + 'static) -> Self {
        Self { progress: Some(Progress::new(Hearing(hear))), ..self }
    }

    /// The path of a file in the cache, fetched if it was not there. A file that is there is not asked
    /// for again: what stands at a commit does not change.
    ///
    /// # Errors
    ///
    /// [`HubError`] says which; all but a server's stumble are final, and a stumble has been tried
    /// again.
    pub fn fetch(&self, file: &HubFile) -> Result<PathBuf, HubError> {
        let (owner, name) = split_id(file.repository());
        let cached = self.network == Network::Offline;
        let fetched = match file.kind() {
            Kind::Dataset => self
                .client
                .dataset(owner, name)
                .download_file()
                .filename(file.path())
                .revision(file.commit())
                .local_files_only(cached)
                .maybe_progress(self.progress.clone())
                .send(),
            Kind::Model => self
                .client
                .model(owner, name)
                .download_file()
                .filename(file.path())
                .revision(file.commit())
                .local_files_only(cached)
                .maybe_progress(self.progress.clone())
                .send(),
        };
        let path = fetched.map_err(|error| self.explained(error, file))?;
        // The cache's folder is named for the commit that the server says a file is of.
        if path.iter().any(|part| part == file.commit()) {
            return Ok(path);
        }
        Err(HubError::WrongCommit { file: Box::new(file.clone()), endpoint: self.endpoint.clone() })
    }

    /// What `hf-hub`'s error means for who asked for `file`.
    fn explained(&self, error: HFError, file: &HubFile) -> HubError {
        let file = Box::new(file.clone());
        let endpoint = self.endpoint.clone();
        if self.network == Network::Offline {
            return HubError::Offline { file, cache: self.cache.clone() };
        }
        let source = Box::new(error);
        #[expect(
            clippy::wildcard_enum_match_arm,
            reason = "there may be more, and each is an answer"
        )]
        match *source {
            HFError::RepoNotFound { .. }
            | HFError::RevisionNotFound { .. }
            | HFError::EntryNotFound { .. } => HubError::NotFound { file, endpoint, source },
            HFError::AuthRequired { .. } | HFError::Forbidden { .. } => {
                HubError::Gated { file, endpoint, source }
            }
            HFError::Request { .. } => HubError::NoNetwork { file, endpoint, source },
            _ => HubError::Answer { file, endpoint, source },
        }
    }
}
